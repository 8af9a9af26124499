package io.superstep.checkpoint.redis;

import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * A connection that many use. It is opened when it is first needed, once, and again if that failed.
 *
 * @param <C> what is used of it
 */
final class SharedConnection<C> {

  private static final long MORE_ATTEMPTS = 3;
  private static final AtomicLong MADE = new AtomicLong();

  private final Function<C, StatefulConnection<?, ?>> connection;
  private final AtomicReference<@Nullable C> open = new AtomicReference<>();
  private final AtomicReference<@Nullable CompletableFuture<C>> attempt = new AtomicReference<>();
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

  /**
   * Connects on a thread of its own, as Lettuce blocks while it connects, and may do so for longer
   * than {@code timeout}. A connection that is established too late is closed.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // disposing a task does not throw
  private Mono<C> attempt(Supplier<C> connecting, Duration timeout, Scheduler scheduler) {
    CompletableFuture<C> made = new CompletableFuture<>();
    attempt.set(made);
    if (closed) {
      return Mono.error(closedException());
    }
    try {
      Disposable limit = scheduler.schedule(
          () -> made.completeExceptionally(
              new TimeoutException("Redis did not accept a connection.")),
          timeout.toMillis(),
          TimeUnit.MILLISECONDS);
      made.whenComplete((any, failure) -> limit.dispose());
      Thread connector = new Thread(
          () -> complete(made, connecting), "superstep-redis-connect-" + MADE.incrementAndGet());
      connector.setDaemon(true);
      connector.start();
    } catch (Throwable noThread) { // an Error thrown here would leave later callers waiting
      made.completeExceptionally(failure(noThread));
    }
    return Mono.fromFuture(made, true);
  }

  private void complete(CompletableFuture<C> made, Supplier<C> connecting) {
    try {
      C connected = connecting.get();
      if (!made.complete(connected)) {
        connection.apply(connected).close();
      }
    } catch (Throwable failed) { // an Error too: the caller waits for this future
      made.completeExceptionally(failure(failed));
    }
  }

  /** Reactor signals no error that it calls fatal, so an error of the JVM is wrapped. */
  private static Throwable failure(Throwable thrown) {
    return thrown instanceof Error
        ? new RedisConnectionException("Connecting failed with an error.", thrown)
        : thrown;
  }

  Mono<C> get() {
    return Mono.defer(() -> {
      if (closed) {
        return Mono.error(closedException());
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

  private static RedisConnectionException closedException() {
    return new RedisConnectionException("The RedisSpace was closed.");
  }

  boolean isClosed() {
    return closed;
  }

  @SuppressWarnings(
      "FutureReturnValueIgnored") // a connection that fails to close is not used again
  void close() {
    closed = true;
    CompletableFuture<C> connecting = attempt.get();
    if (connecting != null) {
      connecting.completeExceptionally(closedException());
    }
    C known = open.get();
    if (known != null && Thread.currentThread() instanceof NonBlocking) {
      connection.apply(known).closeAsync();
    } else if (known != null) {
      connection.apply(known).close();
    }
  }
}
