package io.superstep.checkpoint.redis;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * The scheduler on which a {@link RedisSpace} delivers results by default.
 *
 * <p>Its daemon threads are {@link NonBlocking}: Reactor refuses {@code block()} there at once, so
 * a subscriber cannot wait on a delivery thread for a result that only a delivery thread can bring.
 * Any idle thread takes the next task; one busy thread holds nothing back. Delayed tasks run on a
 * timer thread, which delivers no results, so timeouts fire while all delivery threads are busy.
 *
 * <p>The threads start on first use and end after {@link #dispose}. A task that is scheduled later
 * still runs, on a thread of its own: calls that are in flight when the space is closed receive
 * their error here.
 */
final class DeliveryScheduler implements Scheduler {

  private static final Logger LOGGER = Loggers.getLogger("io.superstep.store");
  private static final AtomicLong CREATED = new AtomicLong();
  private static final int MIN_THREADS = 4;

  private final Object lock = new Object();
  private volatile @Nullable Pools pools;
  private boolean disposed;

  /** The threads that deliver results, and the one that counts delays. */
  private record Pools(ScheduledThreadPoolExecutor delivery, ScheduledThreadPoolExecutor timer) {}

  private Pools pools() {
    Pools known = pools;
    if (known != null) {
      return known;
    }
    synchronized (lock) {
      Pools made = pools;
      if (made == null) {
        int threads = Math.max(MIN_THREADS, Runtime.getRuntime().availableProcessors());
        made = new Pools(pool(threads, "delivery"), pool(1, "timer"));
        if (disposed) {
          shutDown(made);
        } else {
          prestart(made);
        }
        pools = made;
      }
      return made;
    }
  }

  /** A pool that is complete takes tasks without its lock, which a caller could wait for. */
  private static void prestart(Pools made) {
    try {
      made.delivery().prestartAllCoreThreads();
      made.timer().prestartAllCoreThreads();
    } catch (Throwable noThread) {
      shutDown(made);
      throw noThread;
    }
  }

  /**
   * Creates a pool that any idle thread takes tasks from. BlockHound knows that the threads of this
   * kind of pool wait for tasks, so that it can be used in tests of applications.
   */
  private static ScheduledThreadPoolExecutor pool(int threads, String purpose) {
    ScheduledThreadPoolExecutor pool =
        new ScheduledThreadPoolExecutor(threads, task -> new DeliveryThread(task, purpose));
    pool.setRemoveOnCancelPolicy(true);
    return pool;
  }

  private static void shutDown(Pools pools) {
    pools.delivery().shutdown();
    pools.timer().shutdown();
  }

  /** A daemon thread that {@code block()} refuses to occupy. */
  private static final class DeliveryThread extends Thread implements NonBlocking {

    DeliveryThread(Runnable task, String purpose) {
      super(task, "superstep-redis-" + purpose + "-" + CREATED.incrementAndGet());
      setDaemon(true);
    }
  }

  @Override
  public Disposable schedule(Runnable task) {
    Delivery scheduled = new Delivery(Schedulers.onSchedule(task));
    try {
      pools().delivery().execute(scheduled);
    } catch (RejectedExecutionException closed) {
      scheduled.runLate();
    }
    return scheduled;
  }

  @Override
  public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
    if (delay <= 0) {
      return schedule(task);
    }
    Delivery scheduled = new Delivery(Schedulers.onSchedule(task));
    try {
      ScheduledFuture<?> timed = pools().timer().schedule(scheduled, delay, unit);
      return () -> timed.cancel(false);
    } catch (RejectedExecutionException closed) {
      scheduled.runLate();
      return scheduled;
    }
  }

  /** A worker tracks its tasks; the single tasks of this scheduler need none. */
  @Override
  public Worker createWorker() {
    return new DeliveryWorker();
  }

  /** Lets the threads end when they have run the tasks that are due. */
  @Override
  public void dispose() {
    synchronized (lock) {
      disposed = true;
      Pools known = pools;
      if (known != null) {
        shutDown(known);
      }
    }
  }

  /** One task. An error that it throws is logged and does not end the thread. */
  private static final class Delivery implements Runnable, Disposable {

    private final Runnable task;
    private volatile boolean disposed;

    Delivery(Runnable task) {
      this.task = task;
    }

    /** Runs the task although the pools are shut down. A delay has no purpose any more. */
    void runLate() {
      new DeliveryThread(this, "late").start();
    }

    @Override
    public void run() {
      if (disposed) {
        return;
      }
      try {
        task.run();
      } catch (Throwable thrown) {
        LOGGER.error("A subscriber threw an error on a delivery thread.", thrown);
      }
    }

    @Override
    public void dispose() {
      disposed = true;
    }

    @Override
    public boolean isDisposed() {
      return disposed;
    }
  }

  private final class DeliveryWorker implements Worker {

    private final Disposable.Composite tasks = Disposables.composite();

    @Override
    public Disposable schedule(Runnable task) {
      return schedule(task, 0, TimeUnit.MILLISECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      Disposable.Swap own = Disposables.swap();
      if (!tasks.add(own)) {
        return own;
      }
      own.update(DeliveryScheduler.this.schedule(
          () -> {
            tasks.remove(own);
            task.run();
          },
          delay,
          unit));
      return own;
    }

    @Override
    public void dispose() {
      tasks.dispose();
    }

    @Override
    public boolean isDisposed() {
      return tasks.isDisposed();
    }
  }
}
