package io.superstep.event;

import io.superstep.state.Schemas;
import java.util.List;
import org.reactivestreams.Publisher;

/**
 * Keeps what the runs of a thread have told, for those who come late and those who come back.
 *
 * <p>Facts are numbered from 1 without a gap, and the number of the last fact that somebody has
 * seen is their cursor; 0 is that of who has seen nothing. Provisional events ride beside the facts
 * and move no cursor. They are kept while their task is at it, as far as there is room, and whoever
 * is too slow for them misses them. Nobody ever misses a fact without being told so.
 *
 * <p>A thread has one writer at a time: whoever has the highest fence, which is the one of their
 * lease. What does not fit is refused with an {@link EventLogConflictException}, and then nothing
 * is written.
 *
 * <p>Publishers are cold and do nothing before they are subscribed to; each brings one element at
 * most unless it says otherwise. A reply may be lost, and then a call is repeated: every method
 * says what that does. Nobody is called back on a thread that the log needs for its own work.
 *
 * <p>Whoever brings or wants events says of what schemas their values are: a log on disk writes and
 * reads them by those. What lives only as long as a run it need not keep, and a failure it may
 * bring back as a {@link RecordedFailure}.
 */
public interface EventLog {

  /**
   * Lets nobody but whoever has {@code fence}, or a higher one, append to {@code thread}, which
   * need not exist yet. Brings the number of its last fact, 0 if there is none. Repeating it
   * changes nothing.
   *
   * @throws EventLogConflictException as a signal, if a higher fence was seen, or the thread was
   *     deleted since this one was
   */
  Publisher<Long> open(String thread, long fence);

  /**
   * Adds {@code events} to {@code thread}, all or none, in their order. Facts go on from the last
   * number without a gap; a provisional event has the number of the fact before it. A higher fence
   * than the one that was opened is taken as if it had been.
   *
   * <p>Facts carry the time of the call as {@link GraphEvent#appended}. The log stores it with the
   * event, and adds no time of its own.
   *
   * <p>Repeating it adds nothing: a list that begins with facts which this fence has appended
   * before is taken to be known up to its first fact that is not. A list without facts cannot be
   * recognised, and its events are told again.
   *
   * @throws EventLogConflictException as a signal, if a higher fence was seen, the thread was
   *     deleted since this one was, or the numbers do not go on
   */
  Publisher<Void> append(String thread, long fence, List<GraphEvent> events, Schemas schemas);

  /**
   * The facts above the cursor {@code after} that are there when it is subscribed to, in order, as
   * many as are asked for; then it completes. Repeating it brings what is there then.
   *
   * @throws EventsTrimmedException as a signal, if some of them are gone, now or when their turn
   *     comes
   * @throws UnknownCursorException as a signal, if the thread has not come so far
   */
  Publisher<GraphEvent> read(String thread, long after, Schemas schemas);

  /**
   * The facts above the cursor {@code after}, and then what is appended, each fact once and all in
   * order, at the pace at which they are asked for. It never completes, and ends when it is
   * cancelled. A thread need not have any event yet.
   *
   * <p>A follower that is slow delays neither whoever appends nor other followers; it misses
   * provisional events that were dropped meanwhile. Repeating it with the number of the last fact
   * that arrived goes on behind that.
   *
   * @throws EventsTrimmedException as a signal, if facts that it has not seen are gone, now or
   *     later
   * @throws UnknownCursorException as a signal, if the thread has not come so far, or is deleted
   *     while a follower waits behind a fact of it; one that waits at 0 goes on
   */
  Publisher<GraphEvent> follow(String thread, long after, Chunks chunks, Schemas schemas);

  /**
   * Forgets the facts of {@code thread} that are numbered below {@code before}, and says how many
   * went; none if it is unknown. The number of the last fact stays, so that those to come go on
   * from it. No fence is needed. Repeating it removes no more.
   */
  Publisher<Long> trim(String thread, long before);

  /**
   * Forgets {@code thread}, and its numbers: whoever opens it next begins with 1. Fences stay
   * respected: nobody who could append before can do so afterwards without a higher fence.
   * Repeating it changes nothing.
   */
  Publisher<Void> delete(String thread);
}
