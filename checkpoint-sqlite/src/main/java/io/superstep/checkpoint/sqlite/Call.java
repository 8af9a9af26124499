package io.superstep.checkpoint.sqlite;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.ContextView;

/**
 * The publisher of a call of the file.
 *
 * <p>The subscriber is registered before the call is accepted, so the result arrives on the thread
 * that completes the future and never on that of the caller; only a call that is not accepted fails
 * on the thread of the caller. If an operator of the subscriber throws while it receives the
 * result, the subscriber receives that error, also one that Reactor treats as fatal.
 *
 * @param <C> the call
 * @param <T> its result
 */
final class Call<C, T> extends Mono<T> {

  private final Function<ContextView, C> call;
  private final Function<C, CompletableFuture<T>> result;
  private final Consumer<C> accept;

  private Call(
      Function<ContextView, C> call, Function<C, CompletableFuture<T>> result, Consumer<C> accept) {
    this.call = call;
    this.result = result;
    this.accept = accept;
  }

  /**
   * @param call creates the call, for each subscriber
   * @param result the future of a call; cancelled with the subscription
   * @param accept accepts the call, or completes its future
   */
  static <C, T> Mono<T> mono(
      Function<ContextView, C> call, Function<C, CompletableFuture<T>> result, Consumer<C> accept) {
    return onAssembly(new Call<>(call, result, accept));
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // its action never throws
  public void subscribe(CoreSubscriber<? super T> actual) {
    C accepted = call.apply(actual.currentContext());
    CompletableFuture<T> future = result.apply(accepted);
    Reply<T> reply = new Reply<>(actual, future);
    actual.onSubscribe(reply);
    future.whenComplete(reply::complete);
    accept.accept(accepted);
  }

  /** Sends the result when there are both a result and demand. */
  private static final class Reply<T> extends AtomicInteger implements Subscription {

    private static final long serialVersionUID = 1L;

    private static final int REQUESTED = 1;
    private static final int COMPLETED = 2;

    /** The subscriber has received its last signal, or has cancelled. */
    private static final int ENDED = 3;

    private final transient CoreSubscriber<? super T> actual;
    private final transient CompletableFuture<T> future;
    private transient @Nullable T value;

    Reply(CoreSubscriber<? super T> actual, CompletableFuture<T> future) {
      this.actual = actual;
      this.future = future;
    }

    /** Has no effect after the subscriber has cancelled, which cancels the future too. */
    void complete(@Nullable T result, @Nullable Throwable failure) {
      if (failure == null && result != null) {
        value = result;
        if (compareAndSet(0, COMPLETED)) {
          return;
        }
        if (compareAndSet(REQUESTED, ENDED)) {
          send(result);
        } else {
          Operators.onDiscard(result, actual.currentContext());
        }
      } else if (getAndSet(ENDED) != ENDED) {
        Unheard.safely(actual.currentContext(), () -> {
          if (failure == null) {
            actual.onComplete();
          } else {
            actual.onError(failure);
          }
        });
      }
    }

    @Override
    public void request(long count) {
      if (!Operators.validate(count) || compareAndSet(0, REQUESTED)) {
        return;
      }
      T result = value;
      if (result != null && compareAndSet(COMPLETED, ENDED)) {
        send(result);
      }
    }

    private void send(T result) {
      Unheard.safely(actual.currentContext(), () -> {
        try {
          actual.onNext(result);
        } catch (Throwable thrown) {
          actual.onError(thrown);
          return;
        }
        actual.onComplete();
      });
    }

    @Override
    public void cancel() {
      int before = getAndSet(ENDED);
      T result = value;
      if (before == COMPLETED && result != null) {
        Operators.onDiscard(result, actual.currentContext());
      }
      if (before != ENDED) {
        future.cancel(false);
      }
    }
  }
}
