package io.superstep.checkpoint.redis;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/**
 * Thrown if a write was stored, and fewer replicas than required acknowledged it in time. Repeating
 * the write is safe, and waits for the replicas again.
 */
public final class NotReplicatedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  NotReplicatedException(String doing, long confirmed, int wanted) {
    super(
        new Problem(
            "SG-460",
            "The write was acknowledged by " + confirmed + " of the required " + wanted
                + " replicas.",
            doing,
            "Check that the replicas are connected, or lower RedisSpace.builder(...).replicas(n),"
                + " then call thread.resume()."),
        null);
  }
}
