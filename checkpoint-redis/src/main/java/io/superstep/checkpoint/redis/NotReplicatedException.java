package io.superstep.checkpoint.redis;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/**
 * Something was written, and fewer replicas have confirmed it in time than were asked for. Writing
 * it again is safe, and waits for them again.
 */
public final class NotReplicatedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  NotReplicatedException(String doing, long confirmed, int wanted) {
    super(
        new Problem(
            "SG-460",
            confirmed + " replicas have confirmed a write, and " + wanted + " were asked for.",
            doing,
            "See that the replicas are connected, or ask for fewer; the thread goes on with"
                + " resume()."),
        null);
  }
}
