package io.superstep.checkpoint.sqlite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/**
 * Wakes the followers of a thread when there is more to read. All logs of a file share them, so
 * that it does not matter which of them has appended the events.
 */
final class Bells {

  private final Delivery delivery;

  /** By thread; guarded by itself. */
  private final Map<String, Bell> bells = new HashMap<>();

  Bells(Delivery delivery) {
    this.delivery = delivery;
  }

  /** Adds a follower, which has to {@link #leave}. */
  Bell join(String thread) {
    synchronized (bells) {
      Bell bell = bells.computeIfAbsent(thread, any -> new Bell());
      bell.users++;
      return bell;
    }
  }

  void leave(String thread) {
    synchronized (bells) {
      Bell bell = bells.get(thread);
      if (bell != null && --bell.users == 0) {
        bells.remove(thread);
      }
    }
  }

  /** Returns how many threads are followed. */
  int size() {
    synchronized (bells) {
      return bells.size();
    }
  }

  void ring(String thread) {
    Bell bell;
    synchronized (bells) {
      bell = bells.get(thread);
    }
    if (bell != null) {
      bell.ring();
    }
  }

  void ringAll() {
    List<Bell> all;
    synchronized (bells) {
      all = List.copyOf(bells.values());
    }
    all.forEach(Bell::ring);
  }

  /** The bell of one thread. */
  final class Bell {

    private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    private long rung;
    private int users;

    /** Wakes each follower as a task of its own; this never throws. */
    void ring() {
      List<CompletableFuture<Boolean>> woken;
      synchronized (this) {
        rung++;
        woken = List.copyOf(waiting);
        waiting.clear();
      }
      woken.forEach(each -> delivery.deliver(() -> each.complete(true)));
    }

    /** Returns how often it has rung. */
    synchronized long rung() {
      return rung;
    }

    /** Completes when it has rung again since it had rung {@code heard} times. */
    Mono<Void> after(long heard) {
      return Mono.fromFuture(() -> next(heard)).then();
    }

    private synchronized CompletableFuture<Boolean> next(long heard) {
      CompletableFuture<Boolean> next = new CompletableFuture<>();
      if (rung > heard) {
        next.complete(true);
      } else {
        waiting.removeIf(CompletableFuture::isCancelled);
        waiting.add(next);
      }
      return next;
    }
  }
}
