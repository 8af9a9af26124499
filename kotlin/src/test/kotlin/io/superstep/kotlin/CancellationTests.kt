package io.superstep.kotlin

import io.superstep.event.GraphEvent.TaskChunk
import io.superstep.event.GraphEvent.TaskStarted
import io.superstep.graph.Graph
import io.superstep.reactor.GraphThread
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.Resume
import io.superstep.step.NodeFailedException
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Nested
import org.junit.jupiter.api.Test
import reactor.test.StepVerifier

class CancellationTests {

    private object Notes : Schema() {
        val log by list<String>()
    }

    private val started = CompletableDeferred<Unit>()
    private val ended = CompletableDeferred<Throwable?>()
    private val visits = AtomicInteger()

    /** A graph whose second node waits for ever the first time, and tells how it ended. */
    private val waiting: Graph = graph("waiting", Notes) {
        node("a") { update { Notes.log += "a" } }
        node("b") {
            if (visits.incrementAndGet() == 1) {
                started.complete(Unit)
                try {
                    awaitCancellation()
                } catch (cancelled: CancellationException) {
                    ended.complete(cancelled)
                    throw cancelled
                }
            }
            update { Notes.log += "b" }
        }
        START then "a" then "b" then END
    }

    private fun Graph.thread(): GraphThread = runner { checkpoints(InMemoryCheckpointStore()) }.thread("t")

    @Nested
    inner class WhenTheCallerIsCancelled {

        @Test
        fun aRunThatIsWaitedForIsCancelled() = runTest {
            val thread = waiting.thread()
            val caller = launch { thread.await() }
            started.await()

            caller.cancelAndJoin()

            assertThat(ended.await()).isInstanceOf(CancellationException::class.java)
            assertThat(thread.await(Resume.GO_ON).state()[Notes.log]).containsExactly("a", "b")
        }

        @Test
        fun aRunWhoseEventsAreCollectedIsCancelled() = runTest {
            val thread = waiting.thread()
            val caller = launch { thread.events().collect {} }
            started.await()

            caller.cancelAndJoin()

            assertThat(ended.await()).isInstanceOf(CancellationException::class.java)
            assertThat(thread.await(Resume.GO_ON).state()[Notes.log]).containsExactly("a", "b")
        }

        @Test
        fun aRunOfWhichEnoughWasHeardIsCancelled() = runTest {
            val emitted = AtomicInteger()
            val endless = graph("endless", Notes) {
                flow("say") {
                    flow {
                        while (true) emit(emitted.incrementAndGet())
                    }.onCompletion { ended.complete(it) }.collect { chunk(it) }
                }
                START then "say" then END
            }

            val chunk = endless.runner().events().first { it is TaskChunk && it.content() == 3 }

            assertThat(chunk).isInstanceOf(TaskChunk::class.java)
            assertThat(ended.await()).isInstanceOf(CancellationException::class.java)
            assertThat(emitted.get()).isLessThanOrEqualTo(4)
        }

        @Test
        fun aTimeoutOfTheCallerEndsTheRun() = runTest {
            val error = runCatching { withTimeout(5.seconds) { waiting.runner().await() } }.exceptionOrNull()

            assertThat(error).isInstanceOf(TimeoutCancellationException::class.java)
            assertThat(ended.await()).isInstanceOf(CancellationException::class.java)
        }
    }

