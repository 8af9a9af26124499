package io.superstep.checkpoint;

import io.superstep.state.Schemas;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.reactivestreams.Publisher;

/**
 * Keeps the logs of threads.
 *
 * <p>A thread is a tree of checkpoints with one head, and what is known of the tasks that are due
 * there. It is only ever appended to, and cut off at its beginning. Every write carries a lease,
 * whose token the store compares with the last one it gave out, and the head that the writer saw:
 * what does not fit is refused with a {@link CheckpointConflictException}, and then nothing is
 * written.
 *
 * <p>Publishers are cold and do nothing before they are subscribed to; each brings one element at
 * most unless it says otherwise. A reply may be lost, and then a call is repeated: every method
 * says what that does. Nobody is called back on a thread that the store needs for its own work.
 *
 * <p>Whoever brings or wants values says of what schemas they are: a store on disk writes and reads
 * them by those, and keeps as it stands what they do not know. A store that cannot read a thread
 * answers with an error, and leaves the thread as it is.
 */
public interface CheckpointStore {

  /**
   * Gives the right to write to {@code thread}, which need not exist yet, to {@code owner}; not
   * before the lease of somebody else has run out or was given back.
   *
   * <p>Whoever holds the lease and asks again gets it again, with the same fence. A lease that has
   * run out without being given back is remembered as lost, until something is done: until a commit
   * that is not a mere change from outside, or a task that has ended or gone on inside.
   * {@link ThreadStatus} says what becomes of it.
   *
   * @throws ThreadBusyException as a signal, if somebody else holds it
   */
  Publisher<Lease> acquire(String thread, String owner, Duration time);

  /**
   * Checks that the types of all stored channels of a graph and of its subgraphs, and the types of
   * their elements, can be written. The types of their properties are checked when a value is
   * written. A runner calls this method when it is built; it does not access the store. A store
   * that keeps references to objects accepts all schemas, which is the default.
   *
   * @throws io.superstep.json.InvalidJsonException for a channel of a type that cannot be written
   */
  default void requireStorable(Schemas schemas) {}

  /**
   * Makes {@code lease} last for {@code time} from now. Repeating it changes nothing else. An error
   * that is marked as {@link LeaseLost} ends the run; after any other one the call is repeated.
   *
   * @throws CheckpointConflictException as a signal, if it was lost
   */
  Publisher<Lease> renew(Lease lease, Duration time);

  /**
   * Gives {@code lease} back, and emits whether a run should take the thread again: because it has
   * nothing to do and an input waits, or because work is due, a resume was requested while this
   * lease was held, and all questions of the step are answered. If the lease was lost, or given
   * back before, nothing happens, and false is emitted.
   *
   * <p>One exception: with {@link Release#HANDED_OVER}, a thread whose lease was given back before
   * is handed over all the same if work is due, and if no other lease was given out since. That
   * emits false as well.
   *
   * <p>If a resume was requested and the records of the step cannot be read or decoded, the lease
   * is released all the same, and true is emitted: the run that acquires the thread next loads it
   * and reports the error. A later release of the same thread emits false unless another resume is
   * requested, so that an unreadable thread is not acquired in a loop.
   *
   * @param how what becomes of the leases that were lost before, and so of the thread
   */
  Publisher<Boolean> release(Lease lease, Release how);

  /**
   * Requests that {@code thread} is resumed when its lease is given back, and emits whether a lease
   * is held: a caller that could not acquire it is told apart from one that came when it was just
   * given back. If none is held, nothing is written. The request is dropped when another lease is
   * given out. Repeating it changes nothing.
   */
  Publisher<Boolean> requestResume(String thread);

  /** The thread at its head; empty if there is none. */
  Publisher<SavedThread> load(String thread, Schemas schemas);

  /** The thread at one of its checkpoints; empty if it has no such checkpoint. */
  Publisher<SavedThread> load(String thread, CheckpointId id, Schemas schemas);

