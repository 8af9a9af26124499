package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/**
 * Thrown if {@code Resume.ended} names a node that is not pending, or has an outcome; nothing was
 * written.
 */
public final class NothingToEndException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  /** @param open the paths of the nodes without an outcome */
  public NothingToEndException(String thread, String node, Collection<String> open) {
    super(
        new Problem(
            "SG-416",
            "Node '" + node
                + "' is not pending in the current step, or has an outcome; nodes without"
                + " an outcome: " + open + ".",
            "thread '" + thread + "'",
            open.isEmpty()
                ? "Change the state with thread.update(...)."
                : "Pass one of " + open
                    + " to Resume.ended(...), or change the state with thread.update(...)."),
        null);
  }
}
