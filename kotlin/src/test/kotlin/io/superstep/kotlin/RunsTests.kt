package io.superstep.kotlin

import io.superstep.checkpoint.CheckpointId
import io.superstep.checkpoint.HistoryFilter
import io.superstep.checkpoint.Retention
import io.superstep.event.Chunks
import io.superstep.event.GraphEvent
import io.superstep.event.GraphEvent.RunCompleted
import io.superstep.event.GraphEvent.RunInterrupted
import io.superstep.event.GraphEvent.StateSnapshot
import io.superstep.event.GraphEvent.StepCommitted
import io.superstep.event.GraphEvent.TaskStarted
import io.superstep.question.Question
import io.superstep.reactor.Amendment
import io.superstep.reactor.GraphRunner
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.InMemoryEventLog
import io.superstep.reactor.Resume
import io.superstep.reactor.RunOptions
import io.superstep.reactor.RunResult
import io.superstep.reactor.RunnerClosedException
import io.superstep.state.Merge
import io.superstep.step.NodeFailedException
import io.superstep.step.StepLimitException
import java.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.flow.filterIsInstance
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.last
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Nested
import org.junit.jupiter.api.Test

class RunsTests {

    private object Notes : Schema() {
        val log by list<String>()
        val title by value("")
    }

    private val RunResult.log: List<String> get() = state()[Notes.log]

    private val chain = graph("chain", Notes) {
        node("a") { update { Notes.log += "a" } }
        node("b") { update { Notes.log += "b" } }
        START then "a" then "b" then END
    }

    private val store = InMemoryCheckpointStore()

    private fun runner(): GraphRunner = chain.runner {
        checkpoints(store)
        events(InMemoryEventLog())
    }

    @Nested
    inner class OfARunner {

        private val runner = chain.runner()

        @Test
        fun tellEventsAndResults() = runTest {
            assertThat(runner.events(update { Notes.log += "0" }).last()).isInstanceOf(RunCompleted::class.java)
            assertThat(runner.await(update { Notes.log += "0" }).log).containsExactly("0", "a", "b")
        }

        @Test
        fun goOnFromAPosition() = runTest {
            val paused = graph("paused", Notes) {
                node("a") { update { Notes.log += "a" } }
                node("b") { update { Notes.log += "b" } }
                START then "a" then "b" then END
                interruptBefore("b")
            }.runner()
            val position = paused.await().position()

            assertThat(paused.events(position).last()).isInstanceOf(RunCompleted::class.java)
            assertThat(paused.await(position).log).containsExactly("a", "b")
        }

        @Test
        fun failWithWhatTheyFailedWith() = runTest {
            val failing = graph("failing", Notes) {
                node("a") { error("no") }
                START then "a" then END
            }.runner()

            val awaited = runCatching { failing.await() }.exceptionOrNull()
            val collected = runCatching { failing.events().toList() }.exceptionOrNull()

            assertThat(listOf(awaited, collected)).allSatisfy {
                assertThat(it).isInstanceOf(NodeFailedException::class.java).hasRootCauseMessage("no")
                assertThat((it as NodeFailedException).node()).isEqualTo("a")
            }
        }

        @Test
        fun haveOptions() = runTest {
            val error = runCatching { runner.await(options = RunOptions.NONE.steps(1)) }.exceptionOrNull()

            assertThat(error).isInstanceOf(StepLimitException::class.java)
        }

        @Test
        fun overrideTheOptionsOfTheirRunner() = runTest {
            val limited = chain.runner { defaults(RunOptions.NONE.steps(1)) }

            val error = runCatching { limited.await(options = RunOptions.NONE.prefetch(2)) }.exceptionOrNull()

            assertThat(error).isInstanceOf(StepLimitException::class.java)
            assertThat(limited.await(options = RunOptions.NONE.steps(9)).log).containsExactly("a", "b")
        }

        @Test
        fun endWhenItIsClosed() = runTest {
            assertThat(runner.awaitClose(1.seconds)).isEmpty()
            assertThat(runCatching { runner.await() }.exceptionOrNull()).isInstanceOf(RunnerClosedException::class.java)
        }
    }

