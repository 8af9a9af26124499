package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** A graph asks for something that only a thread can do. */
public final class UnsupportedGraphException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  UnsupportedGraphException(String node) {
    super(
        new Problem(
            "SG-154",
            "A graph inside a graph stops before or after a node, and where it stands is kept only"
                + " by a thread.",
            "node '" + node + "'",
            "Give the runner a store and run the graph on a thread, or interrupt before or after"
                + " the node that the inner graph is."),
        null);
  }
}
