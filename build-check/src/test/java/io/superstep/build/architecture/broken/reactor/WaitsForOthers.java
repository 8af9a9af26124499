package io.superstep.build.architecture.broken.reactor;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

final class WaitsForOthers {
  String future(Future<String> future) throws Exception {
    return future.get();
  }

  String futureForAWhile(CompletableFuture<String> future) throws Exception {
    return future.get(1, TimeUnit.SECONDS);
  }

  String join(CompletableFuture<String> future) {
    return future.join();
  }

  Function<CompletableFuture<String>, String> joinByReference() {
    return CompletableFuture::join;
  }

  boolean executor(ExecutorService executor) throws Exception {
    return executor.awaitTermination(1, TimeUnit.SECONDS);
  }

  List<Future<String>> all(ExecutorService executor, List<Callable<String>> tasks)
      throws Exception {
    return executor.invokeAll(tasks);
  }

  String any(ExecutorService executor, List<Callable<String>> tasks) throws Exception {
    return executor.invokeAny(tasks);
  }

  void lock(Lock lock) {
    lock.lock();
  }

  void lockInterruptibly(Lock lock) throws Exception {
    lock.lockInterruptibly();
  }

  boolean lockForAWhile(Lock lock) throws Exception {
    return lock.tryLock(1, TimeUnit.SECONDS);
  }

  AutoCloseable condition(Condition condition) {
    return condition::await;
  }

  AutoCloseable conditionUninterruptibly(Condition condition) {
    return condition::awaitUninterruptibly;
  }

  void latch(CountDownLatch latch) throws Exception {
    latch.await();
  }

  int barrier(CyclicBarrier barrier) throws Exception {
    return barrier.await();
  }

  void semaphore(Semaphore semaphore) throws Exception {
    semaphore.acquire();
  }

  void semaphoreUninterruptibly(Semaphore semaphore) {
    semaphore.acquireUninterruptibly();
  }

  boolean semaphoreForAWhile(Semaphore semaphore) throws Exception {
    return semaphore.tryAcquire(1, TimeUnit.SECONDS);
  }

  void put(BlockingQueue<String> queue) throws Exception {
    queue.put("");
  }

  String take(BlockingQueue<String> queue) throws Exception {
    return queue.take();
  }

  boolean offerForAWhile(BlockingQueue<String> queue) throws Exception {
    return queue.offer("", 1, TimeUnit.SECONDS);
  }
}
