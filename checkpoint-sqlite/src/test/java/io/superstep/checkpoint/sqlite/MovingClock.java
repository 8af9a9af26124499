package io.superstep.checkpoint.sqlite;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is moved. */
final class MovingClock implements InstantSource {

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

  @Override
  public Instant instant() {
    return now.get();
  }

  void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }
}
