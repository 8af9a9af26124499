package io.superstep.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.function.Supplier;

/** What is alive on the heap. */
final class LiveHeap {

  private static final int COLLECTIONS = 3;

  private LiveHeap() {}

  /** The bytes that are left when all garbage was collected. */
  static long bytes() {
    for (int collection = 0; collection < COLLECTIONS; collection++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** The bytes that what {@code maker} makes keeps alive. */
  static long keptBy(Supplier<Object> maker) {
    weighed(maker); // what is loaded and remembered once is nobody's
    return weighed(maker);
  }

  private static long weighed(Supplier<Object> maker) {
    long before = bytes();
    Object kept = maker.get();
    try {
      return bytes() - before;
    } finally {
      Reference.reachabilityFence(kept);
    }
  }
}
