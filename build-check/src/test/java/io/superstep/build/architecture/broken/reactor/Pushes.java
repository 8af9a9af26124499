package io.superstep.build.architecture.broken.reactor;

import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

final class Pushes {
  Object sink() {
    return Sinks.many();
  }

  Mono<String> sinkOfOthers(Sinks.One<String> sink) {
    return sink.asMono();
  }

  Flux<String> create() {
    return Flux.create(sink -> {});
  }

  Function<Consumer<FluxSink<String>>, Flux<String>> createByReference() {
    return Flux::create;
  }

  Flux<String> push() {
    return Flux.push(sink -> {});
  }
}
