package io.superstep.checkpoint;

import io.superstep.error.SuperstepException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of one thread, as a store lists it.
 *
 * @param head the current checkpoint; null if the thread has queued inputs only, or is unreadable
 * @param time the time of the last checkpoint, or of the first queued input; null if the thread is
 *     unreadable
 * @param problem the reason why the thread is {@link ThreadStatus#UNREADABLE}; null for every other
 *     status
 */
public record ThreadSummary(
    String thread,
    ThreadStatus status,
    @Nullable CheckpointId head,
    @Nullable Instant time,
    @Nullable SuperstepException problem) {

  /** Creates the summary of a readable thread. */
  public ThreadSummary(
      String thread, ThreadStatus status, @Nullable CheckpointId head, Instant time) {
    this(thread, status, head, time, null);
  }

  /** Returns the summary of a thread whose stored data cannot be decoded. */
  public static ThreadSummary unreadable(String thread, SuperstepException problem) {
    return new ThreadSummary(thread, ThreadStatus.UNREADABLE, null, null, problem);
  }
}
