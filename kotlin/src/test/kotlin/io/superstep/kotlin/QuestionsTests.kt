package io.superstep.kotlin

import io.superstep.event.GraphEvent.QuestionAsked
import io.superstep.graph.Graph
import io.superstep.question.InvalidAnswerException
import io.superstep.question.InvalidQuestionException
import io.superstep.question.Prompt
import io.superstep.question.Question
import io.superstep.reactor.GraphThread
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.Resume
import io.superstep.reactor.RunResult
import java.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.filterIsInstance
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

class QuestionsTests {

    private object Paper : Schema() {
        val log by list<String>()
        val published by value<Boolean>()
    }

    enum class Tone { CALM, SHARP }

    @JvmInline
    value class Name(val text: String)

    data class Review(val tone: Tone, val grade: Int)

    @JvmRecord
    data class Mark(val grade: Int)

    data class Report(
        val by: Name,
        val reviews: List<Review>,
        val remark: String?,
        val mark: Mark,
        val copies: Int = 3,
        val second: Review? = null,
    )

    data class Positive(val number: Int) {
        init {
            require(number > 0)
        }
    }

    private fun asking(action: suspend SuspendScope.() -> Any?): GraphThread {
        val graph: Graph = graph("paper", Paper) {
            node("ask") {
                val answer = action()
                update { Paper.log += "$answer" }
            }
            START then "ask" then END
        }
        return graph.runner { checkpoints(InMemoryCheckpointStore()) }.thread("t")
    }

    private val RunResult.log: List<String> get() = state()[Paper.log]

    @Test
    fun askingEndsTheTaskAndAnAnswerGoesOn() = runTest {
        val thread = asking { ask("publish", Question.yesNo("Publish?")) }

        val waiting = thread.await()
        val done = thread.await(Resume.answer("publish", true).by("ada"))

        assertThat(waiting.status()).isEqualTo(RunResult.Status.INTERRUPTED)
        assertThat(waiting.questions().map { it.key() }).containsExactly("publish")
        assertThat(done.log).containsExactly("true")
    }

    @Test
    fun theTypeOfAnAnswerIsSaidInPlace() = runTest {
        val thread = asking { ask<Boolean>("a", "Sure?") to ask<List<Tone>>("b", "Which?") to ask<Review>("c", "Well?") }

        thread.await()
        thread.await(Resume.answer("a", false))
        thread.await(Resume.answer("b", listOf("SHARP")))
        val done = thread.await(Resume.answer("c", mapOf("tone" to "CALM", "grade" to 2)))

        assertThat(done.log).containsExactly("((false, [SHARP]), Review(tone=CALM, grade=2))")
    }

    @Test
    fun dataClassesAreAnsweredAsTheirProperties() = runTest {
        val thread = asking { ask<Report>("report", "Well?") }
        val answer = mapOf("by" to "ada", "reviews" to listOf(mapOf("tone" to "CALM", "grade" to 2)), "mark" to mapOf("grade" to 1))
        val whole = Report(Name("ada"), listOf(Review(Tone.CALM, 2)), "fine", Mark(1), 5, Review(Tone.SHARP, 1))
        thread.await()

        val branch = thread.checkpoints().first().id()
        val left = thread.await(Resume.answer("report", answer)).log
        thread.awaitFork(branch)
        val given = thread.await(answers("report" to whole)).log

        assertThat(left).containsExactly("${Report(Name("ada"), listOf(Review(Tone.CALM, 2)), null, Mark(1))}")
        assertThat(given).containsExactly("$whole")
    }

    @Test
    fun whatIsNoAnswerIsRefusedBeforeItIsKept() = runTest {
        val thread = asking { ask<Report>("report", "Well?") }
        thread.await()

        val missing = runCatching { thread.awaitAnswer("report", mapOf("by" to "ada"), "ada") }.exceptionOrNull()
        val other = runCatching { thread.awaitAnswer("report", Mark(1), "ada") }.exceptionOrNull()

        assertThat(missing).isInstanceOf(InvalidAnswerException::class.java).hasMessageContaining("Field 'reviews' of the answer is missing;")
        assertThat(other).isInstanceOf(InvalidAnswerException::class.java).hasMessageContaining("has no field 'grade'")
    }

