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

  /** The releases under way of threads whose runs were cancelled while the runner is closed. */
  private final Set<Releasing> releases = ConcurrentHashMap.newKeySet();

  /** One release, which completes whatever comes of it. */
  private static final class Releasing {

    private final CompletableFuture<Void> done = new CompletableFuture<>();
  }

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

  /**
   * Waits until all have ended. Those that have not in time are cancelled and emitted, and their
   * threads released: that may take the same time again, and no longer than any release.
   */
  Flux<String> ended(Duration timeout, Scheduler timer) {
    Duration patience = timeout.compareTo(Hold.RELEASE) < 0 ? timeout : Hold.RELEASE;
    return Flux.defer(() -> {
      List<DetachedRun> open = List.copyOf(running);
      return all(open.stream().map(DetachedRun::ended).toList(), timeout, timer)
          .thenMany(Flux.fromIterable(open))
          .filter(run -> !run.ended().isDone())
          .map(DetachedRun::cutOff)
          .concatWith(Mono.defer(
                  () -> all(releases.stream().map(each -> each.done).toList(), patience, timer))
              .then(Mono.empty()));
    });
  }

  /** Waits until all are done, or for as long as {@code timeout}. */
  private static Mono<Void> all(
      List<? extends CompletableFuture<?>> futures, Duration timeout, Scheduler timer) {
    return Mono.fromFuture(
            CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new)), true)
        .timeout(Mono.delay(timeout, timer), Mono.empty());
  }

  /** Returns {@code release} as one for which {@link #ended} waits while it is under way. */
  Mono<Void> releasing(Mono<Void> release) {
    return Mono.defer(() -> {
      Releasing underWay = new Releasing();
      releases.add(underWay);
      return release.doFinally(any -> {
        releases.remove(underWay);
        underWay.done.complete(null);
      });
    });
  }
}
