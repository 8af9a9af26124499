package io.superstep.checkpoint.redis;

import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * A connection that many use. It is opened when it is first needed, once, and again if that failed.
 *
 * @param <C> what is used of it
 */
final class SharedConnection<C> {

  private static final long MORE_ATTEMPTS = 3;

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
    this.opening = Mono.defer(() -> attempt(connecting, timeout, scheduler))
        .retryWhen(Retry.max(MORE_ATTEMPTS).filter(RedisErrors::isHungUp))
        .doOnNext(made -> connection.apply(made).setTimeout(timeout))
        .flatMap(this::kept)
        .cache(made -> Duration.ZERO, failure -> Duration.ZERO, () -> Duration.ZERO);
  }

  /** Lettuce goes on when it is no longer waited for, so what it opens too late is closed. */
  private Mono<C> attempt(Supplier<C> connecting, Duration timeout, Scheduler scheduler) {
    CompletableFuture<C> made = new CompletableFuture<>();
    Disposable limit = scheduler.schedule(
        () -> made.completeExceptionally(new TimeoutException("Redis did not take a connection.")),
        timeout.toMillis(),
        TimeUnit.MILLISECONDS);
    scheduler.schedule(() -> complete(made, connecting));
    return Mono.fromFuture(made, true).doFinally(any -> limit.dispose());
  }

  private void complete(CompletableFuture<C> made, Supplier<C> connecting) {
    try {
      C connected = connecting.get();
      if (!made.complete(connected)) {
        connection.apply(connected).close();
      }
    } catch (RuntimeException failed) {
      made.completeExceptionally(failed);
    }
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
