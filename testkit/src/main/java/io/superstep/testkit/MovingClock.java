package io.superstep.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is moved. */
public final class MovingClock implements InstantSource {

  private final AtomicReference<Instant> now;

  /** A clock that stands at {@code start}. */
  public MovingClock(Instant start) {
    this.now = new AtomicReference<>(start);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  /** Moves it on. */
  public void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }
}
