package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/** Thrown if {@code Resume.rerun} names a node without an outcome; nothing was written. */
public final class NothingToRerunException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public NothingToRerunException(String thread, String node, Collection<String> ended) {
    super(
        new Problem(
            "SG-408",
            "Node '" + node + "' has no outcome in the current step; nodes with an outcome: "
                + ended + ".",
            "thread '" + thread + "'",
            "Remove the node from Resume.rerun(...): nodes without an outcome run anyway. Repeat a"
                + " committed step with thread.fork(...)."),
        null);
  }
}
