package io.superstep.checkpoint.redis;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/**
 * Redis was not reached, or did not answer in time. What was asked for may have been done or not;
 * to ask again is safe.
 */
public final class RedisUnavailableException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private RedisUnavailableException(Problem problem, Throwable cause) {
    super(problem, cause);
  }

  static RedisUnavailableException unreachable(String doing, Throwable cause) {
    return new RedisUnavailableException(
        new Problem(
            "SG-451",
            "Redis cannot be reached.",
            doing,
            "See that it runs and that its address is right; the thread goes on with resume() when"
                + " Redis is back."),
        cause);
  }

  static RedisUnavailableException slow(String doing, Throwable cause) {
    return new RedisUnavailableException(
        new Problem(
            "SG-452",
            "Redis did not answer in time.",
            doing,
            "See what keeps it busy, or raise RedisSpace.builder(...).timeout(...); the thread goes"
                + " on with resume()."),
        cause);
  }
}
