package io.superstep.reactor;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.scheduler.Scheduler;

/**
 * Who follows a thread, and how they are woken: one after the other, on a scheduler, so that it
 * costs whoever appends the same whether there are none or a thousand.
 */
final class Followers {

  private final Scheduler scheduler;
  private final Set<Follower> all = ConcurrentHashMap.newKeySet();

  /** How often they were to be woken and have not been; not 0 while a wake-up is under way. */
  private final AtomicInteger calls = new AtomicInteger();

  Followers(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void add(Follower follower) {
    all.add(follower);
  }

  void remove(Follower follower) {
    all.remove(follower);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Lets all look for news, soon; any number of calls become one wake-up. */
  void wake() {
    if (all.isEmpty() || calls.getAndIncrement() != 0) {
      return;
    }
    try {
      scheduler.schedule(this::wakeAll);
    } catch (RejectedExecutionException closed) {
      // What was appended is there all the same; followers must not wait for what never comes.
      calls.set(0);
      all.forEach(follower -> follower.fail(closed));
    }
  }

  private void wakeAll() {
    int heard;
    do {
      heard = calls.get();
      all.forEach(Follower::drain);
    } while (calls.addAndGet(-heard) != 0);
  }
}
