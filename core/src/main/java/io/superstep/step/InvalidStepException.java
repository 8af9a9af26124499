package io.superstep.step;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Outcomes were handed in that are not those of the planned tasks, each once. */
public final class InvalidStepException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  InvalidStepException(String what, String where) {
    super(
        new Problem("SG-142", what, where, "Hand in one outcome for each task of plan(position)."),
        null);
  }
}
