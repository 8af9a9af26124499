package io.superstep.checkpoint.sqlite;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.util.context.Context;

/**
 * Protects a source from its subscriber: if {@code onNext} throws, the source is cancelled, so that
 * it releases what it holds, and the subscriber receives the error. Reactor's operators rethrow
 * what they call fatal, which would leave the operators of the source in the middle of their work.
 */
final class FluxGuard<T> extends FluxOperator<T, T> {

  private FluxGuard(Flux<T> source) {
    super(source);
  }

  static <T> Flux<T> guarded(Flux<T> source) {
    return onAssembly(new FluxGuard<>(source));
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    source.subscribe(new Guard<>(actual));
  }

  /** Signals arrive one after the other, as in every source. */
  private static final class Guard<T> implements CoreSubscriber<T>, Subscription {

    private final CoreSubscriber<? super T> actual;
    private Subscription source;
    private boolean isDone;

    @SuppressWarnings("NullAway.Init") // the subscription is the first signal
    Guard(CoreSubscriber<? super T> actual) {
      this.actual = actual;
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      source = subscription;
      actual.onSubscribe(this);
    }

    @Override
    public void onNext(T value) {
      if (isDone) {
        return;
      }
      try {
        actual.onNext(value);
      } catch (Throwable thrown) {
        isDone = true;
        source.cancel();
        Unheard.safely(currentContext(), () -> actual.onError(thrown));
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (isDone) {
        Unheard.drop(currentContext(), failure);
        return;
      }
      isDone = true;
      Unheard.safely(currentContext(), () -> actual.onError(failure));
    }

    @Override
    public void onComplete() {
      if (!isDone) {
        isDone = true;
        Unheard.safely(currentContext(), actual::onComplete);
      }
    }

    @Override
    public void request(long count) {
      source.request(count);
    }

    @Override
    public void cancel() {
      source.cancel();
    }
  }
}
