package io.superstep.checkpoint.redis;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The last operator of each call of a store. If the subscriber throws in {@code onNext}, the call
 * is cancelled, so that what it holds is released.
 *
 * <p>Reactor rethrows the errors that it calls fatal, such as a {@link LinkageError} of a function
 * in the chain of the user, up to the thread that delivers; the subscriber would wait for ever.
 * Such an error is signalled to the subscriber instead.
 */
final class DeliveryGuard {

  private DeliveryGuard() {}

  static <T> Mono<T> guarded(Mono<T> call) {
    return new GuardedMono<>(call);
  }

  static <T> Flux<T> guarded(Flux<T> call) {
    return new GuardedFlux<>(call);
  }

  private static final class GuardedMono<T> extends MonoOperator<T, T> {

    GuardedMono(Mono<T> source) {
      super(source);
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      source.subscribe(new GuardedSubscriber<>(actual));
    }
  }

  private static final class GuardedFlux<T> extends FluxOperator<T, T> {

    GuardedFlux(Flux<T> source) {
      super(source);
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
      source.subscribe(new GuardedSubscriber<>(actual));
    }
  }

  private static final class GuardedSubscriber<T> implements CoreSubscriber<T>, Subscription {

    private final CoreSubscriber<? super T> actual;
    private Subscription call = Operators.emptySubscription();
    private boolean ended;

    GuardedSubscriber(CoreSubscriber<? super T> actual) {
      this.actual = actual;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      call = subscription;
      actual.onSubscribe(this);
    }

    @Override
    public void onNext(T value) {
      if (ended) {
        return;
      }
      try {
        actual.onNext(value);
      } catch (Throwable thrown) {
        ended = true;
        call.cancel();
        if (!Exceptions.isJvmFatal(thrown)) {
          throw thrown;
        }
        actual.onError(thrown);
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (!ended) {
        ended = true;
        actual.onError(failure);
      }
    }

    @Override
    public void onComplete() {
      if (!ended) {
        ended = true;
        actual.onComplete();
      }
    }

    @Override
    public void request(long count) {
      call.request(count);
    }

    @Override
    public void cancel() {
      call.cancel();
    }
  }
}
