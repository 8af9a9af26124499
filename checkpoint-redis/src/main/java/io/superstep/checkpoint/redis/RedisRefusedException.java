package io.superstep.checkpoint.redis;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if Redis refused a command; nothing was written. */
public final class RedisRefusedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  RedisRefusedException(Problem problem, Throwable cause) {
    super(problem, cause);
  }
}
