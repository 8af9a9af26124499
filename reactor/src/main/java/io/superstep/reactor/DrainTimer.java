package io.superstep.reactor;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Measures for how long the drains of one run occupy a JVM thread; nested runs share it. A pass of
 * a nested run may lie inside one of the run around it: time that was reported is not reported
 * again.
 */
final class DrainTimer {

  private static final Duration MAX_THRESHOLD = Duration.ofNanos(Long.MAX_VALUE);

  /** The maximum number of reported passes that are remembered. */
  private static final int MAX_REPORTED = 64;

  /** A reported pass, with the time that no pass inside it has reported. */
  private record Reported(long jvmThread, long began, long nanos) {}

  private final long threshold;
  private final Ticker ticker;
  private final RunnerReports reports;
  private final @Nullable String thread;

  /** The passes that were reported last. */
  private final Deque<Reported> reported = new ConcurrentLinkedDeque<>();

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
   * @param threshold the minimum duration of a slow pass; zero turns the measurement off
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

  /** Returns the time of a slow pass that was not reported yet; null if there is none. */
  @Nullable
  Duration slow(long began, long now) {
    if (now - began < threshold) {
      return null;
    }
    long jvmThread = Thread.currentThread().getId();
    long own = now - began;
    for (Reported inside : reported) {
      own -= inside.jvmThread == jvmThread && inside.began - began >= 0 ? inside.nanos : 0;
    }
    if (own < threshold) {
      return null;
    }
    reported.addLast(new Reported(jvmThread, began, own));
    if (reported.size() > MAX_REPORTED) {
      reported.pollFirst();
    }
    return Duration.ofNanos(own);
  }

  /** Reports a pass of {@code run}. */
  void report(Run run, int firstStep, int lastStep, @Nullable String node, Duration duration) {
    reports.slowDrain(thread, run.path(), firstStep, lastStep, node, duration);
  }
}
