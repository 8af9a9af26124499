package io.superstep.reactor;

import io.superstep.event.GraphEvent;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** A run that begins anew for each subscriber. */
final class RunFlux extends Flux<GraphEvent> {

  private final Run run;

  RunFlux(Run run) {
    this.run = run;
  }

  @Override
  public void subscribe(CoreSubscriber<? super GraphEvent> subscriber) {
    SuperstepLoop loop;
    try {
      loop = new SuperstepLoop(run, subscriber);
    } catch (Throwable failure) { // of the clock
      Operators.error(subscriber, failure);
      return;
    }
    subscriber.onSubscribe(loop);
  }
}
