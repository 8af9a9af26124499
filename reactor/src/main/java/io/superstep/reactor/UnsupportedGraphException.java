package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if a graph is run without a thread, and requires one. */
public final class UnsupportedGraphException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  UnsupportedGraphException(String node) {
    super(
        new Problem(
            "SG-154",
            "The subgraph has interruptBefore or interruptAfter, which requires a thread.",
            "node '" + node + "'",
            "Build the runner with checkpoints(store) and run with runner.thread(id).run(input), or"
                + " interrupt before or after the node of the subgraph."),
        null);
  }
}
