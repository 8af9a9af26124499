package io.superstep.kotlin

import io.superstep.event.GraphEvent
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

class EventsTests {

    private object Notes : Schema() {
        val log by list<String>()
    }

    @Test
    fun areAllKnownToTheCompiler() = runTest {
        val graph = graph("notes", Notes) {
            node("a") { update { Notes.log += "a" } }
            START then "a" then END
        }

        val words = graph.runner().events().map(::word).toList()

        assertThat(words).containsExactly("started", "step", "task", "update", "end", "commit", "completed")
    }

    @Test
    fun areReadAsProperties() = runTest {
        val runner = graph("notes", Notes) {
            node("a") { update { Notes.log += "a" } }
            START then "a" then END
        }.runner()

        val events = runner.events().toList()
        val result = runner.await()

        assertThat(events.map { listOf(it.path, it.step, it.sequence, it.time) })
            .isEqualTo(events.map { listOf(it.path(), it.step(), it.sequence(), it.time()) })
        assertThat((events.last() as GraphEvent.Terminal).state[Notes.log]).containsExactly("a")
        assertThat(result.state[Notes.log]).containsExactly("a")
        assertThat(result.output).isEqualTo(mapOf("log" to listOf("a")))
    }

    /** There is no `else`: an event that is added and not named here does not compile. */
    private fun word(event: GraphEvent): String = when (event) {
        is GraphEvent.RunStarted -> "started"
        is GraphEvent.RunResumed -> "resumed"
        is GraphEvent.ThreadUpdated -> "updated"
        is GraphEvent.StateSnapshot -> "snapshot"
        is GraphEvent.StepStarted -> "step"
        is GraphEvent.TaskStarted -> "task"
        is GraphEvent.TaskChunk -> "chunk"
        is GraphEvent.TaskUpdated -> "update"
        is GraphEvent.TaskRetried -> "retry"
        is GraphEvent.TaskCompleted -> if (event.handled() == null) "end" else "handled"
        is GraphEvent.TaskFailed -> "failed"
        is GraphEvent.StepCommitted -> "commit"
        is GraphEvent.Warning -> "warning"
        is GraphEvent.CheckpointSaved -> "saved"
        is GraphEvent.QuestionAsked -> "asked"
        is GraphEvent.QuestionAnswered -> "answered"
        is GraphEvent.RunInterrupted -> "interrupted"
        is GraphEvent.RunFailed -> "broken"
        is GraphEvent.RunStopped -> "stopped"
        is GraphEvent.RunCompleted -> "completed"
    }
}
