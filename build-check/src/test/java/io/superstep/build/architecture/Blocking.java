package io.superstep.build.architecture;

import static java.util.Map.entry;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.reactivestreams.Publisher;

/** What holds the thread it is called on. */
final class Blocking {

  /** The names that block, by the type that has them. */
  private static final Map<Class<?>, String> CALLS = Map.ofEntries(
      entry(Object.class, "wait"),
      entry(Thread.class, "join|sleep"),
      entry(TimeUnit.class, "sleep|timedJoin|timedWait"),
      entry(LockSupport.class, "park.*"),
      entry(Lock.class, "lock|lockInterruptibly"),
      entry(Condition.class, "await.*"),
      entry(CountDownLatch.class, "await"),
      entry(CyclicBarrier.class, "await"),
      entry(Semaphore.class, "acquire.*"),
      entry(BlockingQueue.class, "put|take"),
      entry(Future.class, "get"),
      entry(CompletableFuture.class, "join"),
      entry(ExecutorService.class, "awaitTermination|invokeAll|invokeAny"),
      entry(Publisher.class, "block.*|toIterable|toStream"));

  /** What waits only if it is told how long, as in {@code tryLock(1, SECONDS)}. */
  private static final Set<Class<?>> PATIENT =
      Set.of(BlockingQueue.class, Lock.class, Semaphore.class);

  private Blocking() {}

  static boolean call(CodeUnitAccessTarget target) {
    return CALLS.entrySet().stream()
            .anyMatch(call -> target.getOwner().isAssignableTo(call.getKey())
                && target.getName().matches(call.getValue()))
        || waitsForAWhile(target);
  }

  private static boolean waitsForAWhile(CodeUnitAccessTarget target) {
    JavaClass owner = target.getOwner();
    return PATIENT.stream().anyMatch(owner::isAssignableTo)
        && target.getRawParameterTypes().stream()
            .anyMatch(parameter -> parameter.isEquivalentTo(TimeUnit.class));
  }
}
