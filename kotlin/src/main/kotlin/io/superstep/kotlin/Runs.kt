package io.superstep.kotlin

import io.superstep.checkpoint.Position
import io.superstep.event.GraphEvent
import io.superstep.graph.Graph
import io.superstep.reactor.GraphRunner
import io.superstep.reactor.Recovery
import io.superstep.reactor.RunOptions
import io.superstep.reactor.RunResult
import io.superstep.reactor.Settlement
import io.superstep.state.Update
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.reactor.asFlux

/** A runner of this graph, with the options that [configure] sets. */
public fun Graph.runner(configure: GraphRunner.Builder.() -> Unit = {}): GraphRunner =
    GraphRunner.builder(this).apply(configure).build()

/**
 * Runs the graph with [input] and tells what happens.
 *
 * Nothing happens before the flow is collected; each collection is a run of its own. One event is asked
 * for at a time, so a step starts when everything before it was collected. Cancelling the collector stops
 * the tasks that run. The last event is a [GraphEvent.Terminal]; a run that fails throws instead.
 *
 * @param options override the defaults of the runner
 */
public fun GraphRunner.events(
    input: Update = Update.NOTHING,
    options: RunOptions = RunOptions.NONE,
): Flow<GraphEvent> = called { stream(input, options) }

/** Goes on from where an earlier run ended, and tells what happens as [events] does. */
public fun GraphRunner.events(from: Position, options: RunOptions = RunOptions.NONE): Flow<GraphEvent> =
    called { resume(from, options) }

/** Runs the graph with [input] as fast as it goes and returns how it ended; cancelling stops the tasks that run. */
public suspend fun GraphRunner.await(
    input: Update = Update.NOTHING,
    options: RunOptions = RunOptions.NONE,
): RunResult = awaited(run(input, options))

/** Goes on from where an earlier run ended, and returns how it ended this time. */
public suspend fun GraphRunner.await(from: Position, options: RunOptions = RunOptions.NONE): RunResult =
    awaited(RunResult.of(resume(from, options)))

/**
 * Runs the graph with each of [inputs], up to [concurrency] of them at once, and tells how each ended, in
 * their order. No input is asked for, nor run, whose result was not. The first run that fails ends all
 * others.
 */
public fun GraphRunner.results(
    inputs: Flow<Update>,
    concurrency: Int,
    options: RunOptions = RunOptions.NONE,
): Flow<RunResult> = flow {
    val elements = Caller.elements()
    called { runAll(inputs.asFlux(elements), concurrency, options) }.collect { emit(it) }
}

/** Answers the questions whose time is over: see [GraphRunner.settleDue]. */
public fun GraphRunner.settlements(): Flow<Settlement> = called { settleDue() }

/** Takes over the threads whose runner has vanished: see [GraphRunner.recover]. */
public fun GraphRunner.recoveries(mine: (thread: String) -> Boolean = { true }): Flow<Recovery> =
    called { recover(mine) }

/** Closes the runner: see [GraphRunner.close]. Returns the threads whose runs had to be cancelled. */
public suspend fun GraphRunner.awaitClose(timeout: Duration): List<String> =
    called { close(timeout.toJavaDuration()) }.toList()
