package io.superstep.reactor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** A scheduler whose tasks run when a test says so, and whose time passes when it does. */
final class HandTurnedScheduler implements Scheduler {

  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private Duration now = Duration.ZERO;

  @Override
  public Disposable schedule(Runnable task) {
    waiting.add(task);
    return Disposables.single();
  }

  /** How many tasks wait. */
  int waiting() {
    return waiting.size();
  }

  void turn() {
    for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
      task.run();
    }
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  @Override
  public long now(TimeUnit unit) {
    return unit.convert(now);
  }

  @Override
  public Worker createWorker() {
    throw new UnsupportedOperationException("Followers are woken without one.");
  }
}
