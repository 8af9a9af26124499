package io.superstep.checkpoint.sqlite;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/** A scheduler that cannot get a JVM thread some times. */
final class Refusing implements Scheduler {

  private final Scheduler scheduler;
  private final AtomicInteger refusals = new AtomicInteger();

  Refusing(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void refuse(int times) {
    refusals.set(times);
  }

  private Scheduler given() {
    if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    return scheduler;
  }

  @Override
  public Disposable schedule(Runnable task) {
    return given().schedule(task);
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    return given().schedule(task, delay, unit);
  }

  @Override
  public Worker createWorker() {
    return given().createWorker();
  }
}
