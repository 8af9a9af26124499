package io.superstep.checkpoint.sqlite;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The JVM threads of one file: a writer thread, reader threads, and the threads that deliver
 * results. Delivery threads are {@link NonBlocking}: Reactor refuses {@code block()} there, which
 * could otherwise wait for a result that only a blocked delivery thread can deliver.
 */
record StoreThreads(
    Scheduler writer, Scheduler readers, Scheduler handing, ForkJoinPool handingPool, Pools pools) {

  private static final AtomicLong MADE = new AtomicLong();

  /** After this time an idle writer or reader thread ends; the next call starts another one. */
  private static final long IDLE_SECONDS = 60;

  /** How many threads a pool of this kind can have. */
  private static final int MOST = 0x7fff;

  /** The executors behind the schedulers of the writer and of the readers. */
  record Pools(ScheduledThreadPoolExecutor writer, ScheduledThreadPoolExecutor readers) {}

  static StoreThreads of(int readers) {
    ForkJoinPool handing = handingPool(Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);
    Pools pools = new Pools(pool(1, "writer"), pool(readers, "reader"));
    return new StoreThreads(
        Schedulers.fromExecutorService(pools.writer()),
        Schedulers.fromExecutorService(pools.readers()),
        Schedulers.fromExecutorService(handing),
        handing,
        pools);
  }

  private static ScheduledThreadPoolExecutor pool(int threads, String purpose) {
    ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(threads, task -> {
      Thread thread =
          new Thread(task, "superstep-sqlite-" + purpose + "-" + MADE.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    });
    pool.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    pool.allowCoreThreadTimeOut(true);
    pool.setRemoveOnCancelPolicy(true);
    return pool;
  }

  /**
   * A pool that lets an idle thread go may count those it has wrongly from then on (JDK-8351933),
   * so they are kept for a day.
   */
  static ForkJoinPool handingPool(int threads) {
    int most = Math.min(threads, MOST);
    return new ForkJoinPool(most, Handing::new, null, true, 0, MOST, 1, null, 1, TimeUnit.DAYS);
  }

  /** Whether the current thread is a delivery thread of this file. */
  boolean isHandingOn() {
    return Thread.currentThread() instanceof Handing thread && thread.getPool() == handingPool;
  }

  /**
   * A delivery thread. A fork-join pool accepts a task in a third of the time of other executors,
   * which counts when the results of one group commit are delivered one by one; and the thread has
   * the class loader of its creator, as the threads of other pools have.
   */
  private static final class Handing extends ForkJoinWorkerThread implements NonBlocking {

    Handing(ForkJoinPool pool) {
      super(pool);
      setName("superstep-sqlite-handing-" + MADE.incrementAndGet());
    }

    /** Declared here so that {@link SqliteBlockHoundIntegration} can name it. */
    @Override
    public void run() {
      super.run();
    }
  }

  /**
   * Lets the threads end after the tasks that they have accepted, without an interrupt: one of them
   * may be the one that closes the file. Reactor's {@code disposeGracefully()} would start a thread
   * that keeps the JVM alive for ten seconds.
   */
  void shutDown() {
    pools.writer().shutdown();
    pools.readers().shutdown();
    handingPool.shutdown();
  }
}
