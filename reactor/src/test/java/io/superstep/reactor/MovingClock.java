package io.superstep.reactor;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. */
final class MovingClock implements InstantSource {

  private volatile Instant now = Instant.EPOCH;

  @Override
  public Instant instant() {
    return now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }
}
