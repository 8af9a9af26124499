package io.superstep.kotlin

import io.superstep.event.GraphEvent
import io.superstep.graph.Graph
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.InMemoryEventLog
import io.superstep.reactor.RunResult
import java.time.Duration
import java.util.concurrent.Executors
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ThreadContextElement
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.last
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.reactor.asCoroutineContext
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import reactor.core.publisher.Mono
import reactor.util.context.Context

class ContextsTests {

    private object Notes : Schema() {
        val log by list<String>()
    }

    private val RunResult.log: List<String> get() = state()[Notes.log]

    private suspend fun user(): String? = currentCoroutineContext()[ReactorContext]?.context?.getOrEmpty<String>("user")?.orElse(null)

    private suspend fun name(): String? = currentCoroutineContext()[CoroutineName]?.name

    /** Every kind of node tells what [look] finds. */
    private fun looking(look: suspend () -> String?): Graph {
        val inner = graph("inner", Notes) {
            node("inside") { update { Notes.log += "inside ${look()}" } }
            START then "inside" then END
        }
        return graph("looking", Notes) {
            node("node") { update { Notes.log += "node ${look()}" } }
            flow("flow") { emit(update { Notes.log += "flow ${look()}" }) }
            node("bad") { error("bad") }
            handler("bad") { _, _ -> update { Notes.log += "handler ${look()}" } }
            subgraph("inner", inner)
            node("retried") { update { Notes.log += "retried ${look()}" } }
            policy("retried") { attempts = 2 }
            START then "node" then "flow" then "bad" then "inner" then "retried" then END
        }
    }

    private fun everywhere(found: String?): List<String> =
        listOf("node", "flow", "handler", "inside", "retried").map { "$it $found" }

    @Test
    fun reactorsContextReachesTheCoroutinesOfNodes() {
        val run = looking(::user).runner().run(update {}).contextWrite(Context.of("user", "ada"))

        assertThat(run.block(Duration.ofSeconds(10))!!.log).isEqualTo(everywhere("ada"))
    }

    @Test
    fun reactorsContextOfTheCallersCoroutineReachesThemToo() = runTest(Context.of("user", "ada").asCoroutineContext()) {
        val runner = looking(::user).runner()

        assertThat(runner.await().log).isEqualTo(everywhere("ada"))
        assertThat((runner.events().last() as GraphEvent.Terminal).state()[Notes.log]).isEqualTo(everywhere("ada"))
    }

    @Test
    fun reactorsContextOfTheCallersCoroutineReachesNodesThatReturnAMono() = runTest {
        val reactive = graph("reactive", Notes) {
            mono("a") { Mono.deferContextual { Mono.just(update { Notes.log += it.get<String>("user") }) } }
            START then "a" then END
        }

        val result = withContext(Context.of("user", "ada").asCoroutineContext()) { reactive.runner().await() }

        assertThat(result.log).containsExactly("ada")
    }

    @Test
    fun elementsOfTheCallersCoroutineReachThoseOfNodes() = runTest(CoroutineName("ada")) {
        val runner = looking(::name).runner { checkpoints(InMemoryCheckpointStore()) }

        assertThat(runner.await().log).isEqualTo(everywhere("ada"))
        assertThat(runner.thread("t").await().log).isEqualTo(everywhere("ada"))
        assertThat((runner.events().last() as GraphEvent.Terminal).state()[Notes.log]).isEqualTo(everywhere("ada"))
    }

    @Test
    fun threadLocalsOfTheCallersCoroutineReachThoseOfNodes() = runTest(Local("ada")) {
        val looking = looking {
            delay(1_000)
            Local.value.get()
        }

        assertThat(looking.runner().await().log).isEqualTo(everywhere("ada"))
        assertThat(withContext(Dispatchers.Default) { looking.runner().await() }.log).isEqualTo(everywhere("ada"))
    }

    @Test
    fun nodesRunOnTheDispatcherOfTheCaller() {
        Executors.newSingleThreadExecutor { Thread(it, "mine") }.asCoroutineDispatcher().use { mine ->
            val looking = looking { Thread.currentThread().name.substringBefore(" ") }
            val events = looking.runner().events().flowOn(mine)

            val awaited = runBlocking(mine) { looking.runner().await() }
            val collected = runBlocking { events.last() as GraphEvent.Terminal }

            assertThat(awaited.log).isEqualTo(everywhere("mine"))
            assertThat(collected.state()[Notes.log]).isEqualTo(everywhere("mine"))
        }
    }

    @Test
    fun withoutOneTheyRunWhereTheyAreSubscribedTo() {
        val here = Thread.currentThread().name

        val result = JavaDebate.run(looking { Thread.currentThread().name.substringBefore(" @") }, update {})

        assertThat(result.log).isEqualTo(everywhere(here))
    }

    @Test
    fun aRunThatOutlivesItsCallerKnowsReactorsContextOnly() =
        runTest(CoroutineName("ada") + Context.of("user", "ada").asCoroutineContext()) {
            val looking = looking { "${user()} ${name()}" }
            val runner = looking.runner {
                checkpoints(InMemoryCheckpointStore())
                events(InMemoryEventLog())
            }
            val thread = runner.thread("t")

            val end = thread.follow(thread.awaitStart()).first { event ->
                event is GraphEvent.RunFailed || event is GraphEvent.Terminal && event.path().isEmpty()
            }

            assertThat((end as GraphEvent.Terminal).state()[Notes.log]).isEqualTo(everywhere("ada null"))
        }

    @Test
    fun aRunThatANodeBeginsAndThatOutlivesItKnowsNothingOfTheCaller() = runTest(CoroutineName("ada")) {
        val looking = looking(::name).runner {
            checkpoints(InMemoryCheckpointStore())
            events(InMemoryEventLog())
        }
        val beginning = graph("beginning", Notes) {
            node("begin") {
                looking.thread("started").awaitStart()
                looking.thread("queued").awaitQueue(update {}, by = "ada")
                update {}
            }
            START then "begin" then END
        }

        beginning.runner().await()

        listOf("started", "queued").forEach { thread ->
            val end = looking.thread(thread).follow().first { it is GraphEvent.Terminal && it.path().isEmpty() }
            assertThat((end as GraphEvent.Terminal).state()[Notes.log]).isEqualTo(everywhere(null))
        }
    }

    @Test
    fun aChangeOfDispatcherInsideANodeKeepsThem() =
        runTest(CoroutineName("ada") + Context.of("user", "ada").asCoroutineContext()) {
            val looking = looking { withContext(Dispatchers.IO) { "${user()} ${name()}" } }

            assertThat(looking.runner().await().log).isEqualTo(everywhere("ada ada"))
        }

    /** A thread local that a coroutine brings along. */
    private class Local(private val mine: String) :
        AbstractCoroutineContextElement(Key), ThreadContextElement<String?> {

        override fun updateThreadContext(context: CoroutineContext): String? =
            value.get().also { value.set(mine) }

        override fun restoreThreadContext(context: CoroutineContext, oldState: String?) = value.set(oldState)

        companion object Key : CoroutineContext.Key<Local> {
            val value = ThreadLocal<String?>()
        }
    }
}
