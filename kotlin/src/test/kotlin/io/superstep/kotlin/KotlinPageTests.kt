package io.superstep.kotlin

import io.superstep.event.GraphEvent
import io.superstep.graph.Graph
import io.superstep.message.Message
import io.superstep.question.Question
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.Resume
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.readText
import kotlin.time.Duration.Companion.days
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.last
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.reactor.asCoroutineContext
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import reactor.core.publisher.Mono
import reactor.util.context.Context

/** The code of docs/kotlin.md, as it stands there. */
class KotlinPageTests {

    object Paper : Schema() {
        val title by value("untitled")
        val author by value<String> { writeOnce() }
        val notes by list<String>()
        val talk by messages()
        val words by sum<Int>()
        val tags by set<String> { upTo(10_000) }
        val chapter by value("") { argument() }

        init {
            input(title, author, notes)
            check("title", "must not be blank") { state -> state[title].isNotBlank() }
        }
    }

    private object Library {
        suspend fun find(what: String): String {
            delay(10)
            return what
        }

        fun stream(): Flow<String> = flowOf("Once ", "upon")

        fun lookUp(): Mono<String> = Mono.just("looked up")
    }

    private fun paper(): Graph {
        val paper = graph("paper", Paper) {
            node("plan") { state ->
                val first = async { Library.find("first") }
                val second = async { Library.find(state[Paper.title]) }
                update { Paper.notes += listOf(first.await(), second.await()) }
            }
            flow("write") {
                chunk("…")
                Library.stream().into(Paper.talk) { Message.ai(it) }
                emit(update { Paper.words += 2 })
            }
            mono("check") { Library.lookUp().map { found -> update { Paper.notes += found } } }
            compute("count") { state -> update { Paper.title set "${state[Paper.words]} words" } }
            node("chapter") { state -> update { Paper.tags += setOf(state[Paper.chapter]) } }
            node("finish") { goTo(END) { Paper.notes += "done" } }

            START then "plan" then all("write", "check") then "count"
            fanOut("count", to("chapter")) { listOf("one", "two").map { name -> send("chapter") { Paper.chapter set name } } }
            "chapter" then "finish"
            mayGoTo("finish", END)

            policy("check") {
                attempts = 3
                backoff(100.milliseconds, 5.seconds)
                retryOn { error -> error is IOException }
                timeout = 1.minutes
            }
            handler("write") { _, failure -> update { Paper.notes += "no text: ${failure.error.message}" } }
        }
        return paper
    }

    @Test
    fun theGraphRunsAsWritten() = runTest {
        val paper = paper()

        val thread = paper.runner { checkpoints(InMemoryCheckpointStore()) }.thread("paper-1")
        val result = thread.await(update { Paper.title set "Emma" })
        thread.events(Resume.GO_ON).collect { event -> println(line(event)) }
        val first = thread.checkpoints().last().id
        val branch = thread.awaitFork(first, update { Paper.title set "Persuasion" })

        assertThat(result.state[Paper.notes]).containsExactly("first", "Emma", "looked up", "done")
        assertThat(result.state[Paper.title]).isEqualTo("2 words")
        assertThat(result.state[Paper.tags]).containsExactly("one", "two")
        assertThat(branch.state[Paper.notes]).contains("Persuasion")
    }

    fun line(event: GraphEvent): String? = when (event) {
        is GraphEvent.TaskChunk -> event.content.toString()
        is GraphEvent.StepCommitted -> "step ${event.step}"
        is GraphEvent.QuestionAsked -> "? ${event.question.prompt.text}"
        is GraphEvent.Terminal -> "ended"
        is GraphEvent.RunStarted, is GraphEvent.RunResumed, is GraphEvent.StepStarted, is GraphEvent.TaskStarted,
        is GraphEvent.TaskUpdated, is GraphEvent.TaskRetried, is GraphEvent.TaskCompleted, is GraphEvent.TaskFailed,
        is GraphEvent.Warning, is GraphEvent.CheckpointSaved, is GraphEvent.QuestionAnswered, is GraphEvent.RunFailed,
        is GraphEvent.ThreadUpdated, is GraphEvent.StateSnapshot,
        -> null
    }

    @Test
    fun questionsAreAskedAsWritten() = runTest {
        val asking = graph("asking", Paper) {
            node("editor") {
                val publish = ask<Boolean>("publish", "Publish?")
                val title = askOrNull("title", Question.text("Under which title?").orNothing())
                update {
                    Paper.notes += if (publish) "published" else "kept"
                    if (title != null) Paper.title set title
                }
            }
            START then "editor" then END
        }
        val thread = asking.runner { checkpoints(InMemoryCheckpointStore()) }.thread("t")

        thread.await()
        thread.await(Resume.answer("publish", true).by("ada"))

        assertThat(thread.await(Resume.answer("title", "Emma")).state[Paper.title]).isEqualTo("Emma")
    }

    data class Review(val publish: Boolean, val remark: String = "none")

    @Test
    fun dataClassesAreAskedForAsWritten() = runTest {
        val asking = graph("asking", Paper) {
            node("editor") { state ->
                val question = question<Review>("Publish?").showing("title" to state[Paper.title]).within(2.days, Review(false))
                val review = ask("review", question)
                update { Paper.notes += "$review" }
            }
            START then "editor" then END
        }
        val thread = asking.runner { checkpoints(InMemoryCheckpointStore()) }.thread("t")

        thread.await()
        val result =
            thread.await(answers("review" to mapOf("publish" to true), by = "ada"))

        assertThat(result.state[Paper.notes]).containsExactly("Review(publish=true, remark=none)")
    }

    @Test
    fun contextsTravelAsWritten() = runTest {
        val looking = graph("looking", Paper) {
            node("look") {
                val user: String = currentCoroutineContext()[ReactorContext]!!.context.get("user")
                val name = currentCoroutineContext()[CoroutineName]?.name
                update { Paper.notes += "$user $name" }
            }
            START then "look" then END
        }
        val runner = looking.runner()
        val result = withContext(CoroutineName("ada's") + Context.of("user", "ada").asCoroutineContext()) { runner.await() }

        assertThat(result.state[Paper.notes]).containsExactly("ada ada's")
    }

    data class Chapter(val title: String, val pages: Int = 1)

    sealed interface Status {
        data class Waiting(val forWhom: String) : Status
        data object Done : Status
    }

    object Book : Schema() {
        val chapters by list<Chapter>()
        val status by value<Status>(Status.Waiting("the author"))
    }

    @Test
    fun valuesAreStoredAsWritten() {
        val codec = Book.jsonCodec()
        val state = Book.stateSchema().start()

        assertThat(codec.decode(codec.encode(state))).isEqualTo(state)
    }

    @Test
    fun everyLineOfThePagesCodeStandsInThisTest() {
        val test = Path.of("src/test/kotlin/io/superstep/kotlin/KotlinPageTests.kt").readText()
        val page = Path.of("../docs/kotlin.md").readText()

        val lines = Regex("```kotlin\n(.*?)```", RegexOption.DOT_MATCHES_ALL).findAll(page)
            .flatMap { block -> block.groupValues[1].lines() }
            .map { line -> line.replace(Regex("\\s*(//.*)?$"), "").trim() }
            .filter { it.isNotEmpty() }
            .toList()

        assertThat(lines).hasSizeGreaterThan(50).allSatisfy { line -> assertThat(test).contains(line) }
    }
}
