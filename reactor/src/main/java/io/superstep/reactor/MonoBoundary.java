package io.superstep.reactor;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;

/**
 * The boundary between the engine and the caller of a method that returns a {@code Mono}, with the
 * rules of {@link FluxBoundary}. It has to be the last operator: one behind it would emit its value
 * where a fatal error of the caller's operators is lost.
 */
final class MonoBoundary<T> extends MonoOperator<T, T> {

  private MonoBoundary(Mono<? extends T> source) {
    super(source);
  }

  static <T> Mono<T> returning(Mono<T> source) {
    return new MonoBoundary<>(source);
  }

  @Override
  public void subscribe(CoreSubscriber<? super T> actual) {
    FluxBoundary.subscribe(source, actual, CarriedError::unwrap);
  }
}
