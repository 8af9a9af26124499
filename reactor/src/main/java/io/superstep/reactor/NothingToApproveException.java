package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/** Thrown if no decision is awaited; nothing was written. */
public final class NothingToApproveException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private NothingToApproveException(String thread, String what, String fix) {
    super(new Problem("SG-445", what, "thread '" + thread + "'", fix), null);
  }

  /** Returns the error of a thread that is not interrupted before the node. */
  static NothingToApproveException elsewhere(String thread, String node, Collection<String> due) {
    String pending = due.isEmpty() ? "no tasks are pending." : "pending tasks: " + due + ".";
    return new NothingToApproveException(
        thread,
        "The thread is not interrupted before node '" + node + "'; " + pending,
        "Declare interruptBefore(\"" + node + "\") in the graph, and run the thread until it is"
            + " interrupted there.");
  }

  /** Returns the error of a thread without a request for an approval. */
  static NothingToApproveException notRequested(String thread, String node) {
    return new NothingToApproveException(
        thread,
        "The thread is interrupted before node '" + node + "', but no approval was requested.",
        "Request it with approvals.request(thread), or write approvals.awaited() in the preceding"
            + " node.");
  }
}
