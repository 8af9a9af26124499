package io.superstep.value;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** A value was handed in that is not what its place holds, or that could never be kept. */
public final class InvalidValueException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public InvalidValueException(Problem problem) {
    super(problem, null);
  }

  /** The only problem of this error. */
  public Problem problem() {
    return problems().get(0);
  }
}
