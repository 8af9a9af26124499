package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Lease;
import java.time.Duration;
import java.util.UUID;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The right of one run to write to a thread, renewed as long as it is needed. */
final class Hold {

  /** How long a run keeps the thread to itself without saying that it is still there. */
  static final Duration LEASE = Duration.ofSeconds(30);

  /** How long the end of a run waits for the store to take its lease back. */
  private static final Duration RELEASE = Duration.ofSeconds(5);

  /** How many steps a run may be ahead of the store, where it may be ahead at all. */
  static final int AHEAD = 16;

  private final CheckpointStore store;
  private final Scheduler timer;
  private final Lease lease;
  private volatile LogWriter writer;

  private Hold(CheckpointStore store, Lease lease, Scheduler timer) {
    this.store = store;
    this.lease = lease;
    this.timer = timer;
    this.writer = new DirectWriter(store, lease);
  }

  /** Takes the thread, if nobody else has it. */
  static Mono<Hold> of(String thread, CheckpointStore store, Scheduler timer) {
    return Mono.defer(() -> Mono.from(store.acquire(thread, UUID.randomUUID().toString(), LEASE))
        .map(lease -> new Hold(store, lease, timer)));
  }

  long fence() {
    return lease.fence();
  }

  /** Who writes to the thread; at once, unless told otherwise. */
  LogWriter writer() {
    return writer;
  }

  /** Has written from now on when {@code durability} says. */
  void writes(Durability durability) {
    LogWriter direct = new DirectWriter(store, lease);
    writer = switch (durability) {
      case SYNC -> direct;
      case ASYNC -> QueuedWriter.ahead(direct, AHEAD);
      case EXIT -> QueuedWriter.atTheEnd(direct);
    };
  }

  /** Says now and then that somebody is still there; never ends, but for an error. */
  Mono<Void> kept() {
    return Flux.interval(LEASE.dividedBy(3), timer)
        .onBackpressureDrop()
        .concatMap(tick -> Mono.from(store.renew(lease, LEASE))
            .onErrorResume(Hold::mayComeBack, failure -> Mono.empty()))
        .then();
  }

  /** Whether there is time to try again before the lease runs out. */
  private static boolean mayComeBack(Throwable failure) {
    return !(failure instanceof CheckpointConflictException);
  }

  /**
   * Writes what is left to write, and gives the thread back. If that fails, or takes too long, the
   * lease runs out by itself.
   */
  Mono<Void> givenBack() {
    return Mono.defer(writer::flush)
        .onErrorComplete()
        .then(Mono.from(store.release(lease)))
        .take(RELEASE, timer)
        .onErrorComplete();
  }
}
