package io.superstep.kotlin

import io.superstep.event.GraphEvent.StepCommitted
import io.superstep.event.GraphEvent.TaskChunk
import io.superstep.reactor.RunOptions
import io.superstep.state.Update
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.filterIsInstance
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import reactor.test.StepVerifier

class BackpressureTests {

    private object Notes : Schema() {
        val log by list<String>()
        val number by value(0)
    }

    private val said = AtomicInteger()

    private val speaking = graph("speaking", Notes) {
        flow("say") { repeat(100) { chunk(said.incrementAndGet()) } }
        START then "say" then END
    }

    @Test
    fun aSlowCollectorSlowsTheNode() = runTest {
        var taken = 0

        speaking.runner().events().filterIsInstance<TaskChunk>().collect {
            taken++
            delay(1.seconds)
            assertThat(said.get()).isLessThanOrEqualTo(taken + 1)
        }

        assertThat(taken).isEqualTo(100)
    }

    @Test
    fun whatMayBeInHandIsAnOption() = runTest {
        var taken = 0

        speaking.runner().events(Update.NOTHING, RunOptions.NONE.prefetch(8)).filterIsInstance<TaskChunk>().collect {
            taken++
            delay(1.seconds)
            assertThat(said.get()).isBetween(minOf(100, taken + 1), taken + 8)
        }
    }

    @Test
    fun aNodeSaysNothingThatNobodyAskedFor() {
        StepVerifier.create(speaking.runner().stream(Update.NOTHING), 0)
            .expectSubscription()
            .thenRequest(4)
            .expectNextCount(4)
            .then { assertThat(said.get()).isLessThanOrEqualTo(2) }
            .thenRequest(2)
            .expectNextCount(2)
            .then { assertThat(said.get()).isLessThanOrEqualTo(4) }
            .thenCancel()
            .verify()
    }

    @Test
    fun aStepStartsWhenEverythingBeforeItWasCollected() = runTest {
        val steps = AtomicInteger()
        val chain = graph("chain", Notes) {
            node("a") { update { Notes.log += "${steps.incrementAndGet()}" } }
            node("b") { update { Notes.log += "${steps.incrementAndGet()}" } }
            START then "a" then "b" then END
        }

        chain.runner().events().collect { event ->
            delay(1.seconds)
            if (event is StepCommitted) {
                assertThat(steps).hasValue(event.step())
            }
        }

        assertThat(steps).hasValue(2)
    }

    @Test
    fun nothingHappensBeforeSomebodyCollects() = runTest {
        val events = speaking.runner().events()

        assertThat(said).hasValue(0)
        assertThat(events.take(1).toList()).hasSize(1)
        assertThat(said).hasValue(0)
    }

    @Test
    fun everyCollectionIsARunOfItsOwn() = runTest {
        val events = speaking.runner().events()

        events.collect()
        events.collect()

        assertThat(said).hasValue(200)
    }

    @Test
    fun inputsAreTakenWhenTheirResultsAre() = runTest {
        val given = AtomicInteger()
        val echo = graph("echo", Notes) {
            node("a") { state -> update { Notes.log += "${state[Notes.number]}" } }
            START then "a" then END
        }
        val inputs = flow { repeat(50) { emit(update { Notes.number set given.incrementAndGet() }) } }
        var taken = 0

        val results = echo.runner().results(inputs, concurrency = 2).onEach {
            taken++
            delay(1.seconds)
            assertThat(given.get()).isLessThanOrEqualTo(taken + 2)
        }.toList()

        assertThat(results.flatMap { it.state()[Notes.log] }).isEqualTo((1..50).map { "$it" })
    }
}