    @Nested
    inner class OfAThread {

        private val thread = runner().thread("t")

        @Test
        fun tellEventsAndResults() = runTest {
            assertThat(thread.events(update { Notes.log += "0" }).last()).isInstanceOf(RunCompleted::class.java)
            assertThat(thread.await(options = RunOptions.NONE).log).containsExactly("0", "a", "b", "a", "b")
        }

        @Test
        fun overrideTheOptionsOfTheirRunner() = runTest {
            val limited = chain.runner {
                checkpoints(store)
                defaults(RunOptions.NONE.steps(1))
            }.thread("limited")

            val error = runCatching { limited.await(options = RunOptions.NONE.prefetch(2)) }.exceptionOrNull()

            assertThat(error).isInstanceOf(StepLimitException::class.java)
            assertThat(limited.await(Resume.GO_ON, RunOptions.NONE.steps(9)).log).containsExactly("a", "b")
        }

        @Test
        fun areResumed() = runTest {
            thread.events(options = RunOptions.NONE).first { it is StepCommitted }

            val rest = thread.events(Resume.GO_ON).filterIsInstance<TaskStarted>().map { it.task().node() }.toList()

            assertThat(rest).containsExactly("b")
            assertThat(thread.await(Resume.GO_ON, RunOptions.NONE).log).containsExactly("a", "b")
        }

        @Test
        fun areForked() = runTest {
            thread.await()
            val first = thread.checkpoints().last().id()

            val branch = thread.forkEvents(first, update { Notes.log += "fork" }).last() as GraphEvent.Terminal
            val other = thread.forkEvents(first, update { Notes.log += "x" }, "ada", "why not", RunOptions.NONE).last()
            val third = thread.awaitFork(first)

            assertThat(branch.state()[Notes.log]).containsExactly("fork", "a", "b")
            assertThat((other as GraphEvent.Terminal).state()[Notes.log]).containsExactly("x", "a", "b")
            assertThat(third.log).containsExactly("a", "b")
        }

        @Test
        fun outliveTheirCallerAndAreFollowed() = runTest {
            val cursor = thread.awaitStart(update { Notes.log += "0" })
            val followed = thread.follow(cursor, Chunks.NONE).first { it is RunCompleted } as RunCompleted

            assertThat(followed.state()[Notes.log]).containsExactly("0", "a", "b")
            assertThat(thread.follow().take(2).toList().map { it.sequence() }).containsExactly(1L, 2L)
            val state = thread.followWithState(followed.sequence(), Chunks.NONE).first() as StateSnapshot
            assertThat(state.state()[Notes.log]).containsExactly("0", "a", "b")
            assertThat(thread.awaitStop()).isFalse
            assertThat(thread.awaitStart(Resume.GO_ON)).isEqualTo(followed.sequence())
        }

        @Test
        fun areFedFromAQueue() = runTest {
            val queued = thread.awaitQueue(update { Notes.log += "0" }, by = "ada")
            val end = thread.follow().first { it is RunCompleted } as RunCompleted

            assertThat(queued.by()).isEqualTo("ada")
            assertThat(end.state()[Notes.log]).containsExactly("0", "a", "b")
            assertThat(thread.queuedInputs().toList()).isEmpty()
        }

        @Test
        fun areLookedAtAndChangedFromOutside() = runTest {
            assertThat(thread.awaitState()).isNull()
            val first = thread.await().let { thread.checkpoints(HistoryFilter.ALL.limit(1)).first().id() }

            val second = thread.awaitUpdate(update { Notes.title set "new" }, "ada", "a better one").id()
            val third = thread.awaitUpdate(listOf(Amendment.of(update { Notes.log += "c" }, "ada", null))).single().id()
            val fourth = thread.awaitUpdateAs("a", update { Notes.log += "as a" }, "ada").id()

            assertThat(thread.awaitState(first)!!.position().state()[Notes.title]).isEmpty()
            assertThat(thread.awaitDiff(first, second).keys).containsExactly("title")
            assertThat(thread.awaitDiff(second, third).keys).containsExactly("log")
            assertThat(thread.awaitState()!!.checkpoint().id()).isEqualTo(fourth)
            assertThat(thread.await(Resume.GO_ON).log).containsExactly("a", "b", "c", "as a", "b")
        }

        @Test
        fun areMergedAndCopied() = runTest {
            thread.await()
            val base: CheckpointId = thread.checkpoints().first().id()
            val ours = thread.awaitUpdate(update { Notes.title set "ours" }, "ada").id()
            thread.awaitFork(base, update { Notes.title set "theirs" })

            thread.awaitMerge(ours, "ada", decided = mapOf("title" to Merge.Winner.THEIRS))
            thread.awaitCopyTo("copy", thread.awaitState()!!.checkpoint().id(), "ada")

            assertThat(runner().thread("copy").awaitState()!!.position().state()[Notes.title]).isEqualTo("ours")
        }

        @Test
        fun areAnswered() = runTest {
            val asking = graph("asking", Notes) {
                node("a") { update { Notes.title set ask("title", Question.text("Which?")) } }
                START then "a" then END
            }.runner { checkpoints(store) }.thread("asking")

            assertThat(asking.events().last()).isInstanceOf(RunInterrupted::class.java)
            assertThat(asking.openQuestions().toList().map { it.key() }).containsExactly("title")
            assertThat(asking.awaitAnswer("title", "Emma", by = "ada").by()).isEqualTo("ada")
            assertThat(asking.await(Resume.GO_ON).state()[Notes.title]).isEqualTo("Emma")
        }

        @Test
        fun areSettledAndRecovered() = runTest {
            val asking = graph("asking", Notes) {
                node("a") {
                    val question = Question.text("Which?").within(Duration.ofNanos(1), "none")
                    update { Notes.title set ask("title", question) }
                }
                START then "a" then END
            }.runner { checkpoints(store) }
            asking.thread("asking").await()

            assertThat(asking.settlements().toList().map { it.answer()?.value() }).containsExactly("none")
            assertThat(asking.recoveries { true }.toList()).isEmpty()
        }

        @Test
        fun areRemoved() = runTest {
            thread.await()

            assertThat(thread.awaitPrune(Retention.last(1))).isEqualTo(2)
            assertThat(thread.awaitDelete()).isEqualTo(1)
            assertThat(thread.awaitState()).isNull()
        }
    }
}
