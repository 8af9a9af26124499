package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.LeaseLost;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/**
 * Redis has forgotten something that it had confirmed: a replica was promoted that had not got it
 * yet, or an older copy was restored. Nothing was written.
 */
public final class HeadWentBackException extends SuperstepException implements LeaseLost {

  private static final long serialVersionUID = 1L;

  private static final String FIX =
      "Load the thread again and resume it from its stored head; later work is lost."
          + " RedisSpace.builder(...).replicas(n) waits for replicas before a commit counts.";

  private final transient @Nullable CheckpointId seen;
  private final transient @Nullable CheckpointId head;

  HeadWentBackException(String thread, @Nullable CheckpointId seen, @Nullable CheckpointId head) {
    super(
        new Problem(
            "SG-457",
            "Redis has lost a part of the thread that it had confirmed: "
                + (seen == null
                    ? "it does not know the lease"
                    : "the writer saw checkpoint " + seen)
                + ", and the stored head is " + (head == null ? "missing" : head) + ".",
            "thread '" + ThreadNames.shown(thread) + "'",
            FIX),
        null);
    this.seen = seen;
    this.head = head;
  }

  /** @param confirmed the last event that Redis had confirmed to the writer */
  HeadWentBackException(String thread, long confirmed, long last) {
    super(
        new Problem(
            "SG-457",
            "Redis has lost events of the thread that it had confirmed: the writer has appended"
                + " event " + confirmed + ", and the stored log ends with event " + last + ".",
            "thread '" + ThreadNames.shown(thread) + "'",
            FIX),
        null);
    this.seen = null;
    this.head = null;
  }

  /** The checkpoint that the writer saw; null if the loss was found in the lease or the events. */
  public @Nullable CheckpointId seen() {
    return seen;
  }

  /** The stored head; null if there is none, or if the loss was found in the events. */
  public @Nullable CheckpointId head() {
    return head;
  }
}
