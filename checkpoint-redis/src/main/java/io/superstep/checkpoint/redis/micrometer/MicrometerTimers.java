package io.superstep.checkpoint.redis.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.superstep.checkpoint.redis.RedisCall;
import io.superstep.checkpoint.redis.RedisObserver;
import io.superstep.error.SuperstepException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the timer {@code superstep.redis}, with the tags {@code call} and {@code error}, which is
 * {@code none}, the code of an error of ours, or the name of another.
 */
public final class MicrometerTimers implements RedisObserver {

  private final MeterRegistry registry;

  public MicrometerTimers(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void took(RedisCall call, Duration time, @Nullable Throwable failure) {
    Timer.builder("superstep.redis")
        .description("How long Redis took")
        .tag("call", call.name().toLowerCase(Locale.ROOT))
        .tag("error", error(failure))
        .register(registry)
        .record(time);
  }

  private static String error(@Nullable Throwable failure) {
    if (failure == null) {
      return "none";
    }
    return failure instanceof SuperstepException ours
        ? ours.code()
        : failure.getClass().getSimpleName();
  }
}
