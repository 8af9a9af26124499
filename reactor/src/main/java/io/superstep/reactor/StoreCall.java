package io.superstep.reactor;

import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * A call of a store or an event log, made on subscription. Every error is signalled: one that the
 * method throws, and one that its publisher throws in {@code subscribe} or {@code request}.
 *
 * <p>{@code Mono.defer} rethrows fatal errors. Behind an asynchronous operator they would be lost
 * on the JVM thread of the previous result.
 */
final class StoreCall {

  private StoreCall() {}

  /** A call with at most one result. */
  static <T> Mono<T> mono(Supplier<? extends Publisher<T>> call) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        Mono<T> called;
        try {
          called = Mono.from(call.get());
        } catch (Throwable failure) {
          Operators.error(actual, CarriedError.wrap(failure));
          return;
        }
        FluxBoundary.subscribe(called, actual, CarriedError::wrap);
      }
    };
  }

  /** A call with any number of results. */
  static <T> Flux<T> flux(Supplier<? extends Publisher<T>> call) {
    return new Flux<>() {
      @Override
      public void subscribe(CoreSubscriber<? super T> actual) {
        Flux<T> called;
        try {
          called = Flux.from(call.get());
        } catch (Throwable failure) {
          Operators.error(actual, CarriedError.wrap(failure));
          return;
        }
        FluxBoundary.subscribe(called, actual, CarriedError::wrap);
      }
    };
  }
}
