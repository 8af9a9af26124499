package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if the changes of a branch cannot be determined; nothing was written. */
public final class UnmergeableException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private UnmergeableException(
      String what, String thread, CheckpointId head, CheckpointId other, String fix) {
    super(
        new Problem(
            "SG-411", what, "thread '" + thread + "', checkpoints " + head + " and " + other, fix),
        null);
  }

  /** Returns the error of a checkpoint whose changes the thread has. */
  public static UnmergeableException hasIt(String thread, CheckpointId head, CheckpointId other) {
    return new UnmergeableException(
        "The thread already has all changes of checkpoint " + other + ".",
        thread,
        head,
        other,
        "Pass the last checkpoint of another branch.");
  }

  /** Returns the error of branches whose common ancestor, or a merged checkpoint, was removed. */
  public static UnmergeableException unrelated(
      String thread, CheckpointId head, CheckpointId other) {
    return new UnmergeableException(
        "The common ancestor of the branches, or a checkpoint that one of them merged, was removed.",
        thread,
        head,
        other,
        "Write the changes of the branch with thread.update(...).");
  }

  /** Returns the error of branches that merged from each other. */
  public static UnmergeableException crossed(String thread, CheckpointId head, CheckpointId other) {
    return new UnmergeableException(
        "Both branches merged from each other, so the changes of one cannot be determined.",
        thread,
        head,
        other,
        "Merge in one direction only, or write the changes of the branch with thread.update(...).");
  }
}
