package io.superstep.event;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Somebody else appends to the thread now, or what was to be appended is not what comes next. */
public final class EventLogConflictException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String thread;

  private EventLogConflictException(String thread, String what, String where, String fix) {
    super(new Problem("SG-423", what, "thread '" + thread + "', " + where, fix), null);
    this.thread = thread;
  }

  /**
   * A higher fence was seen, or the thread was deleted since this one was.
   *
   * @param seen the highest one
   */
  public static EventLogConflictException fenced(String thread, long fence, long seen) {
    return new EventLogConflictException(
        thread,
        seen == fence
            ? "The thread was deleted, and its writer must not come back."
            : "A later writer has taken the thread over, with fence " + seen + ".",
        "fence " + fence,
        "Let whoever has the thread now go on; acquire a lease to write again.");
  }

  /**
   * The numbers do not go on.
   *
   * @param number the one that was found
   * @param expected the one that would have been right
   */
  public static EventLogConflictException gap(String thread, long number, long expected) {
    return new EventLogConflictException(
        thread,
        "An event has the number " + number + " where " + expected + " is due.",
        "event " + number,
        "Open the thread to learn its last number, and go on from there.");
  }

  public String thread() {
    return thread;
  }
}
