package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/** A node was given an outcome that is not due, or has one; nothing was written. */
public final class NothingToEndException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  /** @param open those that have no outcome, by their paths */
  public NothingToEndException(String thread, String node, Collection<String> open) {
    super(
        new Problem(
            "SG-416",
            "The node '" + node + "' is not due, or has an outcome in the step under way; without"
                + " one are: " + open + ".",
            "thread '" + thread + "'",
            "Name one of those, or change the state with update(...)."),
        null);
  }
}
