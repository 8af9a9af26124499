package io.superstep.build.architecture.broken.reactor;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

final class PicksSchedulers {
  Scheduler parallel() {
    return Schedulers.parallel();
  }

  Supplier<Scheduler> parallelByReference() {
    return Schedulers::parallel;
  }

  Scheduler another(Executor executor) {
    return Schedulers.fromExecutor(executor);
  }

  Mono<Long> delay(Duration time) {
    return Mono.delay(time);
  }

  Function<Duration, Flux<Long>> intervalByReference() {
    return Flux::interval;
  }

  Flux<String> timeout(Flux<String> flux, Duration time) {
    return flux.timeout(time, Mono.empty());
  }

  Retry retry(Duration time) {
    return Retry.backoff(1, time);
  }
}
