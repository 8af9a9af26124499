package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** A checkpoint cannot be removed because others depend on it; nothing was removed. */
public final class LineageException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private LineageException(String what, String thread, CheckpointId id, String fix) {
    super(new Problem("SG-406", what, "thread '" + thread + "', checkpoint " + id, fix), null);
  }

  /** Others grew out of it. */
  public static LineageException hasChildren(String thread, CheckpointId id) {
    return new LineageException(
        "Other checkpoints grew out of it.", thread, id, "Remove them too, with cascade.");
  }

  /** {@code merge} has taken over from it: without it, a later merge would take the same again. */
  public static LineageException wasMerged(String thread, CheckpointId id, CheckpointId merge) {
    return new LineageException(
        "The merge " + merge + " has taken over from it, or from one that grew out of it.",
        thread,
        id,
        "Keep it as long as the merge is there, or prune the thread.");
  }

  /** The thread stands at it, or at one that grew out of it. */
  public static LineageException holdsHead(String thread, CheckpointId id) {
    return new LineageException(
        "The thread stands at it, or at one that grew out of it.",
        thread,
        id,
        "Fork the thread elsewhere first, or remove the thread.");
  }
}
