package io.superstep.event;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/**
 * Thrown if a run appends to the events of a thread that it does not own, or with a wrong number.
 */
public final class EventLogConflictException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String thread;

  private EventLogConflictException(String thread, String what, String where, String fix) {
    super(new Problem("SG-423", what, "thread '" + thread + "', " + where, fix), null);
    this.thread = thread;
  }

  /**
   * Returns the error of a run whose thread was deleted, or taken over with a higher fence.
   *
   * @param seen the highest fence of the thread
   */
  public static EventLogConflictException fenced(String thread, long fence, long seen) {
    return new EventLogConflictException(
        thread,
        seen == fence
            ? "The thread was deleted after this run acquired its lease."
            : "Another run took over the thread, with fence " + seen + ".",
        "fence " + fence,
        "Let the other run continue; acquire a new lease before the next append.");
  }

  /**
   * Returns the error of an event that does not have the next number.
   *
   * @param number the number of the event
   * @param expected the next number of the thread
   */
  public static EventLogConflictException gap(String thread, long number, long expected) {
    return new EventLogConflictException(
        thread,
        "An event has number " + number + ", and the next number of the thread is " + expected
            + ".",
        "event " + number,
        "Open the event log of the thread to read its last number, and continue with the next.");
  }

  public String thread() {
    return thread;
  }
}
