package io.superstep.reactor;

import io.superstep.event.GraphEvent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/** The detached runs of one runner, which need no subscriber. */
final class DetachedRuns {

  private final Set<DetachedRun> running = ConcurrentHashMap.newKeySet();
  private final RunnerReports reports;

  DetachedRuns(RunnerReports reports) {
    this.reports = reports;
  }

  /**
   * Begins a run, and brings the number of the last fact before it, once it has begun.
   *
   * @param events of the run, which can be stopped by what it is given
   */
  Mono<Long> start(String thread, Scheduler on, Function<Stop, Flux<GraphEvent>> events) {
    return Mono.deferContextual(context -> Mono.fromFuture(
        begin(on, new DetachedRun(thread, Context.of(context), reports, running::remove), events)
            .started(),
        true));
  }

  /** Begins a run for which no caller waits; an error that keeps it from beginning is reported. */
  void begin(String thread, Scheduler on, Function<Stop, Flux<GraphEvent>> events) {
    begin(on, new DetachedRun(thread, reports, running::remove), events);
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

  /** Completes when the runs that are under way have ended. */
  Mono<Void> ended() {
    return Mono.defer(() -> Mono.fromFuture(
        CompletableFuture.allOf(
            running.stream().map(DetachedRun::ended).toArray(CompletableFuture<?>[]::new)),
        true));
  }

  /** Cancels the runs that are under way, and returns their threads. */
  List<String> cutOff() {
    return List.copyOf(running).stream()
        .filter(run -> !run.ended().isDone())
        .map(DetachedRun::cutOff)
        .toList();
  }
}
