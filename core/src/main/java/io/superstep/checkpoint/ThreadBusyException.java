package io.superstep.checkpoint;

import io.superstep.error.MessageText;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.time.Instant;

/** Another run holds the lease of the thread, which has one run at a time. */
public final class ThreadBusyException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String owner;
  private final Instant until;

  public ThreadBusyException(Lease held) {
    super(
        new Problem(
            "SG-403",
            "Another run is under way on the thread, and a thread has one run at a time.",
            "thread '" + MessageText.name(held.thread()) + "', lease of '" + held.owner()
                + "' until " + held.until(),
            "Wait until the run ends, stop it with thread.stop() in the process of its owner, or"
                + " enqueue the input with thread.queue(...), which runs it afterwards. If that"
                + " process was killed, the thread can be resumed after " + held.until() + "."),
        null);
    this.owner = held.owner();
    this.until = held.until();
  }

  /**
   * Returns the owner of the lease, which begins with the name of its process, as {@link Lease}
   * says.
   */
  public String owner() {
    return owner;
  }

  /** Returns the time at which the lease expires, unless the run renews it. */
  public Instant until() {
    return until;
  }
}
