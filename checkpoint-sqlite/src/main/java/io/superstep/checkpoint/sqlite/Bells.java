package io.superstep.checkpoint.sqlite;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Wakes whoever follows a thread when there is more to read. All logs of a file share them, so that
 * it does not matter by which of them something is appended.
 */
final class Bells {

  private final Scheduler scheduler;

  /** By thread; guarded by itself. */
  private final Map<String, Bell> bells = new HashMap<>();

  Bells(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** One follower more, who has to {@link #leave}. */
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
    all.forEach(bell -> Unheard.safely(Context.empty(), bell::ring));
  }

  /** The bell of one thread. */
  final class Bell {

    private final Sinks.Many<Long> rings = Sinks.many().replay().latest();
    private long rung;
    private int users;

    synchronized void ring() {
      rung++;
      rings.tryEmitNext(rung);
    }

    /** How often it has rung. */
    synchronized long rung() {
      return rung;
    }

    /** Completes when it has rung again since it had rung {@code heard} times. */
    Mono<Void> after(long heard) {
      return rings
          .asFlux()
          .filter(count -> count > heard)
          .next()
          .publishOn(scheduler)
          .then();
    }
  }
}
