package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/** Thrown if another writer changed the thread, or owns its lease; nothing was written. */
public final class CheckpointConflictException extends SuperstepException implements LeaseLost {

  private static final long serialVersionUID = 1L;

  private CheckpointConflictException(Problem problem) {
    this(problem, null);
  }

  private CheckpointConflictException(Problem problem, @Nullable Throwable cause) {
    super(problem, cause);
  }

  /** Returns the error of a lease that was released, or replaced by a later one. */
  public static CheckpointConflictException lostLease(Lease lease) {
    return lostLease(lease, null);
  }

  /**
   * Returns the error of a lease that was lost, which another store detected first.
   *
   * @param cause the error of that store
   */
  public static CheckpointConflictException lostLease(Lease lease, @Nullable Throwable cause) {
    return new CheckpointConflictException(
        new Problem(
            "SG-401",
            "The run of '" + lease.owner() + "' lost the lease of the thread.",
            "thread '" + lease.thread() + "', lease " + lease.fence(),
            "Let the run that owns the lease now continue, and load the thread with thread.state()."),
        cause);
  }

  /** Returns the error of a writer that expected another head. */
  public static CheckpointConflictException movedHead(
      String thread, @Nullable CheckpointId seen, @Nullable CheckpointId head) {
    return new CheckpointConflictException(new Problem(
        "SG-402",
        "The head of the thread is " + named(head) + ", and the writer expected " + named(seen)
            + ".",
        "thread '" + thread + "'",
        "Load the thread with thread.state(), and repeat the change if it still applies."));
  }

  private static String named(@Nullable CheckpointId checkpoint) {
    return checkpoint == null ? "none" : checkpoint.toString();
  }

  /** Returns the error of a writer whose pending tasks were changed by another writer. */
  public static CheckpointConflictException touched(String thread, CheckpointId head) {
    return new CheckpointConflictException(new Problem(
        "SG-402",
        "Another writer changed the pending tasks of checkpoint " + head + ".",
        "thread '" + thread + "'",
        "Load the thread with thread.state(), and repeat the change if it still applies."));
  }
}
