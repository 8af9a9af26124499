package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** A graph asks for something that a runner cannot do. */
public final class UnsupportedGraphException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  UnsupportedGraphException(String path, String node) {
    super(
        new Problem(
            "SG-154",
            "A graph inside a graph stops before or after its node '" + node
                + "', and where it stands cannot be kept yet.",
            "node '" + path + node + "'",
            "Interrupt before or after the node that the inner graph is."),
        null);
  }
}
