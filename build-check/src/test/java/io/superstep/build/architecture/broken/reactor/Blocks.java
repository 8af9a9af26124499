package io.superstep.build.architecture.broken.reactor;

import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

final class Blocks {
  @Nullable
  String mono(Mono<String> mono) {
    return mono.block();
  }

  Function<Mono<String>, @Nullable String> monoByReference() {
    return Mono::block;
  }

  Optional<String> optional(Mono<String> mono) {
    return mono.blockOptional();
  }

  @Nullable
  String first(Flux<String> flux) {
    return flux.blockFirst();
  }

  @Nullable
  String last(Flux<String> flux) {
    return flux.blockLast();
  }

  Iterable<String> iterable(Flux<String> flux) {
    return flux.toIterable();
  }

  Stream<String> stream(Flux<String> flux) {
    return flux.toStream();
  }
}
