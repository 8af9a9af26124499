package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Somebody else is at the thread. */
public final class ThreadBusyException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public ThreadBusyException(Lease held) {
    super(
        new Problem(
            "SG-403",
            "A run is under way, and a thread has one run at a time.",
            "thread '" + held.thread() + "', held by '" + held.owner() + "' until " + held.until(),
            "Wait for it to end, or stop it."),
        null);
  }
}
