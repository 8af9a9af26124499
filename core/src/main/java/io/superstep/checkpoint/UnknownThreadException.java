package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if a thread has no checkpoint. */
public final class UnknownThreadException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public UnknownThreadException(String thread) {
    super(
        new Problem(
            "SG-404",
            "Thread '" + thread + "' does not exist: it has no checkpoint, or was deleted.",
            "thread '" + thread + "'",
            "Start the thread with thread.stream(input), or correct its id."),
        null);
  }
}