    @Test
    fun whatAConstructorRefusesIsNoAnswer() = runTest {
        val thread = asking { ask<Positive>("number", "How many?") }
        thread.await()

        val error = runCatching { thread.await(Resume.answer("number", mapOf("number" to 0))) }.exceptionOrNull()

        assertThat(error).hasCauseInstanceOf(InvalidAnswerException::class.java)
            .hasRootCauseMessage("Failed requirement.")
    }

    @Test
    fun whatCannotBeAnAnswerIsNoQuestion() {
        assertThatThrownBy { question<Pair<Int, String>>("Which?") }.isInstanceOf(IllegalArgumentException::class.java)
        assertThatThrownBy { question<List<*>>("Which?") }.isInstanceOf(IllegalArgumentException::class.java)
        assertThatThrownBy { question<Thread>("Which?") }.isInstanceOf(IllegalArgumentException::class.java)
    }

    @Test
    fun dataClassesAreShownAndAnsweredInTime() {
        val asked = question<Review>("Well?")
            .showing("last" to Review(Tone.CALM, 2), "by" to Name("ada"), "all" to listOf(Mark(1)))
            .within(5.minutes, Review(Tone.SHARP, 1))
            .prompt()

        assertThat(asked.shown()).isEqualTo(
            mapOf("last" to mapOf("tone" to "CALM", "grade" to 2), "by" to "ada", "all" to listOf(mapOf("grade" to 1))),
        )
        assertThat(asked.deadline()).isEqualTo(
            Prompt.Deadline(Duration.ofMinutes(5), mapOf("tone" to "SHARP", "grade" to 1L)),
        )
    }

    @Test
    fun nothingCanBeAnAnswer() = runTest {
        val thread = asking { askOrNull("why", question<String>("Why?").orNothing()) }

        thread.await()

        assertThat(thread.await(Resume.answer("why", null)).log).containsExactly("null")
    }

    @Test
    fun severalAreAskedAtOnce() = runTest {
        val thread = asking {
            val answers = askAll("a" to question<Int>("How many?"), "b" to question<String>("Who?"))
            "${answers["a", Int::class.javaObjectType]} ${answers["b", String::class.java]}"
        }

        val asked = thread.events().filterIsInstance<QuestionAsked>().map { it.question().key() }.toList()
        val done = thread.await(Resume.answers(mapOf("a" to 2, "b" to "ada")))

        assertThat(asked).containsExactly("a", "b")
        assertThat(done.log).containsExactly("2 ada")
    }

    @Test
    fun whoeverAsksWhileWritingIsHeard() = runTest {
        val graph = graph("paper", Paper) {
            node("ask") { update { Paper.published set ask("publish", Question.yesNo("Publish?")) } }
            START then "ask" then END
        }
        val thread = graph.runner { checkpoints(InMemoryCheckpointStore()) }.thread("t")

        thread.await()

        assertThat(thread.await(Resume.answer("publish", true)).state()[Paper.published]).isTrue
    }

    @Test
    fun theCoroutineThatAsksIsCancelledAndWhatItSwallowsIsNotHeard() = runTest {
        val swallowed = CompletableDeferred<Throwable>()
        val thread = asking {
            try {
                async { ask("publish", Question.yesNo("Publish?")) }.await()
            } catch (stopped: CancellationException) {
                swallowed.complete(stopped)
                "swallowed"
            }
        }

        val waiting = thread.await()

        assertThat(swallowed.await()).isInstanceOf(CancellationException::class.java)
        assertThat(waiting.status()).isEqualTo(RunResult.Status.INTERRUPTED)
        assertThat(waiting.log).isEmpty()
        assertThat(thread.await(Resume.answer("publish", false)).log).containsExactly("false")
    }

    @Test
    fun aStreamingNodeAsksToo() = runTest {
        val graph = graph("paper", Paper) {
            flow("ask") {
                chunk("may I?")
                val yes = ask<Boolean>("publish", "Publish?")
                emit(update { Paper.published set yes })
            }
            START then "ask" then END
        }
        val thread = graph.runner { checkpoints(InMemoryCheckpointStore()) }.thread("t")

        thread.await()

        assertThat(thread.await(Resume.answer("publish", true)).state()[Paper.published]).isTrue
    }

    @Test
    fun aQuestionThatIsAskedTwiceIsAnError() = runTest {
        val thread = asking { ask<String>("a", "One?") + ask<String>("a", "Two?") }
        thread.await()

        val error = runCatching { thread.await(Resume.answer("a", "x")) }.exceptionOrNull()

        assertThat(error).hasCauseInstanceOf(InvalidQuestionException::class.java)
    }
}
