package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.LeaseLost;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if Redis lost a write that it had acknowledged: a replica was promoted that had not
 * received it, or an older copy was restored. Nothing was written.
 */
public final class HeadWentBackException extends SuperstepException implements LeaseLost {

  private static final long serialVersionUID = 1L;

  private static final String FIX =
      "Load the thread with thread.state() and call thread.resume(): it continues from the stored"
          + " head, and later steps are lost. RedisSpace.builder(...).replicas(n) makes commits wait"
          + " for replicas.";

  private final transient @Nullable CheckpointId seen;
  private final transient @Nullable CheckpointId head;

  HeadWentBackException(String thread, @Nullable CheckpointId seen, @Nullable CheckpointId head) {
    super(
        new Problem(
            "SG-457",
            "Redis lost data of the thread that it had acknowledged: "
                + (seen == null ? "the lease is missing" : "the writer saw checkpoint " + seen)
                + ", and the stored head is " + (head == null ? "missing" : head) + ".",
            "thread '" + ThreadNames.shown(thread) + "'",
            FIX),
        null);
    this.seen = seen;
    this.head = head;
  }

  /** @param confirmed the last event that Redis had acknowledged to the writer */
  HeadWentBackException(String thread, long confirmed, long last) {
    super(
        new Problem(
            "SG-457",
            "Redis lost events of the thread that it had acknowledged: the writer has appended"
                + " event " + confirmed + ", and the stored log ends with event " + last + ".",
            "thread '" + ThreadNames.shown(thread) + "'",
            FIX),
        null);
    this.seen = null;
    this.head = null;
  }

  /**
   * Returns the checkpoint that the writer saw; null if the loss was found in the lease or the
   * events.
   */
  public @Nullable CheckpointId seen() {
    return seen;
  }

  /** Returns the stored head; null if there is none, or if the loss was found in the events. */
  public @Nullable CheckpointId head() {
    return head;
  }
}
