package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if a text is not the id of a checkpoint. */
public final class InvalidCheckpointIdException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  InvalidCheckpointIdException(String text) {
    super(
        new Problem(
            "SG-418",
            "A text of " + text.length() + " characters is not the id of a checkpoint.",
            "CheckpointId.parse(...)",
            "Use <sequence>-<fence>, two positive numbers without leading zeros, such as 12-1."),
        null);
  }
}
