package io.superstep.graph;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;

/** A graph was described in a way that cannot work; all problems are told at once. */
public final class InvalidGraphException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String graph;

  InvalidGraphException(String graph, List<Problem> problems) {
    super(headline("Graph '" + graph + "' cannot be built", problems), problems);
    this.graph = graph;
  }

  /** The name of the graph. */
  public String graph() {
    return graph;
  }
}
