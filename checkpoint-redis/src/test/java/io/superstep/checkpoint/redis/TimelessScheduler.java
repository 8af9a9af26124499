package io.superstep.checkpoint.redis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Does what is due at once, or soon, and never what is due in a second or later: whoever is woken
 * here was woken by somebody, and not by a timer.
 */
final class TimelessScheduler implements Scheduler {

  private final Scheduler real = Schedulers.newBoundedElastic(8, Integer.MAX_VALUE, "timeless");
  private final AtomicInteger waiting = new AtomicInteger();

  /** How many tasks wait for a time that never comes. */
  int waiting() {
    return waiting.get();
  }

  @Override
  public Disposable schedule(Runnable task) {
    return real.schedule(task);
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    if (unit.toMillis(delay) < 1_000) {
      return real.schedule(task, delay, unit);
    }
    waiting.incrementAndGet();
    AtomicBoolean waits = new AtomicBoolean(true);
    return () -> {
      if (waits.getAndSet(false)) {
        waiting.decrementAndGet();
      }
    };
  }

  @Override
  public Worker createWorker() {
    return real.createWorker();
  }

  @Override
  public void dispose() {
    real.dispose();
  }
}
