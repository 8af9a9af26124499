package io.superstep.reactor;

import io.superstep.event.GraphEvent;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** A run that begins anew for each subscriber. */
final class RunFlux extends Flux<GraphEvent> {

  private final Run run;

  RunFlux(Run run) {
    this.run = run;
  }

  @Override
  public void subscribe(CoreSubscriber<? super GraphEvent> subscriber) {
    subscriber.onSubscribe(new SuperstepLoop(run, subscriber));
  }
}
