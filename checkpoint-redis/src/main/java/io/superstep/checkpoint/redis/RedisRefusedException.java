package io.superstep.checkpoint.redis;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Redis refused what it was asked for; nothing was written. */
public final class RedisRefusedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  RedisRefusedException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
