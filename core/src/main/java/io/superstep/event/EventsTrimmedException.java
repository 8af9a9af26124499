package io.superstep.event;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if events that a follower or reader has not received were trimmed. */
public final class EventsTrimmedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String thread;
  private final long after;
  private final long first;

  public EventsTrimmedException(String thread, long after, long first) {
    super(
        new Problem(
            "SG-421",
            "Events " + (after + 1) + " to " + (first - 1) + " were trimmed.",
            "thread '" + thread + "', cursor " + after,
            "Load the state with thread.state(), and follow the thread from cursor " + (first - 1)
                + "."),
        null);
    this.thread = thread;
    this.after = after;
    this.first = first;
  }

  public String thread() {
    return thread;
  }

  /** Returns the cursor of the follower, after which events are missing. */
  public long after() {
    return after;
  }

  /** Returns the number of the first stored event, or of the next event if none is stored. */
  public long first() {
    return first;
  }
}
