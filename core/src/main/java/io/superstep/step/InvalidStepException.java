package io.superstep.step;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if the outcomes of a step are not exactly one for each planned task. */
public final class InvalidStepException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  InvalidStepException(String what, String where) {
    super(
        new Problem(
            "SG-142",
            what,
            where,
            "Pass exactly one outcome for each task of Superstep.plan(position)."),
        null);
  }
}
