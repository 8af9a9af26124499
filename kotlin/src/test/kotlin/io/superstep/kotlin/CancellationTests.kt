package io.superstep.kotlin

import io.superstep.event.GraphEvent.TaskChunk
import io.superstep.event.GraphEvent.TaskStarted
import io.superstep.graph.Graph
import io.superstep.reactor.GraphThread
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.Resume
import io.superstep.step.NodeFailedException
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.Consumer
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.channelFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.onCompletion
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.asCoroutineContext
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Nested
import org.junit.jupiter.api.Test
import reactor.test.StepVerifier
import reactor.util.context.Context

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

    /** What was given up is given back while the caller waits, not while it goes on. */
    @Nested
    inner class WhenANodeClearsUp {

        private val order = mutableListOf<String>()

        private val clearing = graph("clearing", Notes) {
            node("a") {
                try {
                    started.complete(Unit)
                    awaitCancellation()
                } finally {
                    withContext(NonCancellable) { delay(1.seconds) }
                    order += "clear"
                }
            }
            flow("b") {
                try {
                    awaitCancellation()
                } finally {
                    withContext(NonCancellable) { delay(2.seconds) }
                    order += "clear"
                }
            }
            node("c") { state ->
                started.await()
                if (state[Notes.log].isEmpty()) awaitCancellation() else error("c")
            }
            START then all("a", "b", "c")
            "a" then END
            "b" then END
            "c" then END
        }

        private val failing = update { Notes.log += "fail" }

        @Test
        fun aCallerThatIsCancelledHasWaitedForIt() = runTest {
            val caller = launch { clearing.runner().await() }
            started.await()

            caller.cancelAndJoin()

            assertThat(order).containsExactly("clear", "clear")
        }

        @Test
        fun aCollectorThatIsCancelledHasWaitedForIt() = runTest {
            val collector = launch { clearing.runner().events().collect {} }
            started.await()

            collector.cancelAndJoin()

            assertThat(order).containsExactly("clear", "clear")
        }

        @Test
        fun aNodeThatHasAskedIsNotWaitedFor() = runTest {
            val asking = graph("asking", Notes) {
                node("a") { update { Notes.log += withContext(NonCancellable) { ask<String>("q", "Well?") } } }
                node("b") {
                    started.complete(Unit)
                    awaitCancellation()
                }
                START then all("a", "b")
                "a" then END
                "b" then END
            }
            val thread = asking.thread()
            val caller = launch { thread.await() }
            started.await()

            caller.cancelAndJoin()

            assertThat(thread.openQuestions().toList().map { it.key() }).containsExactly("q")
        }

        @Test
        fun aCallerThatTheRunFailsHasWaitedForIt() = runTest {
            val error = runCatching { clearing.runner().await(failing) }.exceptionOrNull()

            assertThat(error).isInstanceOf(NodeFailedException::class.java)
            assertThat(order).containsExactly("clear", "clear")
        }
    }

    @Nested
    inner class WhenANodeFailsToClearUp {

        private val dropped = CopyOnWriteArrayList<Throwable>()
        private val hearing = Context.of("reactor.onErrorDropped.local", Consumer<Throwable> { dropped += it })

        @Test
        fun itIsDroppedAsReactorDropsErrors() = runTest(hearing.asCoroutineContext()) {
            val failing = graph("failing", Notes) {
                node("a") {
                    launch {
                        try {
                            awaitCancellation()
                        } finally {
                            error("child of a")
                        }
                    }
                    update {}
                }
                node("b") {
                    try {
                        awaitCancellation()
                    } finally {
                        error("b")
                    }
                }
                flow("c") {
                    try {
                        started.complete(Unit)
                        awaitCancellation()
                    } finally {
                        error("c")
                    }
                }
                START then all("a", "b", "c")
                listOf("a", "b", "c").forEach { it then END }
            }
            val caller = launch { failing.runner().await() }
            started.await()

            caller.cancelAndJoin()

            assertThat(dropped.map { it.message }).containsExactlyInAnyOrder("child of a", "b", "c")
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
                flow("b") {
                    withTimeout(1.seconds) { awaitCancellation() }
                }
                handler("a") { _, failure -> update { Notes.log += "${failure.error() is TimeoutCancellationException}" } }
                handler("b") { _, failure -> update { Notes.log += "${failure.error() is TimeoutCancellationException}" } }
                START then "a" then "b" then END
            }

            assertThat(slow.runner().await().state()[Notes.log]).containsExactly("true", "true")
        }

        @Test
        fun whatWasCancelledElsewhereIsAFailureToo() = runTest {
            val gone = CompletableDeferred<String>().apply { cancel() }
            val waiting = graph("waiting", Notes) {
                node("a") { update { Notes.log += gone.await() } }
                flow("b") { emit(update { Notes.log += gone.await() }) }
                node("c") { throw CancellationException("c") }
                listOf("a", "b", "c").forEach { name ->
                    handler(name) { _, failure -> update { Notes.log += "$name ${failure.error() is CancellationException}" } }
                }
                START then "a" then "b" then "c" then END
            }

            assertThat(waiting.runner().await().state()[Notes.log]).containsExactly("a true", "b true", "c true")
        }

        @Test
        fun severalCoroutinesSpeakThroughAChannel() = runTest {
            val speaking = graph("speaking", Notes) {
                flow("a") {
                    emitAll(
                        channelFlow {
                            repeat(3) { number ->
                                launch(Dispatchers.Default) { send(update { Notes.log += "$number" }) }
                            }
                        },
                    )
                }
                START then "a" then END
            }

            assertThat(speaking.runner().await().state()[Notes.log]).containsExactlyInAnyOrder("0", "1", "2")
        }

        @Test
        fun whoeverSpeaksFromAnotherCoroutineIsTold() = runTest {
            val speaking = graph("speaking", Notes) {
                flow("a") { coroutineScope { launch { chunk("x") } } }
                START then "a" then END
            }

            val error = runCatching { speaking.runner().await() }.exceptionOrNull()

            assertThat(error).isInstanceOf(NodeFailedException::class.java)
                .hasRootCauseInstanceOf(IllegalStateException::class.java)
                .rootCause().hasMessageContaining("channelFlow")
        }
    }
}
