package io.superstep.checkpoint.redis;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/**
 * Thrown if Redis is not reachable, or did not respond in time. The call may or may not have been
 * executed; repeating it is safe.
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
            "Redis is not reachable.",
            doing,
            "Check that Redis runs and that the address of the client is correct, then call"
                + " thread.resume()."),
        cause);
  }

  static RedisUnavailableException slow(String doing, Throwable cause) {
    return new RedisUnavailableException(
        new Problem(
            "SG-452",
            "Redis did not respond in time.",
            doing,
            "Check Redis for slow commands, or raise RedisSpace.builder(...).timeout(...), then call"
                + " thread.resume()."),
        cause);
  }
}
