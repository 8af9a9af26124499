package io.superstep.value;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if a value is not of the required type, or cannot be stored. */
public final class InvalidValueException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public InvalidValueException(Problem problem) {
    super(problem, null);
  }

  /** Returns the single problem of this error. */
  public Problem problem() {
    return problems().get(0);
  }
}
