package io.superstep.kotlin

import io.superstep.checkpoint.Checkpoint
import io.superstep.checkpoint.Position
import io.superstep.event.GraphEvent
import io.superstep.graph.Graph
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.Resume
import io.superstep.testkit.ReplayContract
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.reactor.asFlux
import kotlinx.coroutines.runBlocking
import org.reactivestreams.Publisher

/** The table of the testkit, with graphs built and run in Kotlin. */
class KotlinReplayTests : ReplayContract() {

    private fun replay(build: GraphScope.() -> Unit): Graph = graph("replay", schema(), build)

    /** Functions that append their name to the log: each has ended before the next task of its step begins. */
    private fun GraphScope.named(vararg names: String) =
        names.forEach { name -> compute(name) { update { LOG += name } } }

    /** The same as nodes that suspend, of which the table has no two in one step. */
    private fun GraphScope.suspending(vararg names: String) =
        names.forEach { name -> node(name) { update { LOG += name } } }

    private fun GraphScope.chain() {
        suspending("a", "b")
        START then "a" then "b" then END
    }

    override fun graph(row: Row): Graph = replay {
        when (row) {
            Row.CHAIN -> chain()
            Row.FAN_OUT -> {
                named("a", "b", "c", "d", "e")
                START then "a" then all("b", "c", "d") then "e" then END
            }
            Row.LOOP -> {
                node("tick") { update { COUNT += 1 } }
                START then "tick"
                route("tick", to("tick", END)) { state -> if (state[COUNT] < 3) "tick" else END }
            }
            Row.SENDS -> {
                named("plan")
                compute("work") { state -> update { COUNT += state[TASK] } }
                named("gather")
                START then "plan"
                fanOut("plan", to("work")) { listOf(1, 2).map { task -> send("work") { TASK set task } } }
                "work" then "gather" then END
            }
            Row.COMMAND -> {
                node("a") { goTo("c") { LOG += "a" } }
                mayGoTo("a", "c")
                suspending("b", "c")
                START then "a" then "b" then END
                "c" then END
            }
            Row.STREAM -> {
                flow("say") {
                    chunk("x")
                    chunk("y")
                    emit(update { LOG += "xy" })
                }
                START then "say" then END
            }
            Row.DEFERRED -> {
                suspending("a", "b", "z")
                START then "a" then "b" then END
                START then "z" then END
                defer("z")
            }
            Row.RETRY -> {
                node("flaky") {
                    check(attempt > 1) { "once" }
                    update { LOG += "flaky" }
                }
                policy("flaky") { attempts = 2 }
                START then "flaky" then END
            }
            Row.HANDLER -> {
                node("bad") { error("bad") }
                handler("bad") { _, _ -> update { LOG += "handled" } }
                START then "bad" then END
            }
            Row.SUBGRAPH -> {
                subgraph("inner", replay { chain() })
                suspending("c")
                START then "inner" then "c" then END
            }
            Row.PAUSE -> {
                chain()
                interruptAfter("a")
            }
        }
    }

    override fun run(graph: Graph, position: Position): Publisher<GraphEvent> =
        graph.runner().events(position).asFlux()

    override fun positions(graph: Graph): List<Position> = runBlocking {
        val thread = graph.runner { checkpoints(InMemoryCheckpointStore()) }.thread("t")
        if (!thread.await().isCompleted) {
            thread.await(Resume.GO_ON)
        }
        thread.checkpoints().map(Checkpoint::id).toList().sorted().map { thread.awaitState(it)!!.position() }
    }
}
