package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** A thread was to begin as a copy, and there is one of its name; nothing was written. */
public final class ThreadExistsException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public ThreadExistsException(String thread, CheckpointId head) {
    super(
        new Problem(
            "SG-409",
            "There is such a thread, and a copy never writes over one.",
            "thread '" + thread + "', checkpoint " + head,
            "Copy to a name that is free, or remove that thread first."),
        null);
  }
}
