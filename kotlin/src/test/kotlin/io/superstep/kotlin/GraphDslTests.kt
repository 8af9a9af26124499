package io.superstep.kotlin

import io.superstep.event.GraphEvent
import io.superstep.event.GraphEvent.TaskChunk
import io.superstep.event.GraphEvent.TaskCompleted
import io.superstep.graph.Backoff
import io.superstep.graph.Chunk
import io.superstep.graph.Graph
import io.superstep.graph.InvalidGraphException
import io.superstep.graph.MultiRouter
import io.superstep.graph.NodePolicy
import io.superstep.graph.Router
import io.superstep.graph.Send
import io.superstep.graph.SendRouter
import io.superstep.reactor.NodeTimeoutException
import io.superstep.reactor.RunOptions
import io.superstep.reactor.RunResult
import io.superstep.reactor.Stop
import io.superstep.reactor.Tokens
import io.superstep.state.InvalidUpdateException
import io.superstep.state.State
import io.superstep.state.Update
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.filterIsInstance
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Nested
import org.junit.jupiter.api.Test
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono
import reactor.test.scheduler.VirtualTimeScheduler

@OptIn(ExperimentalCoroutinesApi::class)
class GraphDslTests {

    private object Notes : Schema() {
        val log by list<String>()
        val count by sum<Int>()
        val round by value(0)
        val part by value("") { argument() }
    }

    private val user = runKey<String>("user")

    private fun notes(build: GraphScope.() -> Unit): Graph = graph("notes", Notes, build)

    private fun GraphScope.named(vararg names: String) =
        names.forEach { name -> node(name) { update { Notes.log += name } } }

    private val RunResult.log: List<String> get() = state()[Notes.log]

    @Nested
    inner class Nodes {

        @Test
        fun suspend() = runTest {
            val slow = notes {
                node("slow") { state ->
                    delay(1.minutes)
                    update { Notes.log += "after ${state[Notes.round]}" }
                }
                START then "slow" then END
            }

            val result = slow.runner().await(update { Notes.round set 7 })

            assertThat(result.log).containsExactly("after 7")
            assertThat(currentTime).isEqualTo(60_000)
        }

        @Test
        fun streamAsAFlow() = runTest {
            val streaming = notes {
                flow("say") {
                    chunk("a")
                    emit(Chunk("b"))
                    emit(update { Notes.log += "ab" })
                    emitAll(Flux.just(Chunk("c"), Update.append(Notes.log, "c")))
                }
                START then "say" then END
            }

            val events = streaming.runner().events().toList()

            assertThat(events.filterIsInstance<TaskChunk>().map { it.content() }).containsExactly("a", "b", "c")
            assertThat((events.last() as GraphEvent.Terminal).state()[Notes.log]).containsExactly("ab", "c")
        }

        @Test
        fun streamAText() = runTest {
            val speaking = notes {
                flow("say") { flowOf("Hel", "lo").into(Notes.log) { "$it!" } }
                START then "say" then END
            }

            val events = speaking.runner().events().toList()

            assertThat(events.filterIsInstance<TaskChunk>().map { it.content() }).containsExactly("Hel", "lo")
            assertThat((events.last() as GraphEvent.Terminal).state()[Notes.log]).containsExactly("Hello!")
        }

        @Test
        fun keepAPartOfATextThatBreaks() = runTest {
            val breaking = notes {
                flow("say") {
                    flow {
                        emit("Hel")
                        error("line lost")
                    }.intoKeepingPart(Notes.log) { text, ending -> "$text (${ending.reason()})" }
                }
                START then "say" then END
            }

            assertThat(breaking.runner().await().log).containsExactly("Hel (stream_error)")
        }

        @Test
        fun returnAMonoOrAFlux() = runTest {
            val reactive = notes {
                mono("one") { Mono.just(update { Notes.log += node }) }
                flux("many") { Flux.just(update { Notes.log += "x" }, update { Notes.log += "y" }) }
                flux("tokens") { Tokens.from(Flux.just("a", "b")).into(Notes.log) { it } }
                START then "one" then "many" then "tokens" then END
            }

            assertThat(reactive.runner().await().log).containsExactly("one", "x", "y", "ab")
        }

        @Test
        fun areFunctions() = runTest {
            val functions = notes {
                compute("quick") { update { Notes.log += node } }
                blocking("slow") { update { Notes.log += Thread.currentThread().name.substringBefore("-") } }
                START then "quick" then "slow" then END
            }

            assertThat(functions.runner().await().log).containsExactly("quick", "superstep")
        }

        @Test
        fun knowTheirTask() = runTest {
            val knowing = notes {
                node("a") {
                    update { Notes.log += listOf(node, taskId, "$attempt", "$remainingSteps", this@node[user]) }
                }
                node("b") { update { Notes.log += "${find(user)} ${find(runKey<Int>("other"))} $isStopping" } }
                START then "a" then "b" then END
            }

            val result = knowing.runner().await(options = RunOptions.NONE.steps(5).with(user, "ada"))

            assertThat(result.log).containsExactly("a", "run-1/1/0/a", "1", "4", "ada", "ada null false")
        }

        @Test
        fun hearThatTheRunIsToStop() = runTest {
            val stop = Stop()
            val started = CompletableDeferred<Unit>()
            val waiting = notes {
                node("a") {
                    started.complete(Unit)
                    awaitStopping()
                    update { Notes.log += "stopping $isStopping" }
                }
                named("b")
                START then "a" then "b" then END
            }
            launch {
                started.await()
                stop.request()
            }

            val result = waiting.runner().await(options = RunOptions.NONE.stoppedBy(stop))

            assertThat(result.status()).isEqualTo(RunResult.Status.STOPPED)
            assertThat(result.log).containsExactly("stopping true")
        }

        @Test
        fun areGraphs() = runTest {
            val inner = notes {
                named("a")
                START then "a" then END
            }
            val outer = notes {
                subgraph("shared", inner)
                subgraph(
                    "mapped",
                    inner,
                    into = { state -> update { Notes.log += "was ${state[Notes.log].size}" } },
                    outOf = { state -> update { Notes.log += state[Notes.log].joinToString("+") } },
                )
                START then "shared" then "mapped" then END
            }

            assertThat(outer.runner().await().log).containsExactly("a", "was 1+a")
        }
    }

