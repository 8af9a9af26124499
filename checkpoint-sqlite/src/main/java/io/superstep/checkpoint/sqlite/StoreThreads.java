package io.superstep.checkpoint.sqlite;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The JVM threads of one file: one that always can write, some that read, and some that hand on
 * what was written. Those who hand on may be kept by whoever hears it, for as long as that likes.
 */
record StoreThreads(
    Scheduler writer, Scheduler readers, Scheduler handing, ForkJoinPool handingPool) {

  private static final AtomicLong MADE = new AtomicLong();

  static StoreThreads of(int readers) {
    ForkJoinPool handing = pool("handing", Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);
    return new StoreThreads(
        Schedulers.fromExecutorService(pool("writer", 1)),
        Schedulers.newBoundedElastic(
            readers, Integer.MAX_VALUE, "superstep-sqlite-reader", 60, true),
        Schedulers.fromExecutorService(handing),
        handing);
  }

  /** Whether this is a thread that hands on. */
  boolean isHandingOn() {
    return Thread.currentThread() instanceof Named named && named.getPool() == handingPool;
  }

  /**
   * A pool to which a task is given in a third of the time that others take: that counts where many
   * have written together, and each is told by itself.
   */
  private static ForkJoinPool pool(String what, int most) {
    String name = "superstep-sqlite-" + what + "-";
    return new ForkJoinPool(most, pool -> new Named(pool, name), null, true);
  }

  /** Has the class loader of who has made it, as the threads of other pools have. */
  private static final class Named extends ForkJoinWorkerThread {

    Named(ForkJoinPool pool, String name) {
      super(pool);
      setName(name + MADE.incrementAndGet());
    }
  }

  /** Lets them end by themselves: one of them may be the one that closes the file. */
  Mono<Void> disposed() {
    return Mono.when(
        writer.disposeGracefully(), readers.disposeGracefully(), handing.disposeGracefully());
  }
}
