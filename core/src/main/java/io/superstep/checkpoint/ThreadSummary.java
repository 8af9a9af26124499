package io.superstep.checkpoint;

import io.superstep.error.SuperstepException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of one thread, as a store lists it.
 *
 * <p>A lease is shown until it is released, also after it has expired: a thread with the status
 * {@link ThreadStatus#RUNNING} has the lease of its run, and another thread the expired lease of a
 * run that did not release it, for example because its process was killed. A thread that was handed
 * over has none.
 *
 * @param head the current checkpoint; null if the thread has queued inputs only, or is unreadable
 * @param time the time of the last checkpoint, or of the first queued input; null if the thread is
 *     unreadable
 * @param owner the owner of the last lease, which begins with the name of its process, as
 *     {@link Lease} says; null if the lease was released, or the thread is unreadable
 * @param leaseUntil the time at which that lease expires unless it is renewed, or has expired; null
 *     if {@code owner} is null
 * @param problem the reason why the thread is {@link ThreadStatus#UNREADABLE}; null for every other
 *     status
 */
public record ThreadSummary(
    String thread,
    ThreadStatus status,
    @Nullable CheckpointId head,
    @Nullable Instant time,
    @Nullable String owner,
    @Nullable Instant leaseUntil,
    @Nullable SuperstepException problem) {

  /** Creates the summary of a readable thread without a lease. */
  public ThreadSummary(
      String thread, ThreadStatus status, @Nullable CheckpointId head, Instant time) {
    this(thread, status, head, time, null, null, null);
  }

  /** Returns the summary of a thread whose stored data cannot be decoded. */
  public static ThreadSummary unreadable(String thread, SuperstepException problem) {
    return new ThreadSummary(thread, ThreadStatus.UNREADABLE, null, null, null, null, problem);
  }

  /** Returns this summary with a lease that was not released. */
  public ThreadSummary withLease(String leaseOwner, Instant until) {
    return new ThreadSummary(thread, status, head, time, leaseOwner, until, problem);
  }
}
