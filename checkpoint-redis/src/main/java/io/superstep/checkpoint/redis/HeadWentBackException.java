package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/**
 * Redis has forgotten something that it had confirmed: a replica was promoted that had not got it
 * yet, or an older copy was restored. Nothing was written.
 */
public final class HeadWentBackException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable CheckpointId seen;
  private final transient @Nullable CheckpointId head;

  HeadWentBackException(String thread, @Nullable CheckpointId seen, @Nullable CheckpointId head) {
    super(
        new Problem(
            "SG-457",
            "Redis has forgotten a part of the thread that it had confirmed: the writer saw it at "
                + seen + ", and it stands at " + head + ".",
            "thread '" + thread + "'",
            "Load the thread again and go on from where it stands; what was done since is lost."
                + " RedisSpace.builder(...).replicas(n) waits for replicas before a commit counts."),
        null);
    this.seen = seen;
    this.head = head;
  }

  /** Where the writer knows the thread to have stood. */
  public @Nullable CheckpointId seen() {
    return seen;
  }

  /** Where the thread stands; null if nothing is left of it. */
  public @Nullable CheckpointId head() {
    return head;
  }
}
