package io.superstep.reactor;

import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.state.Schemas;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A log of a process that dies when it is about to tell something. */
class FaultyLog implements EventLog {

  private final EventLog log;
  private final CompletableFuture<Void> struck = new CompletableFuture<>();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Predicate<GraphEvent> fatal = event -> false;
  private volatile Predicate<GraphEvent> failing = event -> false;
  private volatile int last = Integer.MAX_VALUE;

  FaultyLog(EventLog log) {
    this.log = log;
  }

  /** Dies before the event is written that {@code test} accepts. */
  void dieAt(Predicate<GraphEvent> test) {
    fatal = test;
  }

  /** Fails to write the event that {@code test} accepts. */
  void failAt(Predicate<GraphEvent> test) {
    failing = test;
  }

  /** Dies when {@code most} calls that write were done. */
  void dieAfter(int most) {
    last = most;
  }

  Mono<Void> struck() {
    return Mono.fromFuture(struck, true);
  }

  boolean isStruck() {
    return struck.isDone();
  }

  /** How many calls that write there were. */
  int calls() {
    return calls.get();
  }

  private <T> Flux<T> unlessDead(Publisher<T> call, boolean strikes) {
    return Flux.defer(() -> {
      if (strikes || calls.incrementAndGet() > last) {
        struck.complete(null);
      }
      return struck.isDone() ? Flux.never() : call;
    });
  }

  @Override
  public Publisher<Long> open(String thread, long fence) {
    return unlessDead(log.open(thread, fence), false);
  }

  @Override
  public Publisher<Void> append(
      String thread, long fence, List<GraphEvent> events, Schemas schemas) {
    if (events.stream().anyMatch(failing)) {
      return Mono.error(new IllegalStateException("The log is full."));
    }
    return unlessDead(
        log.append(thread, fence, events, schemas), events.stream().anyMatch(fatal));
  }

  @Override
  public Publisher<GraphEvent> read(String thread, long after, Schemas schemas) {
    return log.read(thread, after, schemas);
  }

  @Override
  public Publisher<GraphEvent> follow(String thread, long after, Chunks chunks, Schemas schemas) {
    return log.follow(thread, after, chunks, schemas);
  }

  @Override
  public Publisher<Long> trim(String thread, long before) {
    return log.trim(thread, before);
  }

  @Override
  public Publisher<Void> delete(String thread) {
    return log.delete(thread);
  }
}
