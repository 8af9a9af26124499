package io.superstep.checkpoint.sqlite;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The JVM threads of one file: one that always can write, some that read, and some that hand on
 * what was written. Those who hand on may be kept by whoever hears it, for as long as that likes,
 * if it does not wait for another of them.
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

  /** Whether this is a thread that hands on. */
  boolean isHandingOn() {
    return Thread.currentThread() instanceof Handing thread && thread.getPool() == handingPool;
  }

  /**
   * One that hands on. Its pool is given a task in a third of the time that others take, which
   * counts where many have written together, and each is told by itself; and it has the class
   * loader of who has made it, as the threads of other pools have.
   */
  private static final class Handing extends ForkJoinWorkerThread {

    Handing(ForkJoinPool pool) {
      super(pool);
      setName("superstep-sqlite-handing-" + MADE.incrementAndGet());
    }
  }

  /** Lets them end by themselves: one of them may be the one that closes the file. */
  Mono<Void> disposed() {
    return Mono.when(
        writer.disposeGracefully(), readers.disposeGracefully(), handing.disposeGracefully());
  }
}
