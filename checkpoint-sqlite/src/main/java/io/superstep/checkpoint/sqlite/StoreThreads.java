package io.superstep.checkpoint.sqlite;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The JVM threads of one file, which wait for the disk: one that writes, and some that read. */
record StoreThreads(Scheduler writer, Scheduler readers) {

  static StoreThreads of(int readers) {
    return new StoreThreads(
        Schedulers.newBoundedElastic(1, Integer.MAX_VALUE, "superstep-sqlite-writer", 60, true),
        Schedulers.newBoundedElastic(
            readers, Integer.MAX_VALUE, "superstep-sqlite-reader", 60, true));
  }

  void dispose() {
    writer.dispose();
    readers.dispose();
  }
}
