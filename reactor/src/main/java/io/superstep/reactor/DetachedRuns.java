package io.superstep.reactor;

import io.superstep.event.GraphEvent;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/** The runs of one runner that nobody has to listen to. */
final class DetachedRuns {

  private final Set<DetachedRun> running = ConcurrentHashMap.newKeySet();

  /**
   * Begins a run, and brings the number of the last fact before it, once it has begun.
   *
   * @param isLogged whether a log is told when the run fails
   * @param events of the run, which can be stopped by what it is given
   */
  Mono<Long> start(
      String thread, Scheduler on, boolean isLogged, Function<Stop, Flux<GraphEvent>> events) {
    return Mono.deferContextual(context -> Mono.fromFuture(
        begin(on, new DetachedRun(thread, Context.of(context), isLogged, running::remove), events)
            .started(),
        true));
  }

  /** Begins a run, and leaves it to itself; what keeps it from beginning is dropped, and loudly. */
  void begin(
      String thread, Scheduler on, boolean isLogged, Function<Stop, Flux<GraphEvent>> events) {
    begin(on, new DetachedRun(thread, isLogged, running::remove), events);
  }

  private DetachedRun begin(
      Scheduler on, DetachedRun run, Function<Stop, Flux<GraphEvent>> events) {
    running.add(run);
    FluxBoundary.around(Flux.defer(() -> events.apply(run.stop())))
        .subscribeOn(on)
        .subscribe(run);
    return run;
  }

  /** Asks the run of {@code thread} to stop, and says whether there is one. */
  boolean stop(String thread) {
    List<DetachedRun> asked =
        running.stream().filter(run -> run.thread().equals(thread)).toList();
    asked.forEach(run -> run.stop().request());
    return !asked.isEmpty();
  }

  /** Waits until all have ended, and cancels and tells those that have not in time. */
  Flux<String> ended(Duration timeout, Scheduler timer) {
    return Flux.defer(() -> {
      List<DetachedRun> open = List.copyOf(running);
      return all(open)
          .timeout(Mono.delay(timeout, timer), Mono.empty())
          .thenMany(Flux.fromIterable(open))
          .filter(run -> !run.ended().isDone())
          .map(DetachedRun::cutOff);
    });
  }

  private static Mono<Void> all(List<DetachedRun> runs) {
    return Mono.fromFuture(
        CompletableFuture.allOf(
            runs.stream().map(DetachedRun::ended).toArray(CompletableFuture<?>[]::new)),
        true);
  }
}
