package io.superstep.reactor;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * Reports tasks that have signalled nothing for a long time, such as a task whose error was thrown
 * on a foreign JVM thread and lost.
 *
 * <p>It samples the runs of one runner from a timer: a run costs one registration, a signal costs
 * the increment of a plain counter. Runs are referenced weakly, so that a run without a subscriber
 * can be collected. A stalled task is not ended: a long model call is legal.
 */
final class StallDetector {

  /** How often a task is sampled before it counts as stalled. */
  private static final int SAMPLES = 4;

  private static final Duration MIN_PERIOD = Duration.ofMillis(1);
  private static final Duration MAX_PERIOD = Duration.ofDays(36_500);

  private final Duration threshold;
  private final Duration period;
  private final Supplier<Scheduler> timer;
  private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  /** @param threshold the silence after which a task is reported; zero turns the detector off */
  StallDetector(Duration threshold, Supplier<Scheduler> timer) {
    this.threshold = threshold;
    Duration shortest =
        threshold.compareTo(MAX_PERIOD) < 0 ? threshold.dividedBy(SAMPLES) : MAX_PERIOD;
    this.period = shortest.compareTo(MIN_PERIOD) < 0 ? MIN_PERIOD : shortest;
    this.timer = timer;
  }

  /** A run that is sampled until it ends. */
  static final class Watched extends WeakReference<SuperstepLoop> {

    Watched(SuperstepLoop loop) {
      super(loop);
    }
  }

  /** A scheduled sample, which does not keep a runner alive that is not used any more. */
  private static final class Sample extends WeakReference<StallDetector> implements Runnable {

    Sample(StallDetector detector) {
      super(detector);
    }

    @Override
    public void run() {
      StallDetector detector = get();
      if (detector != null) {
        detector.sample();
      }
    }
  }

  Watched watch(SuperstepLoop loop) {
    Watched run = new Watched(loop);
    if (!threshold.isZero()) {
      watched.add(run);
      if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
        schedule();
      }
    }
    return run;
  }

  void forget(Watched run) {
    watched.remove(run);
  }

  /** Returns the number of runs that have not ended. */
  int watched() {
    return watched.size();
  }

  private void schedule() {
    try {
      timer.get().schedule(new Sample(this), period.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException disposed) {
      scheduled.set(false); // the application is shutting down
    }
  }

  private void sample() {
    watched.removeIf(run -> run.get() == null);
    try {
      watched.forEach(this::sample);
    } finally {
      scheduleIfWatched();
    }
  }

  private void scheduleIfWatched() {
    if (!watched.isEmpty()) {
      schedule();
      return;
    }
    scheduled.set(false);
    if (!watched.isEmpty() && scheduled.compareAndSet(false, true)) {
      schedule();
    }
  }

  private void sample(Watched run) {
    SuperstepLoop loop = run.get();
    if (loop != null) {
      loop.sample(this);
    }
  }

  /** Returns the silence to report after {@code samples} without a signal; null if none yet. */
  @Nullable
  Duration silence(int samples) {
    int periods = samples / SAMPLES;
    boolean isDue = samples % SAMPLES == 0 && Integer.bitCount(periods) == 1; // 1, 2, 4, ... times
    return isDue ? threshold.multipliedBy(periods) : null;
  }
}
