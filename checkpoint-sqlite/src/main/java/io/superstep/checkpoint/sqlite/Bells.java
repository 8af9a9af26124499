package io.superstep.checkpoint.sqlite;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Wakes whoever follows a thread when there is more to read: at once if it was appended here, and
 * if another process has written to the file, whatever that was, at the next look. There are looks
 * only while somebody follows.
 */
final class Bells {

  private final SqliteDatabase database;
  private final Duration every;

  /** By thread; guarded by itself, and so is {@link #watch}. */
  private final Map<String, Bell> bells = new HashMap<>();

  private @Nullable Disposable watch;

  Bells(SqliteDatabase database, Duration every) {
    this.database = database;
    this.every = every;
  }

  Bell join(String thread) {
    synchronized (bells) {
      Bell bell = bells.computeIfAbsent(thread, any -> new Bell());
      bell.users++;
      if (watch == null) {
        watch = database.untilClosed(watching());
      }
      return bell;
    }
  }

  void leave(String thread) {
    synchronized (bells) {
      Bell bell = bells.get(thread);
      if (bell != null && --bell.users == 0) {
        bells.remove(thread);
      }
      if (watch != null && bells.isEmpty()) {
        watch.dispose();
        watch = null;
      }
    }
  }

  private Flux<Long> watching() {
    return Flux.interval(every, database.scheduler())
        .onBackpressureDrop()
        .concatMap(
            tick -> database.changes().onErrorResume(failure -> {
              ringAll(); // whoever follows finds out what is wrong when they look
              return Mono.empty();
            }),
            1)
        .distinctUntilChanged()
        .doOnNext(changes -> ringAll())
        .doOnCancel(this::ringAll); // when the file is closed, which they hear when they look
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

  private void ringAll() {
    List<Bell> all;
    synchronized (bells) {
      all = List.copyOf(bells.values());
    }
    all.forEach(Bell::ring);
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
          .publishOn(database.scheduler())
          .then();
    }
  }
}
