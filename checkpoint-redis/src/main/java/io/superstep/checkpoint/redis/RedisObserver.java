package io.superstep.checkpoint.redis;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Is told how long Redis took. It is called where results are handed on, and must not block. */
@FunctionalInterface
public interface RedisObserver {

  /**
   * Redis has done something, or failed to.
   *
   * @param failure what it ended with; null if it succeeded
   */
  void took(RedisCall call, Duration time, @Nullable Throwable failure);
}