  /**
   * Writes a checkpoint and makes it the head. What was known of the tasks that were due at the
   * head before is dropped, unless this is a fork: then it stays with the checkpoint that was left.
   * Repeating it when it has succeeded changes nothing: the id tells.
   *
   * @throws CheckpointConflictException as a signal, if the lease was lost, the head is another, or
   *     it has other notes than {@link Commit#notesSeen} says
   * @throws UnknownCheckpointException as a signal, if there is no such parent
   */
  Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas);

  /**
   * Adds to what is known of the tasks that are due at {@code head}, all of {@code notes} or none.
   * What is known already, and was not forgotten since, is not added again, and what a note makes
   * void may be dropped: {@link TaskNotes} says what that is.
   *
   * @throws CheckpointConflictException as a signal, if the lease was lost or the head is another
   */
  Publisher<Void> record(Lease lease, CheckpointId head, List<TaskNote> notes, Schemas schemas);

  /**
   * Answers a question that a task asked which is due at {@code head}. No lease is needed: a person
   * answers while a run is at other tasks. Of several answers to one question the first is taken.
   * Repeating it when it has succeeded changes nothing: the receipt tells.
   *
   * @throws CheckpointConflictException as a signal, if the head is another
   * @throws io.superstep.question.UnknownQuestionException as a signal, if nobody waits for it
   * @throws io.superstep.question.AlreadyAnsweredException as a signal, if it was answered before
   */
  Publisher<Void> answer(
      String thread, CheckpointId head, TaskNote.Answered answer, Schemas schemas);

  /**
   * Leaves an input for when {@code thread}, which need not exist yet, has nothing else to do. No
   * lease is needed. It waits until a commit says that it begins with it. Repeating it changes
   * nothing, also when it has begun meanwhile, unless a thousand others have begun since.
   */
  Publisher<Void> enqueue(String thread, QueuedInput input, Schemas schemas);

  /** The inputs that wait, the first one first; none if the thread is unknown. */
  Publisher<QueuedInput> queue(String thread, Schemas schemas);

  /** The checkpoints of a thread, newest first, as many as are asked for; none if it is unknown. */
  Publisher<Checkpoint> history(String thread, HistoryFilter filter, Schemas schemas);

  /**
   * Lists the threads that have one of {@code statuses}, in no order, as many as are requested.
   *
   * <p>A thread whose stored data cannot be decoded is listed as {@link ThreadStatus#UNREADABLE}
   * and does not affect any other thread. A listing decodes the last checkpoint of a thread and its
   * records, not the checkpoints before. An error is signalled only when the store itself fails. A
   * lease that was not released is part of the summary, whether or not it has expired.
   *
   * <p>The cost of a listing is in proportion to the threads that may have work, however many are
   * done: threads recorded as done are read only if {@link ThreadStatus#readsDone} says so.
   */
  Publisher<ThreadSummary> threads(Set<ThreadStatus> statuses);

  /**
   * Emits the stored records of a thread without decoding them, as many as are requested; none if
   * the thread is unknown. This also works for a thread that is {@link ThreadStatus#UNREADABLE}. A
   * store that keeps objects rather than bytes has no records to emit.
   */
  Publisher<RawRecord> export(String thread);

  /**
   * Removes a checkpoint, and says whether there was one.
   *
   * @param cascade whether those that grew out of it go too
   * @throws LineageException as a signal, if others grew out of it, the head is among them, or a
   *     merge that stays has taken over from one of them
   */
  Publisher<Boolean> delete(String thread, CheckpointId id, boolean cascade);

  /**
   * Removes a thread, and says how many checkpoints it had. This also works for a thread that is
   * {@link ThreadStatus#UNREADABLE}.
   *
   * @throws ThreadBusyException as a signal, if somebody is at it
   */
  Publisher<Long> delete(String thread);

  /**
   * Removes what {@code retention} does not keep of a thread, and says how many checkpoints went;
   * none if it is unknown. No lease is needed: whoever is at the thread goes on at its head, and
   * all that is left has the state, the versions and the notes it had. Repeating it removes no
   * more, but for what was written meanwhile.
   *
   * @param now by which ages are told; the checkpoints have the times of whoever wrote them
   */
  Publisher<Long> prune(String thread, Retention retention, Instant now);
}
