package io.superstep.build.architecture.broken.reactor;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

final class Blocks {
  @Nullable
  String value(Mono<String> mono) {
    return mono.block();
  }
}
