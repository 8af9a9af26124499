package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/** A node was to run again that has no outcome to be forgotten; nothing was written. */
public final class NothingToRerunException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public NothingToRerunException(String thread, String node, Collection<String> ended) {
    super(
        new Problem(
            "SG-408",
            "The node '" + node + "' has no outcome in the step under way; those that have: "
                + ended + ".",
            "thread '" + thread + "'",
            "Leave it out: what has no outcome runs anyway. To repeat a committed step, fork."),
        null);
  }
}
