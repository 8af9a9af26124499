package io.superstep.kotlin

import io.superstep.checkpoint.Checkpoint
import io.superstep.checkpoint.CheckpointId
import io.superstep.checkpoint.HistoryFilter
import io.superstep.checkpoint.QueuedInput
import io.superstep.checkpoint.Retention
import io.superstep.checkpoint.SavedThread
import io.superstep.checkpoint.TaskNote
import io.superstep.event.Chunks
import io.superstep.event.GraphEvent
import io.superstep.question.Answer
import io.superstep.reactor.Amendment
import io.superstep.reactor.GraphThread
import io.superstep.reactor.Resume
import io.superstep.reactor.RunOptions
import io.superstep.reactor.RunResult
import io.superstep.state.Merge
import io.superstep.state.State
import io.superstep.state.Update
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull

/**
 * Begins a turn with [input] and tells what happens, as [GraphThread.stream] does.
 *
 * Nothing happens before the flow is collected. One event is asked for at a time, so a step starts when
 * everything before it was collected. Cancelling the collector stops the tasks that run; what was
 * committed is where the thread goes on.
 *
 * @param options override the defaults of the runner
 */
public fun GraphThread.events(input: Update = Update.NOTHING, options: RunOptions = RunOptions.NONE): Flow<GraphEvent> =
    called { stream(input, options) }

/** Goes on where the thread stands, and tells what happens, as [GraphThread.resume] does. */
public fun GraphThread.events(with: Resume, options: RunOptions = RunOptions.NONE): Flow<GraphEvent> =
    called { resume(with, options) }

/** Begins a turn with [input] and returns how it ended; cancelling stops the tasks that run. */
public suspend fun GraphThread.await(input: Update = Update.NOTHING, options: RunOptions = RunOptions.NONE): RunResult =
    awaited(run(input, options))

/** Goes on where the thread stands, and returns how that ended. */
public suspend fun GraphThread.await(with: Resume, options: RunOptions = RunOptions.NONE): RunResult =
    awaited(RunResult.of(resume(with, options)))

/**
 * Takes the thread back to one of its checkpoints, changed by [change], and goes on from there: see
 * [GraphThread.fork].
 */
public fun GraphThread.forkEvents(from: CheckpointId, change: Update = Update.NOTHING): Flow<GraphEvent> =
    called { fork(from, change) }

/** As [forkEvents], with options for the run, and with who does it and why. */
public fun GraphThread.forkEvents(
    from: CheckpointId,
    change: Update,
    author: String,
    reason: String?,
    options: RunOptions,
): Flow<GraphEvent> = called { fork(from, change, author, reason, options) }

/** Forks as [forkEvents] does, and returns how that ended. */
public suspend fun GraphThread.awaitFork(from: CheckpointId, change: Update = Update.NOTHING): RunResult =
    awaited(RunResult.of(fork(from, change)))

/**
 * Begins a turn that outlives its caller, and returns the cursor from which it can be followed: see
 * [GraphThread.start]. Its nodes know nothing of the coroutine that began it but Reactor's context.
 */
public suspend fun GraphThread.awaitStart(input: Update = Update.NOTHING, options: RunOptions = RunOptions.NONE): Long =
    begun(start(input, options))

/** Goes on in a run that outlives its caller, as [awaitStart] does. */
public suspend fun GraphThread.awaitStart(with: Resume, options: RunOptions = RunOptions.NONE): Long =
    begun(start(with, options))

/** Emits the events after the cursor [after], and then new ones until the runner is closed: see [GraphThread.attach]. */
public fun GraphThread.follow(after: Long = 0, chunks: Chunks = Chunks.FROM_NOW_ON): Flow<GraphEvent> =
    called { attach(after, chunks) }

/** As [follow], and emits the state at the cursor first: see [GraphThread.attachWithState]. */
public fun GraphThread.followWithState(after: Long = 0, chunks: Chunks = Chunks.FROM_NOW_ON): Flow<GraphEvent> =
    called { attachWithState(after, chunks) }

/** Asks the detached run of this thread to stop, and returns whether this runner has one. */
public suspend fun GraphThread.awaitStop(): Boolean = stop().awaitSingle()

/** Leaves an input for when the thread has nothing else to do: see [GraphThread.queue]. */
public suspend fun GraphThread.awaitQueue(input: Update, by: String): QueuedInput = begun(queue(input, by))

/** The inputs that wait, the first one first. */
public fun GraphThread.queuedInputs(): Flow<QueuedInput> = called { queued() }

/** The questions that wait for an answer, in the order in which they were asked. */
public fun GraphThread.openQuestions(): Flow<TaskNote.Asked> = called { questions() }

/** Answers a question, and lets the thread stand as it is: see [GraphThread.answer]. */
public suspend fun GraphThread.awaitAnswer(question: String, answer: Any?, by: String): Answer =
    answer(question, plain(answer), by).awaitSingle()

/** Changes the state between two steps: see [GraphThread.update]. */
public suspend fun GraphThread.awaitUpdate(change: Update, author: String, reason: String? = null): Checkpoint =
    update(change, author, reason).awaitSingle()

/** Changes the state as if [node] had just said [change]: see [GraphThread.updateAs]. */
public suspend fun GraphThread.awaitUpdateAs(
    node: String,
    change: Update,
    author: String,
    reason: String? = null,
): Checkpoint = updateAs(node, change, author, reason).awaitSingle()

/** Makes several changes, all or none: see [GraphThread.update]. */
public suspend fun GraphThread.awaitUpdate(amendments: List<Amendment>): List<Checkpoint> =
    called { update(amendments) }.toList()

/** Folds what another branch has changed into the state: see [GraphThread.merge]. */
public suspend fun GraphThread.awaitMerge(
    other: CheckpointId,
    author: String,
    reason: String? = null,
    decided: Map<String, Merge.Winner> = emptyMap(),
): Checkpoint = merge(other, decided, author, reason).awaitSingle()

/** Begins another thread where this one stood at [from]: see [GraphThread.copyTo]. */
public suspend fun GraphThread.awaitCopyTo(
    newThread: String,
    from: CheckpointId,
    author: String,
    reason: String? = null,
): Checkpoint = copyTo(newThread, from, author, reason).awaitSingle()

/** Where the thread stands; null if nothing was ever written. */
public suspend fun GraphThread.awaitState(): SavedThread? = state().awaitSingleOrNull()

/** Where the thread stood at one of its checkpoints; null if it has no such checkpoint. */
public suspend fun GraphThread.awaitState(at: CheckpointId): SavedThread? = state(at).awaitSingleOrNull()

/** What differs between two checkpoints, by channel. */
public suspend fun GraphThread.awaitDiff(from: CheckpointId, to: CheckpointId): Map<String, State.Difference> =
    diff(from, to).awaitSingle()

/** Checkpoints, newest first. */
public fun GraphThread.checkpoints(filter: HistoryFilter = HistoryFilter.ALL): Flow<Checkpoint> =
    called { history(filter) }

/** Removes the thread and what it told, and returns how many checkpoints it had. */
public suspend fun GraphThread.awaitDelete(): Long = delete().awaitSingle()

/** Removes what [retention] does not keep, and returns how many checkpoints went. */
public suspend fun GraphThread.awaitPrune(retention: Retention): Long = prune(retention).awaitSingle()
