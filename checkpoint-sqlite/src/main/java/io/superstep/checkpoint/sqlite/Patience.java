package io.superstep.checkpoint.sqlite;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long others may keep the file from us. Each call has a bound of its own, and what counts is
 * how long others were waited for while it was there, not what was done meanwhile. Whoever writes
 * says when it waits; many may ask.
 */
final class Patience {

  private final long most;
  private final LongSupplier clock;

  /** In nanoseconds; changed by one JVM thread at a time. */
  private volatile Waits waits = new Waits(0, 0, false);

  /**
   * @param total how long others were waited for before
   * @param since when the last wait began
   * @param isWaiting whether that one is under way
   */
  private record Waits(long total, long since, boolean isWaiting) {

    long until(long now) {
      return isWaiting ? total + now - since : total;
    }
  }

  /** @param clock brings nanoseconds, from any beginning */
  Patience(Duration most, LongSupplier clock) {
    this.most = most.toNanos();
    this.clock = clock;
  }

  /** How long others were waited for up to now: what a call remembers when it is made. */
  long waited() {
    Waits now = waits;
    return now.isWaiting() ? now.until(clock.getAsLong()) : now.total();
  }

  /** What is left, in nanoseconds, to a call that was made at {@code mark}. */
  long left(long mark) {
    return Math.max(0, Math.min(most, most - (waited() - mark)));
  }

  void begin() {
    waits = new Waits(waits.total(), clock.getAsLong(), true);
  }

  /** Says whether a wait was under way; else nothing happens. */
  boolean end(boolean counts) {
    if (!waits.isWaiting()) {
      return false;
    }
    long total = counts ? waits.until(clock.getAsLong()) : waits.total();
    waits = new Waits(total, 0, false);
    return true;
  }
}
