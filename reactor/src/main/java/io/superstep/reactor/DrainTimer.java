package io.superstep.reactor;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Measures for how long the drains of one run occupy a JVM thread; nested runs share it. A pass of
 * a nested run may lie inside one of the run around it: time that was reported is not reported
 * again.
 */
final class DrainTimer {

  private static final Duration MAX_THRESHOLD = Duration.ofNanos(Long.MAX_VALUE);

  private final long threshold;
  private final Ticker ticker;
  private final RunnerReports reports;
  private final @Nullable String thread;

  /** The end of the last pass that was reported; null if none was. */
  private volatile @Nullable Long reportedUntil;

  private DrainTimer(
      long threshold, Ticker ticker, RunnerReports reports, @Nullable String thread) {
    this.threshold = threshold;
    this.ticker = ticker;
    this.reports = reports;
    this.thread = thread;
  }

  /**
   * Returns the timer of a run; null if passes are not measured.
   *
   * @param threshold the time from which on a pass is slow; zero turns the measurement off
   * @param thread the thread of the run; null if it has none
   */
  static @Nullable DrainTimer of(
      Duration threshold, Ticker ticker, RunnerReports reports, @Nullable String thread) {
    if (threshold.isZero()) {
      return null;
    }
    Duration most = threshold.compareTo(MAX_THRESHOLD) < 0 ? threshold : MAX_THRESHOLD;
    return new DrainTimer(most.toNanos(), ticker, reports, thread);
  }

  long now() {
    return ticker.read();
  }

  /** Returns the time of a slow pass that is to be reported; null if there is none. */
  @Nullable
  Duration slow(long began, long now) {
    if (now - began < threshold) {
      return null;
    }
    Long last = reportedUntil;
    long counted = last != null && last - began > 0 ? now - last : now - began;
    if (counted < threshold) {
      return null;
    }
    reportedUntil = now;
    return Duration.ofNanos(counted);
  }

  /** Reports a pass of {@code run}. */
  void report(Run run, int firstStep, int lastStep, @Nullable String node, Duration duration) {
    reports.slowDrain(thread, run.path(), firstStep, lastStep, node, duration);
  }
}
