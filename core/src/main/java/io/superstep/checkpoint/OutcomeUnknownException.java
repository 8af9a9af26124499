package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/**
 * Nodes that act on the world outside were at it when a run ended, and nobody saw what came of it;
 * nothing was run.
 */
public final class OutcomeUnknownException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  /** @param nodes by their paths */
  public OutcomeUnknownException(String thread, Collection<String> nodes) {
    super(
        new Problem(
            "SG-415",
            "Whether these nodes have done what they do to the world outside is unknown: " + nodes
                + ".",
            "thread '" + thread + "'",
            "Find out, and resume with Resume.ended(node, update) if it was done, or with"
                + " Resume.rerun(node) if it was not."),
        null);
  }
}
