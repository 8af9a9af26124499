package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if a checkpoint cannot be removed because others depend on it; nothing was removed. */
public final class LineageException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private LineageException(String what, String thread, CheckpointId id, String fix) {
    super(new Problem("SG-406", what, "thread '" + thread + "', checkpoint " + id, fix), null);
  }

  /** Returns the error of a checkpoint with descendants. */
  public static LineageException hasChildren(String thread, CheckpointId id) {
    return new LineageException(
        "Checkpoint " + id + " has descendants.",
        thread,
        id,
        "Delete them too, with CheckpointStore.delete(thread, id, true).");
  }

  /**
   * Returns the error of a checkpoint whose changes {@code merge} contains: without the checkpoint,
   * a later merge would apply them again.
   */
  public static LineageException wasMerged(String thread, CheckpointId id, CheckpointId merge) {
    return new LineageException(
        "Merge " + merge + " contains the changes of checkpoint " + id + " or of a descendant.",
        thread,
        id,
        "Keep the checkpoint as long as the merge, or prune the thread with thread.prune(...).");
  }

  /**
   * Returns the error of a checkpoint that is the head of its thread, or an ancestor of the head.
   */
  public static LineageException holdsHead(String thread, CheckpointId id) {
    return new LineageException(
        "The head of the thread is checkpoint " + id + " or one of its descendants.",
        thread,
        id,
        "Fork from another checkpoint with thread.fork(...) first, or delete the thread with"
            + " thread.delete().");
  }
}
