package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/**
 * Thrown if a thread cannot be resumed because the outcome of a non-idempotent node is unknown: a
 * run ended after the node had started and before its outcome was recorded. No node was run.
 */
public final class OutcomeUnknownException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  /** @param nodes the paths of the nodes */
  public OutcomeUnknownException(String thread, Collection<String> nodes) {
    super(
        new Problem(
            "SG-415",
            "The outcome of non-idempotent nodes is unknown, because a run ended before recording it: "
                + nodes + ".",
            "thread '" + thread + "'",
            "Check whether the action was performed, then call"
                + " thread.resume(Resume.ended(node, update)) if it was, or"
                + " thread.resume(Resume.rerun(node)) if it was not."),
        null);
  }
}
