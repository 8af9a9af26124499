package io.superstep.samples.review

import io.superstep.event.GraphEvent
import io.superstep.kotlin.answers
import io.superstep.kotlin.events
import io.superstep.kotlin.runner
import io.superstep.kotlin.state
import io.superstep.reactor.InMemoryCheckpointStore
import java.io.PrintStream
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.runBlocking

/**
 * Sample 3: a writer and an editor, in Kotlin.
 *
 * The graph ends with a question wherever its editor has to be asked, and goes on with the answer, which is a
 * data class. Here the editor is a script; it could as well answer tomorrow, and to another process.
 */
public object ReviewSample {

    @JvmStatic
    public fun main(vararg none: String): Unit = runBlocking { play(System.out) }

    internal suspend fun play(out: PrintStream) {
        val thread = paper().runner { checkpoints(InMemoryCheckpointStore()) }.thread("paper-1")
        out.show(thread.events())
        for (review in listOf(Review(publish = false, remark = "kinder, please"), Review(publish = true))) {
            out.println("editor: $review")
            out.show(thread.events(answers("review" to review, by = "editor")))
        }
    }

    private suspend fun PrintStream.show(events: Flow<GraphEvent>) = events.collect { event ->
        when (event) {
            is GraphEvent.TaskChunk -> print(event.content)
            is GraphEvent.QuestionAsked -> println("\n    ${event.question.prompt.text}")
            is GraphEvent.RunCompleted -> println("published: ${event.state[Paper.drafts].last()}")
            else -> flush()
        }
    }
}
