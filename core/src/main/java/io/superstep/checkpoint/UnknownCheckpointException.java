package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** A thread has no such checkpoint. */
public final class UnknownCheckpointException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public UnknownCheckpointException(String thread, CheckpointId id) {
    super(
        new Problem(
            "SG-405",
            "There is no checkpoint " + id + ".",
            "thread '" + thread + "'",
            "Take one of the thread's history; it may have been removed."),
        null);
  }
}
