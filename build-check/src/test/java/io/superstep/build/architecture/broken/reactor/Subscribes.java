package io.superstep.build.architecture.broken.reactor;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

final class Subscribes {
  void bare(Mono<String> mono) {
    mono.subscribe();
  }

  Disposable withALambda(Flux<String> flux) {
    return flux.subscribe(value -> {});
  }

  Consumer<Mono<String>> byReference() {
    return Mono::subscribe;
  }

  CompletableFuture<String> asFuture(Mono<String> mono) {
    return mono.toFuture();
  }

  Function<Mono<String>, CompletableFuture<String>> asFutureByReference() {
    return Mono::toFuture;
  }
}
