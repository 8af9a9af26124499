package io.superstep.checkpoint.redis;

import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A connection that many use. It is opened when it is first needed, once, and again if that failed.
 *
 * @param <C> what is used of it
 */
final class SharedConnection<C> {

  private final Function<C, StatefulConnection<?, ?>> connection;
  private final AtomicReference<@Nullable C> open = new AtomicReference<>();
  private final Mono<C> opening;
  private volatile boolean closed;

  /**
   * A connection that is not open yet.
   *
   * @param connecting opens it, and may block
   * @param connection the one that is behind what {@code connecting} brings
   * @param timeout how long opening it may take, and then every command
   */
  SharedConnection(
      Supplier<C> connecting,
      Function<C, StatefulConnection<?, ?>> connection,
      Duration timeout,
      Scheduler scheduler) {
    this.connection = connection;
    this.opening = Mono.fromCallable(() -> {
          C made = connecting.get();
          connection.apply(made).setTimeout(timeout);
          return made;
        })
        .subscribeOn(scheduler)
        .timeout(timeout, scheduler)
        .flatMap(this::kept)
        .cache(made -> Duration.ZERO, failure -> Duration.ZERO, () -> Duration.ZERO);
  }

  Mono<C> get() {
    return Mono.defer(() -> {
      if (closed) {
        return Mono.error(new IllegalStateException("The RedisSpace was closed."));
      }
      C known = open.get();
      return known == null ? opening : Mono.just(known);
    });
  }

  /** Closes it again if somebody else was first, or has closed this meanwhile. */
  private Mono<C> kept(C made) {
    return open.compareAndSet(null, made) && !closed
        ? Mono.just(made)
        : Mono.fromCompletionStage(connection.apply(made)::closeAsync).then(get());
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    C known = open.get();
    if (known != null) {
      connection.apply(known).close();
    }
  }
}
