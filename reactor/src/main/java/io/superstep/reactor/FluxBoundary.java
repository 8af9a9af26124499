package io.superstep.reactor;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CorePublisher;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Isolates the two sides of a stream from errors that are thrown instead of signalled.
 *
 * <p>An error that the source throws in {@code subscribe} or {@code request}, on the calling JVM
 * thread, is signalled to the subscriber. An error that the subscriber throws cancels the source,
 * so that the resources upstream are released, and is then reported.
 */
final class FluxBoundary<T> extends FluxOperator<T, T> {

  private final UnaryOperator<Throwable> errors;

  private FluxBoundary(Flux<? extends T> source, UnaryOperator<Throwable> errors) {
    super(source);
    this.errors = errors;
  }

  /** Wraps what user code or a store returned; fatal errors are signalled as carried ones. */
  static <T> Flux<T> around(Publisher<? extends T> source) {
    return new FluxBoundary<>(Flux.from(source), CarriedError::wrap);
  }

  /** Wraps what the engine returns to its caller; carried errors are signalled unwrapped. */
  static <T> Flux<T> returning(Flux<T> source) {
    return new FluxBoundary<>(source, CarriedError::unwrap);
  }

  /**
   * Reports an error that {@code subscriber} threw. Operators throw only fatal errors: these are
   * signalled to it, so that the stream of the caller ends. Any other error is that of a subscriber
   * that breaks the rules: it counts as cancelled, and its error is dropped.
   */
  static void report(Throwable thrown, CoreSubscriber<?> subscriber) {
    if (!Exceptions.isFatal(thrown)) {
      Operators.onErrorDropped(thrown, subscriber.currentContext());
      return;
    }
    try {
      subscriber.onError(thrown);
    } catch (Throwable again) {
      Operators.onErrorDropped(thrown, subscriber.currentContext());
    }
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    subscribe(source, actual, errors);
  }

  /** Subscribes to a source through a boundary. */
  static <T> void subscribe(
      CorePublisher<? extends T> source,
      CoreSubscriber<? super T> actual,
      UnaryOperator<Throwable> errors) {
    Boundary<T> boundary = new Boundary<>(actual, errors);
    try {
      source.subscribe(boundary);
    } catch (Throwable thrown) {
      boundary.fail(thrown);
    }
  }

  private static final class Boundary<T> implements CoreSubscriber<T>, Subscription {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<Boundary> ENDED =
        AtomicIntegerFieldUpdater.newUpdater(Boundary.class, "ended");

    private final CoreSubscriber<? super T> actual;
    private final UnaryOperator<Throwable> errors;
    private volatile @Nullable Subscription upstream;

    /** 1 when the stream has ended, or was cancelled because the subscriber threw. */
    private volatile int ended;

    Boundary(CoreSubscriber<? super T> actual, UnaryOperator<Throwable> errors) {
      this.actual = actual;
      this.errors = errors;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      if (Operators.validate(upstream, subscription)) {
        upstream = subscription;
        try {
          actual.onSubscribe(this);
        } catch (Throwable thrown) {
          abandon(thrown);
        }
      }
    }

    @Override
    public void onNext(T value) {
      if (ended == 0) {
        try {
          actual.onNext(value);
        } catch (Throwable thrown) {
          abandon(thrown);
        }
      }
    }

    @Override
    public void onError(Throwable error) {
      if (!ENDED.compareAndSet(this, 0, 1)) {
        Operators.onErrorDropped(error, currentContext());
        return;
      }
      try {
        actual.onError(errors.apply(error));
      } catch (Throwable thrown) {
        Operators.onErrorDropped(thrown, currentContext());
      }
    }

    @Override
    public void onComplete() {
      if (ENDED.compareAndSet(this, 0, 1)) {
        try {
          actual.onComplete();
        } catch (Throwable thrown) {
          Operators.onErrorDropped(thrown, currentContext());
        }
      }
    }

    @Override
    public void request(long count) {
      Subscription source = upstream;
      try {
        if (source != null) {
          source.request(count);
        }
      } catch (Throwable thrown) {
        fail(thrown);
      }
    }

    @Override
    public void cancel() {
      Subscription source = upstream;
      try {
        if (source != null) {
          source.cancel();
        }
      } catch (Throwable thrown) {
        Operators.onErrorDropped(thrown, currentContext());
      }
    }

    /** Ends the stream because the source threw. */
    void fail(Throwable thrown) {
      if (ended == 0 && upstream == null) {
        upstream = Operators.emptySubscription();
        actual.onSubscribe(this);
      } else {
        cancel();
      }
      onError(thrown);
    }

    /** Ends the stream because the subscriber threw. */
    private void abandon(Throwable thrown) {
      ended = 1;
      cancel();
      report(thrown, actual);
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }
  }
}
