package io.superstep.build.architecture.broken.state;

import reactor.core.publisher.Mono;

final class ReturnsMono {
  Mono<String> value() {
    return Mono.empty();
  }
}
