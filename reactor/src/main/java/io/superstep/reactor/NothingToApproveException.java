package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/** Nobody waits for a decision; nothing was written. */
public final class NothingToApproveException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private NothingToApproveException(String thread, String what, String fix) {
    super(new Problem("SG-445", what, "thread '" + thread + "'", fix), null);
  }

  /** The thread stands somewhere else. */
  static NothingToApproveException elsewhere(String thread, String node, Collection<String> due) {
    String where = due.isEmpty() ? "nothing is due." : "due are: " + due + ".";
    return new NothingToApproveException(
        thread,
        "The thread does not stand before the node '" + node + "'; " + where,
        "Run it until it pauses there; interruptBefore(\"" + node + "\") makes it.");
  }

  /** The thread stands where it should, and nobody has asked. */
  static NothingToApproveException notRequested(String thread, String node) {
    return new NothingToApproveException(
        thread,
        "The thread stands before the node '" + node + "', and no approval is awaited.",
        "Ask for it with request(...), or let the node that plans write awaited().");
  }
}
