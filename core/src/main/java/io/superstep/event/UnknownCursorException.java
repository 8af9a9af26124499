package io.superstep.event;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if a cursor is negative, or beyond the last event of its thread. */
public final class UnknownCursorException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String thread;
  private final long after;
  private final long last;

  public UnknownCursorException(String thread, long after, long last) {
    super(
        new Problem(
            "SG-422",
            "Cursor " + after + " does not exist; the last event of the thread has number " + last
                + ".",
            "thread '" + thread + "', cursor " + after,
            "Follow the thread from cursor 0, and check its id; the thread may have been deleted and"
                + " started again."),
        null);
    this.thread = thread;
    this.after = after;
    this.last = last;
  }

  public String thread() {
    return thread;
  }

  /** Returns the cursor of the follower. */
  public long after() {
    return after;
  }

  /** Returns the number of the last event of the thread, 0 if there is none. */
  public long last() {
    return last;
  }
}
