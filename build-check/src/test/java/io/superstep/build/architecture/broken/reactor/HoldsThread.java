package io.superstep.build.architecture.broken.reactor;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

final class HoldsThread {
  void sleep() throws InterruptedException {
    Thread.sleep(1);
  }

  void sleepInUnits() throws InterruptedException {
    TimeUnit.SECONDS.sleep(1);
  }

  AutoCloseable join(Thread thread) {
    return thread::join;
  }

  void joinInUnits(Thread thread) throws InterruptedException {
    TimeUnit.SECONDS.timedJoin(thread, 1);
  }

  AutoCloseable waitOnMonitor() {
    return this::wait;
  }

  void waitInUnits() throws InterruptedException {
    TimeUnit.SECONDS.timedWait(this, 1);
  }

  void park() {
    LockSupport.park();
  }

  void parkForAWhile() {
    LockSupport.parkNanos(1);
  }

  void parkUntil() {
    LockSupport.parkUntil(1);
  }
}
