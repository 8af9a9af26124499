package io.superstep.checkpoint.redis;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that all processes of a test share and that goes 20 times as fast as others. */
final class FastClock implements InstantSource {

  private final long start;

  FastClock(long start) {
    this.start = start;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(start + (System.currentTimeMillis() - start) * 20);
  }
}
