package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/** Somebody else has written to the thread meanwhile, or may; nothing was written. */
public final class CheckpointConflictException extends SuperstepException implements LeaseLost {

  private static final long serialVersionUID = 1L;

  private CheckpointConflictException(Problem problem) {
    this(problem, null);
  }

  private CheckpointConflictException(Problem problem, @Nullable Throwable cause) {
    super(problem, cause);
  }

  /** The lease was lost: a later one exists, or it was given back. */
  public static CheckpointConflictException lostLease(Lease lease) {
    return lostLease(lease, null);
  }

  /**
   * The lease was lost, which another store noticed first.
   *
   * @param cause the error of that store
   */
  public static CheckpointConflictException lostLease(Lease lease, @Nullable Throwable cause) {
    return new CheckpointConflictException(
        new Problem(
            "SG-401",
            "The run of '" + lease.owner() + "' no longer has the right to write to the thread.",
            "thread '" + lease.thread() + "', lease " + lease.fence(),
            "Let the run that has it now go on; load the thread again to see where it stands."),
        cause);
  }

  /** The head is another than the one that the writer saw. */
  public static CheckpointConflictException movedHead(
      String thread, @Nullable CheckpointId seen, @Nullable CheckpointId head) {
    return new CheckpointConflictException(new Problem(
        "SG-402",
        "The thread stands at " + head + ", and the writer saw it at " + seen + ".",
        "thread '" + thread + "'",
        "Load the thread again, and decide anew."));
  }

  /** Somebody else has worked on what is due at the head since the writer left it. */
  public static CheckpointConflictException touched(String thread, CheckpointId head) {
    return new CheckpointConflictException(new Problem(
        "SG-402",
        "Somebody else has worked on what is due at " + head + " since the writer left it.",
        "thread '" + thread + "'",
        "Load the thread again, and decide anew."));
  }
}
