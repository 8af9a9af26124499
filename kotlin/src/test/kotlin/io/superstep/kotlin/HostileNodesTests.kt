package io.superstep.kotlin

import io.superstep.checkpoint.ThreadStatus
import io.superstep.error.SuperstepException
import io.superstep.graph.Graph
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.InMemoryEventLog
import io.superstep.testkit.HostilePlace
import java.util.EnumSet
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.reactive.awaitFirstOrNull
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.DisplayName
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** Errors of every kind, thrown by suspending nodes, end the run and release its thread. */
class HostileNodesTests {

    private object Notes : Schema() {
        val log by list<String>()
    }

    @ParameterizedTest
    @MethodSource("errors")
    @DisplayName("Promise 11: a suspending node throws at once")
    fun atOnce(error: Error) = verify(
        graph("hostile", Notes) {
            node("node") { throw error }
            START then "node" then END
        },
    )

    @ParameterizedTest
    @MethodSource("errors")
    @DisplayName("Promise 11: a suspending node throws on another thread")
    fun elsewhere(error: Error) = verify(
        graph("hostile", Notes) {
            node("node") { withContext(Dispatchers.Default) { yield(); throw error } }
            START then "node" then END
        },
    )

    @ParameterizedTest
    @MethodSource("errors")
    @DisplayName("Promise 11: a flow throws after its first chunk, on another thread")
    fun flow(error: Error) = verify(
        graph("hostile", Notes) {
            flow("node") {
                chunk("a")
                delay(1)
                throw error
            }
            START then "node" then END
        },
    )

    private fun verify(graph: Graph) = runBlocking {
        val store = InMemoryCheckpointStore()
        val thread = graph.runner { checkpoints(store).events(InMemoryEventLog()) }.thread("t")

        val end = runCatching { withTimeout(5.seconds) { thread.await() } }.exceptionOrNull()

        assertThat(end).isInstanceOf(SuperstepException::class.java)
        assertThat(store.threads(EnumSet.of(ThreadStatus.RUNNING)).awaitFirstOrNull()).isNull()
    }

    companion object {

        @JvmStatic
        fun errors(): List<Error> = HostilePlace.errors()
    }
}
