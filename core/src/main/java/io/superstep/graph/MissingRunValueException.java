package io.superstep.graph;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if a node reads a {@link RunKey} that has no value in its run. */
public final class MissingRunValueException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public MissingRunValueException(String node, RunKey<?> key) {
    super(
        new Problem(
            "SG-155",
            "The run has no value for " + key + ".",
            "node '" + node + "'",
            "Start the run with RunOptions.NONE.with(key, value), or read an optional value with"
                + " context.find(key)."),
        null);
  }
}
