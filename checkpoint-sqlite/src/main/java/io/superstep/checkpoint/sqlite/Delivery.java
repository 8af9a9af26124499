package io.superstep.checkpoint.sqlite;

import java.util.List;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Delivers results to their subscribers, each as a task of its own, on the configured scheduler or
 * on the delivery threads of the file.
 *
 * <p>A delivery never throws and never loses its signal: if the scheduler rejects the task, the
 * delivery threads run it, and if those cannot run it either, the calling thread does. A signal may
 * then be sent twice, so it has to be idempotent, as the completion of a future is.
 */
final class Delivery {

  private final StoreThreads threads;
  private final Scheduler scheduler;
  private final Runnable afterwards;

  /**
   * @param scheduler runs the deliveries
   * @param afterwards runs on a delivery thread of the file after each delivery; it writes the
   *     calls that the subscriber has made there
   */
  Delivery(StoreThreads threads, Scheduler scheduler, Runnable afterwards) {
    this.threads = threads;
    this.scheduler = scheduler;
    this.afterwards = afterwards;
  }

  /**
   * Whether the delivery threads of the file run the deliveries. They are closed with the file, so
   * they need the tasks before the last call leaves the gate.
   */
  boolean isOwn() {
    return scheduler == threads.handing();
  }

  /** Delivers a signal that belongs to no accepted call. */
  void deliver(Runnable signal) {
    if (!trySchedule(signal)) {
      tell(signal);
    }
  }

  /** Delivers the signal of an accepted call, which leaves the gate. */
  void deliver(Runnable signal, Gate gate) {
    if (!isOwn()) {
      gate.leave(); // the scheduler may run the subscriber on this thread, which may close the file
    }
    boolean isScheduled = trySchedule(signal);
    if (isOwn()) {
      gate.leave();
    }
    if (!isScheduled) {
      tell(signal);
    }
  }

  /** Returns whether a scheduler has accepted the signal. */
  boolean trySchedule(Runnable signal) {
    Runnable task = () -> {
      tell(signal);
      if (threads.isHandingOn()) {
        afterwards.run();
      }
    };
    return trySchedule(scheduler, task) || (!isOwn() && trySchedule(threads.handing(), task));
  }

  /** A scheduler that throws may run the task all the same. */
  private static boolean trySchedule(Scheduler scheduler, Runnable task) {
    try {
      scheduler.schedule(task);
      return true;
    } catch (RuntimeException | Error disposedOrNoThread) {
      return false;
    }
  }

  /** Sends the signals on this thread. */
  void tell(List<Runnable> signals) {
    signals.forEach(this::tell);
  }

  /** Sends the signal on this thread; {@link SqliteBlockHoundIntegration} names this method. */
  private void tell(Runnable signal) {
    Unheard.safely(Context.empty(), signal);
    if (threads.isHandingOn()) {
      Thread.interrupted(); // an interrupt that the subscriber left must not reach the next one
    }
  }
}
