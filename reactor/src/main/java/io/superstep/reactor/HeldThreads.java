package io.superstep.reactor;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** The holds of one runner, for its graceful shutdown. */
final class HeldThreads {

  /** The open holds, and whether each has its lease. */
  private final Map<Hold, Boolean> open = new ConcurrentHashMap<>();

  /** The number of leases that are held or being acquired. */
  private final AtomicInteger leases = new AtomicInteger();

  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();

  /** One caller that waits until no lease is left. */
  private static final class Waiting {

    private final CompletableFuture<Void> released = new CompletableFuture<>();
  }

  /** Returns {@code acquisition} as one for which {@link #released} waits. */
  <T> Mono<T> acquiring(Mono<T> acquisition) {
    return Mono.defer(() -> {
      leases.incrementAndGet();
      return acquisition.doFinally(any -> removeLease());
    });
  }

  /** Adds a hold, or the lease that it acquires again. */
  void add(Hold hold) {
    leases.incrementAndGet();
    if (Boolean.TRUE.equals(open.put(hold, true))) {
      removeLease();
    }
  }

  /** Removes the lease of a hold that may acquire it again. */
  void release(Hold hold) {
    if (open.replace(hold, true, false)) {
      removeLease();
    }
  }

  void remove(Hold hold) {
    if (Boolean.TRUE.equals(open.remove(hold))) {
      removeLease();
    }
  }

  private void removeLease() {
    if (leases.decrementAndGet() == 0) {
      waiting.forEach(each -> each.released.complete(null));
    }
  }

  /** Asks all runs to release their leases if they wait for demand. */
  void offerRest() {
    open.keySet().forEach(Hold::offerRest);
  }

  /** Completes when no lease is held. */
  Mono<Void> released() {
    return Mono.defer(() -> {
      Waiting caller = new Waiting();
      waiting.add(caller);
      if (leases.get() == 0) {
        caller.released.complete(null);
      }
      return Mono.fromFuture(caller.released, true).doFinally(any -> waiting.remove(caller));
    });
  }
}
