package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** There is no such thread. */
public final class UnknownThreadException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public UnknownThreadException(String thread) {
    super(
        new Problem(
            "SG-404",
            "Nothing was ever committed to the thread, or it was removed.",
            "thread '" + thread + "'",
            "Start it with an input."),
        null);
  }
}
