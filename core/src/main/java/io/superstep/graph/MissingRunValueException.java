package io.superstep.graph;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** A node asked its run for something that the run was not given. */
public final class MissingRunValueException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public MissingRunValueException(String node, RunKey<?> key) {
    super(
        new Problem(
            "SG-155",
            "The run was not given " + key + ".",
            "node '" + node + "'",
            "Start the run with RunOptions.NONE.with(key, value), or ask with find(key)."),
        null);
  }
}