    @Nested
    inner class WhenTheRunIsCancelled {

        @Test
        fun theCoroutineOfANodeIs() = runTest {
            val run = waiting.runner().stream(update {}).subscribe()
            started.await()

            run.dispose()

            assertThat(ended.await()).isInstanceOf(CancellationException::class.java)
        }

        @Test
        fun theCoroutineOfAStreamingNodeIs() = runTest {
            val streaming = graph("streaming", Notes) {
                flow("say") {
                    try {
                        chunk("x")
                        awaitCancellation()
                    } catch (cancelled: CancellationException) {
                        ended.complete(cancelled)
                        throw cancelled
                    }
                }
                START then "say" then END
            }

            StepVerifier.create(streaming.runner().stream(update {}))
                .thenConsumeWhile { it !is TaskChunk }
                .expectNextMatches { it is TaskChunk }
                .thenCancel()
                .verify()

            assertThat(ended.await()).isInstanceOf(CancellationException::class.java)
        }

        @Test
        fun theCoroutineOfAHandlerIs() = runTest {
            val handling = graph("handling", Notes) {
                node("bad") { error("bad") }
                handler("bad") { _, _ ->
                    started.complete(Unit)
                    try {
                        awaitCancellation()
                    } catch (cancelled: CancellationException) {
                        ended.complete(cancelled)
                        throw cancelled
                    }
                }
                START then "bad" then END
            }
            val run = handling.runner().stream(update {}).subscribe()
            started.await()

            run.dispose()

            assertThat(ended.await()).isInstanceOf(CancellationException::class.java)
        }

        @Test
        fun nothingStartsThatWasNotAskedFor() = runTest {
            StepVerifier.create(waiting.runner().stream(update {}))
                .thenConsumeWhile { it !is TaskStarted }
                .expectNextMatches { it is TaskStarted }
                .thenCancel()
                .verify()

            assertThat(visits).hasValue(0)
        }
    }

    @Nested
    inner class InsideANode {

        @Test
        fun whatItLaunchedIsPartOfIt() = runTest {
            val order = mutableListOf<String>()
            val launching = graph("launching", Notes) {
                node("a") {
                    launch {
                        delay(1.seconds)
                        order += "child"
                    }
                    val half = async { "half" }
                    update { Notes.log += half.await() }
                }
                node("b") {
                    order += "next"
                    update {}
                }
                START then "a" then "b" then END
            }

            assertThat(launching.runner().await().state()[Notes.log]).containsExactly("half")
            assertThat(order).containsExactly("child", "next")
        }

        @Test
        fun whatItLaunchedIsCancelledWithIt() = runTest {
            val launching = graph("launching", Notes) {
                node("a") {
                    launch(Dispatchers.Default) {
                        started.complete(Unit)
                        try {
                            awaitCancellation()
                        } catch (cancelled: CancellationException) {
                            ended.complete(cancelled)
                            throw cancelled
                        }
                    }
                    update {}
                }
                START then "a" then END
            }
            val caller = launch { launching.runner().await() }
            started.await()

            caller.cancelAndJoin()

            assertThat(ended.await()).isInstanceOf(CancellationException::class.java)
        }

        @Test
        fun whatItLaunchedFailsIt() = runTest {
            val failing = graph("failing", Notes) {
                node("a") {
                    launch { error("child") }
                    awaitCancellation()
                }
                START then "a" then END
            }

            val error = runCatching { failing.runner().await() }.exceptionOrNull()

            assertThat(error).isInstanceOf(NodeFailedException::class.java)
            assertThat(error).hasRootCauseMessage("child")
        }

        @Test
        fun aFailureInAScopeOfItsOwnCanBeCaught() = runTest {
            val catching = graph("catching", Notes) {
                node("a") {
                    val caught = runCatching { coroutineScope { launch { error("child") } } }
                    update { Notes.log += "${caught.exceptionOrNull()?.message}" }
                }
                START then "a" then END
            }

            assertThat(catching.runner().await().state()[Notes.log]).containsExactly("child")
        }

        @Test
        fun aTimeoutOfItsOwnIsAFailureAndNoCancellation() = runTest {
            val slow = graph("slow", Notes) {
                node("a") {
                    withTimeout(1.seconds) { awaitCancellation() }
                }
                handler("a") { _, failure -> update { Notes.log += "${failure.error() is TimeoutCancellationException}" } }
                START then "a" then END
            }

            assertThat(slow.runner().await().state()[Notes.log]).containsExactly("true")
        }
    }
}
