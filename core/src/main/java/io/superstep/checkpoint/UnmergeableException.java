package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** There is no way to tell what a branch would bring to a thread; nothing was written. */
public final class UnmergeableException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private UnmergeableException(
      String what, String thread, CheckpointId head, CheckpointId other, String fix) {
    super(
        new Problem(
            "SG-411", what, "thread '" + thread + "', checkpoints " + head + " and " + other, fix),
        null);
  }

  /** The other checkpoint is part of what led to the head. */
  public static UnmergeableException hasIt(String thread, CheckpointId head, CheckpointId other) {
    return new UnmergeableException(
        "The thread has all that led to the checkpoint already.",
        thread,
        head,
        other,
        "Name the last checkpoint of another branch.");
  }

  /** Where the two parted was removed, or what a branch has taken over since. */
  public static UnmergeableException unrelated(
      String thread, CheckpointId head, CheckpointId other) {
    return new UnmergeableException(
        "The checkpoint at which the two branches parted, or one that a branch has taken over since,"
            + " is not there any more.",
        thread,
        head,
        other,
        "Fold in by update(...) what the branch has to say.");
  }

  /** Both have taken over from the other since they parted. */
  public static UnmergeableException crossed(String thread, CheckpointId head, CheckpointId other) {
    return new UnmergeableException(
        "Both branches have taken over from each other, so what one of them brought cannot be told.",
        thread,
        head,
        other,
        "Merge in one direction only, or fold in by update(...) what the branch has to say.");
  }
}
