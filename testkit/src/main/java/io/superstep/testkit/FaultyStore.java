package io.superstep.testkit;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.SavedThread;
import io.superstep.state.Schemas;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A store that goes wrong at one of its calls, for tests of what is left then. Calls are counted as
 * they are subscribed to, from 1.
 */
public final class FaultyStore extends StoreAround {

  /** What goes wrong. */
  public enum Fault {
    /** The process is killed before the call reaches the store; no later call does either. */
    DIE_BEFORE,
    /** The process is killed when the call was done; no later call reaches the store. */
    DIE_AFTER,
    /** The call fails and is not done. */
    FAIL_BEFORE,
    /** The call is done, and fails as if its reply had been lost. */
    FAIL_AFTER,
    /** The call is refused, as if somebody else had taken the thread, and is not done. */
    CONFLICT,
    /** A load of a thread answers with the checkpoint before its head; any other call is done. */
    STALE,
    /** The call is done twice. */
    TWICE,
    /** The reply comes later, and on another JVM thread. */
    LATE
  }

  private final CheckpointStore store;
  private final Fault fault;
  private final int at;
  private final AtomicInteger calls = new AtomicInteger();
  private final CompletableFuture<Void> struck = new CompletableFuture<>();

  /**
   * A store that does what {@code store} does, but for one call.
   *
   * @param at the number of the call that goes wrong, from 1
   */
  public FaultyStore(CheckpointStore store, Fault fault, int at) {
    super(store);
    this.store = store;
    this.fault = fault;
    this.at = at;
  }

  /** Completes when the call that goes wrong has done so. */
  public Mono<Void> struck() {
    return Mono.fromFuture(struck, true);
  }

  /** Returns whether the fault has struck. */
  public boolean isStruck() {
    return struck.isDone();
  }

  /** How many calls there were. */
  public int calls() {
    return calls.get();
  }

  @Override
  protected <T> Publisher<T> around(Publisher<T> call) {
    return Flux.defer(() -> {
      int number = calls.incrementAndGet();
      if (number == at) {
        return wrong(call).doFinally(any -> struck.complete(null));
      }
      return number > at && isDead() ? Flux.never() : call;
    });
  }

  private <T> Flux<T> dead() {
    return Flux.<T>never().doOnSubscribe(any -> struck.complete(null));
  }

  private boolean isDead() {
    return fault == Fault.DIE_BEFORE || fault == Fault.DIE_AFTER;
  }

  private <T> Flux<T> wrong(Publisher<T> call) {
    Flux<T> done = Flux.from(call);
    return switch (fault) {
      case DIE_BEFORE -> dead();
      case DIE_AFTER -> done.thenMany(dead());
      case FAIL_BEFORE -> Flux.error(new TimeoutException("The store is not there."));
      case FAIL_AFTER ->
        done.thenMany(Flux.error(new TimeoutException("The reply of the store was lost.")));
      case CONFLICT -> Flux.error(CheckpointConflictException.movedHead("any", null, null));
      case STALE -> done;
      case TWICE -> done.thenMany(call);
      case LATE ->
        done.collectList().flatMapIterable(all -> all).publishOn(Schedulers.boundedElastic());
    };
  }

  @Override
  public Publisher<SavedThread> load(String thread, Schemas schemas) {
    Publisher<SavedThread> load = store.load(thread, schemas);
    return fault == Fault.STALE
        ? around(Flux.defer(() -> calls.get() == at ? before(thread, schemas, load) : load))
        : around(load);
  }

  private Flux<SavedThread> before(String thread, Schemas schemas, Publisher<SavedThread> load) {
    return Flux.from(store.history(thread, HistoryFilter.ALL.limit(2), schemas))
        .skip(1)
        .concatMap(older -> store.load(thread, older.id(), schemas))
        .switchIfEmpty(load);
  }
}