    @Nested
    inner class Ways {

        @Test
        fun edgesAreAChain() {
            val chain = notes {
                named("a", "b")
                START then "a" then "b" then END
            }
            val edges = notes {
                named("a", "b")
                edge(START, "a")
                edge("a", "b")
                edge("b", END)
            }

            assertThat(chain.fingerprint()).isEqualTo(edges.fingerprint())
        }

        @Test
        fun aChainPartsAndJoins() {
            val chain = notes {
                named("a", "b", "c", "d")
                START then "a" then all("b", "c") then "d" then END
            }
            val calls = notes {
                named("a", "b", "c", "d")
                START then "a"
                "a" then "b"
                "a" then "c"
                join(all("b", "c"), "d")
                "d" then END
            }

            assertThat(chain.fingerprint()).isEqualTo(calls.fingerprint())
        }

        @Test
        fun routesChooseOneSomeOrSend() = runTest {
            val routed = notes {
                named("a", "b", "c", "d")
                node("work") { state -> update { Notes.log += "work ${state[Notes.part]}" } }
                START then "a"
                route("a", to("b", END)) { state -> if (state[Notes.round] == 0) "b" else END }
                routeAll("b", to("c", "d")) { listOf("c", "d") }
                fanOut("c", to("work")) { listOf(send("work") { Notes.part set "x" }, send("work")) }
                "d" then END
                "work" then END
            }

            assertThat(routed.runner().await().log).containsExactly("a", "b", "c", "d", "work x", "work ")
            assertThat(routed.runner().await(update { Notes.round set 1 }).log).containsExactly("a")
        }

        @Test
        fun commandsGoWhereTheyMay() = runTest {
            val commanding = notes {
                node("a") {
                    command {
                        Notes.log += "a"
                        goTo("c")
                        send("work") { Notes.part set "y" }
                    }
                }
                named("b", "c")
                node("work") { state -> update { Notes.log += "work ${state[Notes.part]}" } }
                mayGoTo("a", "c", "work")
                START then "a" then "b" then END
                "c" then END
                "work" then END
            }

            assertThat(commanding.runner().await().log).containsExactly("a", "c", "work y")
        }

        @Test
        fun limitsHold() = runTest {
            val loop = notes {
                named("again", "enough")
                START then "again" then "again"
                maxVisits("again", 3, "enough")
                "enough" then END
            }

            assertThat(loop.runner().await().log).containsExactly("again", "again", "again", "enough")
        }

        @Test
        fun pausesHold() = runTest {
            val paused = notes {
                named("a", "b", "c")
                START then "a" then "b" then "c" then END
                interruptBefore("b")
                interruptAfter("b")
            }
            val runner = paused.runner()

            val first = runner.await()
            val second = runner.await(first.position())
            val third = runner.await(second.position())

            assertThat(listOf(first, second, third).map(RunResult::status)).containsExactly(
                RunResult.Status.INTERRUPTED,
                RunResult.Status.INTERRUPTED,
                RunResult.Status.COMPLETED,
            )
            assertThat(listOf(first, second, third).map { it.log.size }).containsExactly(1, 2, 3)
        }

        @Test
        fun deferredNodesWait() = runTest {
            val deferring = notes {
                named("a", "b", "z")
                START then "a" then "b" then END
                START then "z" then END
                defer("z")
            }

            assertThat(deferring.runner().await().log).containsExactly("a", "b", "z")
        }

        @Test
        fun writersKeepTheirWord() = runTest {
            val breaking = notes {
                node("a") { update { Notes.count += 1 } }
                writes("a", Notes.log)
                START then "a" then END
            }

            val error = runCatching { breaking.runner().await() }.exceptionOrNull()

            assertThat(error).isInstanceOf(InvalidUpdateException::class.java).hasMessageContaining("writes(\"a\", ...)")
        }
    }

