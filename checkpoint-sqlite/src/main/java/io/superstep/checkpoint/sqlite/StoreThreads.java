package io.superstep.checkpoint.sqlite;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The JVM threads of one file: a writer thread, reader threads, and the threads that deliver
 * results. Delivery threads are {@link NonBlocking}: Reactor refuses {@code block()} there, which
 * could otherwise wait for a result that only a blocked delivery thread can deliver.
 */
record StoreThreads(
    Scheduler writer, Scheduler readers, Scheduler handing, ForkJoinPool handingPool) {

  private static final AtomicLong MADE = new AtomicLong();

  /** How many threads a pool of this kind can have. */
  private static final int MOST = 0x7fff;

  static StoreThreads of(int readers) {
    ForkJoinPool handing = handingPool(Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);
    return new StoreThreads(
        Schedulers.newBoundedElastic(1, Integer.MAX_VALUE, "superstep-sqlite-writer", 60, true),
        Schedulers.newBoundedElastic(
            readers, Integer.MAX_VALUE, "superstep-sqlite-reader", 60, true),
        Schedulers.fromExecutorService(handing),
        handing);
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

  /** Lets them end by themselves: one of them may be the one that closes the file. */
  Mono<Void> disposed() {
    return Mono.when(
        writer.disposeGracefully(), readers.disposeGracefully(), handing.disposeGracefully());
  }
}
