package io.superstep.reactor;

import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The default scheduler for the blocking nodes of one runner.
 *
 * <p>It is not {@code Schedulers.boundedElastic()}: blocking nodes must not compete for threads
 * with other blocking work of the application. From Java 24 on each node runs on a virtual thread.
 * On older versions, where a virtual thread that blocks inside {@code synchronized} occupies a
 * carrier thread, there is a pool of platform threads that ends its idle threads.
 */
final class BlockingThreads {

  private static final String NAME = "superstep-blocking-";
  private static final int FIRST_WITHOUT_PINNING = 24;
  private static final int IDLE_SECONDS = 10;
  private static final AtomicInteger STARTED = new AtomicInteger();

  private BlockingThreads() {}

  static Scheduler scheduler() {
    return Schedulers.fromExecutorService(
        Runtime.version().feature() >= FIRST_WITHOUT_PINNING ? virtual() : pool(), NAME);
  }

  private static ExecutorService pool() {
    int size = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
    ThreadPoolExecutor pool = new ThreadPoolExecutor(
        size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
          Thread thread = new Thread(task, NAME + STARTED.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Calls the API of Java 21, which this library, compiled for 17, cannot name. */
  private static ExecutorService virtual() {
    try {
      Class<?> builders = Class.forName("java.lang.Thread$Builder");
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Object named = builders.getMethod("name", String.class, long.class).invoke(builder, NAME, 1L);
      Object factory = builders.getMethod("factory").invoke(named);
      Method executor = Executors.class.getMethod("newThreadPerTaskExecutor", ThreadFactory.class);
      return (ExecutorService) executor.invoke(null, factory);
    } catch (ReflectiveOperationException missing) {
      throw new IllegalStateException("Virtual threads are not available.", missing);
    }
  }
}
