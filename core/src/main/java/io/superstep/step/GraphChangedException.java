package io.superstep.step;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;

/** A run cannot go on with this graph, because what it would go on with is gone. */
public final class GraphChangedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  GraphChangedException(String graph, List<Problem> problems) {
    super(
        headline(
            "Graph '" + graph + "' cannot resume the thread, which another version of it wrote",
            problems),
        problems);
  }
}