    @Nested
    inner class Policies {

        @Test
        fun areTheDataThatJavaHas() {
            val retry: (Throwable) -> Boolean = { it is IllegalStateException }
            val said = policy {
                attempts = 3
                backoff(100.milliseconds, 2.seconds, jitter = 0.5)
                retryOn(retry)
                timeout = 5.seconds
                idleTimeout = 1.seconds
                concurrency = 2
                actingOutside()
            }

            assertThat(said).usingRecursiveComparison().ignoringFields("retryOn").isEqualTo(
                NodePolicy.retry(3)
                    .backoff(Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), 0.5))
                    .timeout(Duration.ofSeconds(5))
                    .idleTimeout(Duration.ofSeconds(1))
                    .concurrency(2)
                    .actingOutside(),
            )
            assertThat(said.retryOn()!!.test(IllegalStateException())).isTrue
            assertThat(said.retryOn()!!.test(IllegalArgumentException())).isFalse
            assertThat(policy {}).isEqualTo(NodePolicy.NONE)
        }

        @Test
        fun aFailedAttemptIsRepeated() = runTest {
            val flaky = notes {
                node("flaky") {
                    check(attempt == 3) { "attempt $attempt" }
                    update { Notes.log += "third" }
                }
                START then "flaky" then END
                defaults { attempts = 3 }
            }

            assertThat(flaky.runner().await().log).containsExactly("third")
        }

        @Test
        fun aNodeThatTakesTooLongIsCutOffAndHandled() = runTest {
            val time = VirtualTimeScheduler.create()
            val cancelled = CompletableDeferred<Unit>()
            val slow = notes {
                node("slow") {
                    try {
                        launch { time.advanceTimeBy(Duration.ofSeconds(5)) }
                        awaitCancellation()
                    } finally {
                        cancelled.complete(Unit)
                    }
                }
                policy("slow") { timeout = 5.seconds }
                handler("slow") { _, failure ->
                    delay(1.seconds)
                    update { Notes.log += "${failure.node()} ${failure.error() is NodeTimeoutException}" }
                }
                START then "slow" then END
            }

            assertThat(slow.runner { timer(time) }.await().log).containsExactly("slow true")
            assertThat(cancelled.isCompleted).isTrue
        }

        @Test
        fun anAnswerIsKept() = runTest {
            val calls = AtomicInteger()
            val cached = notes {
                node("costly") { update { Notes.count += calls.incrementAndGet() } }
                policy("costly") { cache(ttl = 1.minutes, maxEntries = 10) { state -> state[Notes.round] to find(user) } }
                START then "costly" then END
            }
            val runner = cached.runner()

            val hits = List(3) { runner.events().filterIsInstance<TaskCompleted>().map { it.cached() }.toList() }
            runner.await(options = RunOptions.NONE.with(user, "ada"))

            assertThat(hits.flatten()).containsExactly(false, true, true)
            assertThat(calls).hasValue(2)
        }

        @Test
        fun nodesAreLimitedInNumber() = runTest {
            val running = AtomicInteger()
            val most = AtomicInteger()
            val crowded = notes {
                named("a")
                node("work") {
                    most.accumulateAndGet(running.incrementAndGet(), ::maxOf)
                    delay(1.seconds)
                    running.decrementAndGet()
                    update { Notes.count += 1 }
                }
                policy("work") { concurrency = 2 }
                START then "a"
                fanOut("a", to("work")) { List(6) { send("work") } }
                "work" then END
            }

            assertThat(crowded.runner().await().state()[Notes.count]).isEqualTo(6)
            assertThat(most).hasValue(2)
            assertThat(currentTime).isEqualTo(3_000)
        }
    }

    @Test
    fun aGraphIsCheckedAsAWholeAndInTheWordsOfTheUser() {
        assertThatThrownBy {
            notes {
                named("a")
                "a" then "b"
            }
        }.isInstanceOf(InvalidGraphException::class.java)
            .hasMessageContaining("No node is connected to the start")
            .hasMessageContaining("Node 'b' does not exist")
            .hasMessageContaining("edge(\"a\", \"b\")")
    }

    @Test
    fun nothingThatIsCalledInARunCanAddToTheGraph() = runTest {
        val late = notes {
            named("a", "b")
            START then "a"
            "b" then END
            route("a", to("b")) { _ ->
                edge("b", "a")
                "b"
            }
        }

        val error = runCatching { late.runner().await() }.exceptionOrNull()

        assertThat(error).rootCause().isInstanceOf(IllegalStateException::class.java)
            .hasMessageContaining("The graph is already built")
    }

    @Test
    fun routersOfJavaAreRouters() = runTest {
        val one = Router { "b" }
        val some = MultiRouter { listOf("c") }
        val sending = SendRouter { listOf(Send.to("d")) }
        val next: (State) -> String = { END }
        val routed = notes {
            named("a", "b", "c", "d")
            START then "a"
            route("a", to("b"), one)
            routeAll("b", to("c"), some)
            fanOut("c", to("d"), sending)
            route("d", to(END), next)
        }

        assertThat(routed.runner().await().log).containsExactly("a", "b", "c", "d")
    }

    @Test
    fun channelsCanBeDeclaredInTheGraph() = runTest {
        val small = graph("small") {
            channels(Notes.log, Notes.round, Notes.count)
            input(Notes.round)
            output(Notes.log)
            check("count", "must not be negative") { state -> state[Notes.count] >= 0 }
            node("a") { state -> update { Notes.log += "a"; Notes.count += state[Notes.round] } }
            START then "a" then END
        }

        assertThat(small.runner().await().output()).isEqualTo(mapOf("log" to listOf("a")))
        assertThat(runCatching { small.runner().await(update { Notes.round set -1 }) }.exceptionOrNull())
            .hasMessageContaining("must not be negative")
    }

    @Test
    fun aSchemaCanBeNamedInTheGraph() {
        val inside = graph("notes") {
            schema(Notes)
            named("a")
            START then "a" then END
        }

        assertThat(inside.schema()).isSameAs(Notes.stateSchema())
    }

    @Test
    fun whatTheScopeHasNoWordForIsSaidToTheBuilder() {
        val sequence = notes {
            named("a", "b")
            builder.sequence(START, "a", "b", END)
        }

        assertThat(sequence.nodes()).hasSize(2)
    }

    @Test
    fun aHundredThousandStepsOfASuspendingNodeNeedNoStack() = runTest {
        val loop = notes {
            node("tick") { update { Notes.count += 1 } }
            START then "tick"
            route("tick", to("tick", END)) { state -> if (state[Notes.count] < 100_000) "tick" else END }
        }
        val many = RunOptions.NONE.steps(1_000_000).iterations(1_000_000)

        assertThat(JavaDebate.run(loop, Update.NOTHING, many).state()[Notes.count]).isEqualTo(100_000)
    }
}
