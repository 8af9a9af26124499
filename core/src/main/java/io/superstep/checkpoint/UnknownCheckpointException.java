package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if a thread does not have the given checkpoint. */
public final class UnknownCheckpointException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public UnknownCheckpointException(String thread, CheckpointId id) {
    super(
        new Problem(
            "SG-405",
            "Checkpoint " + id + " does not exist.",
            "thread '" + thread + "'",
            "Use an id from thread.history(); the checkpoint may have been pruned."),
        null);
  }
}
