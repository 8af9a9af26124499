package io.superstep.checkpoint.sqlite;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The JVM threads of one file, which wait for the disk: some that read, and some of which one
 * writes at a time.
 */
record StoreThreads(Scheduler writers, Scheduler readers) {

  static StoreThreads of(int readers) {
    return new StoreThreads(
        Schedulers.fromExecutorService(
            new ForkJoinPool(Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE, Writing::new, null, true)),
        Schedulers.newBoundedElastic(
            readers, Integer.MAX_VALUE, "superstep-sqlite-reader", 60, true));
  }

  /**
   * One that writes. The pool is one to which a task is given in a third of the time that others
   * take, which counts where many have written together and each is told by itself; this has the
   * class loader of who has made it, as those of other pools have.
   */
  private static final class Writing extends ForkJoinWorkerThread {

    Writing(ForkJoinPool pool) {
      super(pool);
      setName("superstep-sqlite-writer-" + getPoolIndex());
    }
  }

  /** Lets them end by themselves: one of them may be the one that closes the file. */
  Mono<Void> disposed() {
    return Mono.when(writers.disposeGracefully(), readers.disposeGracefully());
  }
}
