package io.superstep.graph;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;

/** Thrown if a graph is not valid; lists all problems of the graph. */
public final class InvalidGraphException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String graph;

  InvalidGraphException(String graph, List<Problem> problems) {
    super(headline("Graph '" + graph + "' cannot be built", problems), problems);
    this.graph = graph;
  }

  /** Returns the name of the graph. */
  public String graph() {
    return graph;
  }
}
