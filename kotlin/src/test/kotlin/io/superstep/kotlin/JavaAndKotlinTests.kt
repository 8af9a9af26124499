package io.superstep.kotlin

import io.superstep.checkpoint.Task
import io.superstep.event.GraphEvent
import io.superstep.event.GraphEvent.StepCommitted
import io.superstep.graph.Graph
import io.superstep.message.Message
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.Resume
import io.superstep.reactor.RunResult
import io.superstep.state.State
import io.superstep.state.Update
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** The same graph in both languages is the same graph. */
class JavaAndKotlinTests {

    private val java = JavaDebate.graph()
    private val kotlin = kotlinDebate()
    private val question = Update.append(JavaDebate.MESSAGES, Message.human("Should AI be regulated?"))

    @Test
    fun channelsAreTheSameKeys() {
        assertThat(Debate.stateSchema().channels()).isEqualTo(java.schema().channels())
        assertThat(kotlin.schema().channels().zip(java.schema().channels()))
            .allSatisfy { (ours, theirs) -> assertThat(ours.foldsLike(theirs)).isTrue }
    }

    @Test
    fun bothHaveOneFingerprintAndOnePicture() {
        assertThat(kotlin.fingerprint()).isEqualTo(java.fingerprint())
        assertThat(kotlin.mermaid()).isEqualTo(java.mermaid())
    }

    @Test
    fun bothTellTheSame() = runTest {
        assertThat(told(kotlin)).isEqualTo(told(java)).hasSizeGreaterThan(40)
    }

    @Test
    fun bothComeToTheSameStateWhicheverLanguageRunsThem() = runTest {
        val states = listOf(java, kotlin).flatMap { graph ->
            listOf(JavaDebate.run(graph, question), graph.runner().await(question))
        }.map(RunResult::state)

        assertThat(states).allSatisfy { state -> assertThat(state).isEqualTo(states.first()) }
        assertThat(states.first()[Debate.votes]).isEqualTo(3)
        assertThat(states.first()[Debate.messages].map(Message::content))
            .containsExactly("Should AI be regulated?", "Yes.", "No.", "Yes.", "No.", "Hm.", "It depends.")
    }

    @Test
    fun aThreadThatOneLanguageBeganTheOtherEnds() = runTest {
        val store = InMemoryCheckpointStore()
        java.runner { checkpoints(store) }.thread("t").events(question).first { it is StepCommitted && it.step() == 3 }

        val result = kotlin.runner { checkpoints(store) }.thread("t").await(Resume.GO_ON)

        val alone = java.runner { checkpoints(InMemoryCheckpointStore()) }.thread("t").await(question)
        assertThat(result.isCompleted).isTrue
        assertThat(withoutIds(result.state())).isEqualTo(withoutIds(alone.state()))
    }

    /** A resumed run gives its messages ids of its own. */
    private fun withoutIds(state: State): Map<String, Any?> = state.asMap().mapValues { (_, value) ->
        if (value is List<*>) value.map { if (it is Message) it.withId("") else it } else value
    }

    private suspend fun told(graph: Graph): List<String> = graph.runner().events(question).map(::line).toList()

    private fun line(event: GraphEvent): String = "${event.path()} ${event.step()} " + when (event) {
        is GraphEvent.StepStarted -> "step ${event.tasks().map(Task::node)}"
        is GraphEvent.TaskStarted -> "task ${event.task().id()}"
        is GraphEvent.TaskChunk -> "chunk ${event.task().id()} ${event.index()} ${event.content()}"
        is GraphEvent.TaskUpdated -> "update ${event.task().id()} ${event.update()}"
        is GraphEvent.TaskCompleted -> "end ${event.task().id()}"
        is StepCommitted -> "commit ${event.state()}"
        is GraphEvent.Terminal -> "ended ${event.state().asMap()}"
        else -> event.javaClass.simpleName
    }
}
