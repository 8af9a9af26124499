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

  private final AtomicInteger leases = new AtomicInteger();

  /** Completed when no lease is left. */
  private final Set<CompletableFuture<Void>> waiting = ConcurrentHashMap.newKeySet();

  /** Adds a hold, or the lease that it has acquired again. */
  void add(Hold hold) {
    if (!Boolean.TRUE.equals(open.put(hold, true))) {
      leases.incrementAndGet();
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
      waiting.forEach(each -> each.complete(null));
    }
  }

  /** Asks all runs to release their leases if they wait for demand. */
  void offerRest() {
    open.keySet().forEach(Hold::offerRest);
  }

  /** Completes when all leases are released. */
  Mono<Void> released() {
    return Mono.defer(() -> {
      CompletableFuture<Void> none = new CompletableFuture<>();
      waiting.add(none);
      if (leases.get() == 0) {
        none.complete(null);
      }
      return Mono.fromFuture(none, true).doFinally(any -> waiting.remove(none));
    });
  }
}
