package io.superstep.checkpoint.sqlite;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Looks now and then, as long as somebody follows, whether another process has written to the file,
 * and wakes all who follow then, whatever that was. What is appended here rings a bell by itself.
 */
final class Lookout {

  private final SqliteDatabase database;
  private final Duration every;

  private int followers;
  private @Nullable Disposable watch;

  Lookout(SqliteDatabase database, Duration every) {
    this.database = database;
    this.every = every;
  }

  synchronized void join() {
    followers++;
    if (watch == null) {
      watch = database.untilClosed(watching());
    }
  }

  synchronized void leave() {
    followers--;
    if (watch != null && followers == 0) {
      watch.dispose();
      watch = null;
    }
  }

  private Flux<Session.Seen> watching() {
    Bells bells = database.bells();
    return Flux.interval(every, database.timer())
        .onBackpressureDrop()
        .concatMap(
            tick -> database.changes().onErrorResume(failure -> {
              bells.ringAll(); // whoever follows finds out what is wrong when they look
              return Mono.empty();
            }),
            1)
        .distinctUntilChanged()
        .doOnNext(changes -> bells.ringAll());
  }
}
