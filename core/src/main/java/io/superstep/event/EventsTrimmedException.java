package io.superstep.event;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Facts that a follower or reader has not seen are gone. */
public final class EventsTrimmedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String thread;
  private final long after;
  private final long first;

  public EventsTrimmedException(String thread, long after, long first) {
    super(
        new Problem(
            "SG-421",
            "The facts " + (after + 1) + " to " + (first - 1) + " are no longer kept.",
            "thread '" + thread + "', cursor " + after,
            "Load the state of the thread to see where it stands, and follow it from the cursor "
                + (first - 1)
                + "."),
        null);
    this.thread = thread;
    this.after = after;
    this.first = first;
  }

  public String thread() {
    return thread;
  }

  /** The cursor behind which facts are missing. */
  public long after() {
    return after;
  }

  /** The number of the first fact that is kept, or of the next one to come if none is. */
  public long first() {
    return first;
  }
}
