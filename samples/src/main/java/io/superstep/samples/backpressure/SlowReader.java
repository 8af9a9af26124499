package io.superstep.samples.backpressure;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.TaskChunk;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Reads events one after the other, and takes its time over each.
 *
 * @param pause how long it takes over an event
 */
record SlowReader(Duration pause) {

  /** Asks for an event only when it is done with the one before: hence the prefetch of 0. */
  Flux<TaskChunk> read(Flux<GraphEvent> events) {
    return events.concatMap(this::read, 0).ofType(TaskChunk.class);
  }

  private Mono<GraphEvent> read(GraphEvent event) {
    return Mono.just(event).delayElement(pause, Schedulers.boundedElastic());
  }
}
