package io.superstep.event;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** A cursor is not one of the thread: no fact of it has that number. */
public final class UnknownCursorException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String thread;
  private final long after;
  private final long last;

  public UnknownCursorException(String thread, long after, long last) {
    super(
        new Problem(
            "SG-422",
            "The cursor is " + after + ", and the last fact of the thread has number " + last + ".",
            "thread '" + thread + "', cursor " + after,
            "Follow the thread from 0, and look whether its name is right; it may have been"
                + " deleted, or begun anew."),
        null);
    this.thread = thread;
    this.after = after;
    this.last = last;
  }

  public String thread() {
    return thread;
  }

  /** The cursor that was given, or had been reached. */
  public long after() {
    return after;
  }

  /** The number of the last fact of the thread, 0 if there is none. */
  public long last() {
    return last;
  }
}
