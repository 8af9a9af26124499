package io.superstep.build.architecture.broken.reactor;

import reactor.core.publisher.Mono;

final class Subscribes {
  void start(Mono<String> mono) {
    mono.subscribe();
  }
}
