package io.superstep.step;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;

/**
 * Thrown if a thread cannot be resumed with this version of its graph, which lacks nodes, channels
 * or joins that the pending tasks require.
 */
public final class GraphChangedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  GraphChangedException(String graph, List<Problem> problems) {
    super(
        headline(
            "Graph '" + graph
                + "' cannot resume the thread, which another version of the graph wrote",
            problems),
        problems);
  }
}
