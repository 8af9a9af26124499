package io.superstep.reactor;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.event.EventLog;
import io.superstep.event.EventLogConflictException;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.RunFailed;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.Moment;
import io.superstep.state.StateSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Keeps in a log what the runs of one thread tell, before anybody else hears it. */
final class ThreadEvents {

  /** How many facts are looked at first to find the last checkpoint that was told. */
  private static final long TAIL = 64;

  private final EventLog log;
  private final CheckpointStore store;
  private final StateSchema schema;
  private final Hold hold;
  private final String thread;

  /** Of the run, as far as it was told. */
  private @Nullable GraphEvent last;

  private long number;

  ThreadEvents(EventLog log, CheckpointStore store, StateSchema schema, Hold hold) {
    this.log = log;
    this.store = store;
    this.schema = schema;
    this.hold = hold;
    this.thread = hold.lease().thread();
  }

  /** @param run numbers its facts from what it is given */
  Flux<GraphEvent> of(LongFunction<Flux<GraphEvent>> run) {
    return Mono.defer(() -> Mono.from(log.open(thread, fence())))
        .flatMap(this::madeGood)
        .flatMapMany(before -> {
          number = before;
          return run.apply(before)
              .concatMap(this::kept, 0)
              .doOnNext(this::see)
              .onErrorResume(this::failed);
        });
  }

  private long fence() {
    return hold.lease().fence();
  }

  private void see(GraphEvent event) {
    last = event;
    number = event.sequence();
  }

  private Mono<GraphEvent> kept(GraphEvent event) {
    Publisher<Void> append = log.append(thread, fence(), List.of(event));
    if (append instanceof Callable<?> atOnce) {
      return Mono.fromCallable(() -> {
        atOnce.call();
        return event;
      });
    }
    return Mono.from(append).thenReturn(event);
  }

  /** Tells the log that a run failed which had begun. */
  private Mono<GraphEvent> failed(Throwable failure) {
    GraphEvent before = last;
    if (before == null) {
      return Mono.error(failure);
    }
    Moment then = new Moment("", before.step(), before.time());
    RunFailed event = new RunFailed(then, number + 1, failure);
    return Mono.deferContextual(context -> Mono.from(log.append(thread, fence(), List.of(event)))
            .onErrorResume(refused -> {
              if (refused instanceof EventLogConflictException) {
                return Mono.empty(); // the thread is somebody else's
              }
              failure.addSuppressed(refused);
              Operators.onErrorDropped(failure, Context.of(context));
              return Mono.empty();
            }))
        .then(Mono.error(failure));
  }

  /**
   * Tells of steps that were committed by somebody who vanished before telling it.
   *
   * @param end the number of the last fact
   * @return the number of the last fact then
   */
  private Mono<Long> madeGood(long end) {
    return end == 0 ? Mono.just(end) : untold(end, TAIL).flatMap(missing -> told(end, missing));
  }

  private Mono<Long> told(long end, List<GraphEvent> missing) {
    return missing.isEmpty()
        ? Mono.just(end)
        : Mono.from(log.append(thread, fence(), missing)).thenReturn(end + missing.size());
  }

  private Mono<List<GraphEvent>> untold(long end, long tail) {
    long from = Math.max(0, end - tail);
    return Flux.from(log.read(thread, from))
        .onErrorResume(EventsTrimmedException.class, gone -> log.read(thread, gone.first() - 1))
        .collectList()
        .flatMap(facts -> {
          int saved = lastSaved(facts);
          if (saved < 0 && facts.size() >= tail) {
            return untold(end, tail * 4);
          }
          CheckpointId known = saved < 0 ? null : ((CheckpointSaved) facts.get(saved)).checkpoint();
          return untold(end, known, facts.subList(saved + 1, facts.size()));
        });
  }

  private static int lastSaved(List<GraphEvent> facts) {
    int index = facts.size() - 1;
    while (index >= 0
        && !(facts.get(index) instanceof CheckpointSaved
            && facts.get(index).path().isEmpty())) {
      index--;
    }
    return index;
  }

  /**
   * What has to be told of the steps of this turn after {@code known}.
   *
   * @param since what was told after it
   */
  private Mono<List<GraphEvent>> untold(
      long end, @Nullable CheckpointId known, List<GraphEvent> since) {
    return Flux.from(store.history(thread, HistoryFilter.ALL))
        .takeWhile(checkpoint -> checkpoint.cause().kind() == Cause.Kind.STEP
            && (known == null || checkpoint.id().compareTo(known) > 0))
        .collectList()
        .flatMap(newest -> {
          List<Checkpoint> inOrder = new ArrayList<>(newest);
          Collections.reverse(inOrder);
          List<GraphEvent> missing = new ArrayList<>();
          return Flux.fromIterable(inOrder)
              .concatMap(checkpoint -> Mono.from(store.load(thread, checkpoint.id(), schema))
                  .doOnNext(saved -> {
                    Moment then = new Moment("", checkpoint.step(), checkpoint.time());
                    if (!isTold(checkpoint.step(), since)) {
                      missing.add(new StepCommitted(
                          then,
                          end + missing.size() + 1,
                          checkpoint.changes(),
                          saved.position().state()));
                    }
                    missing.add(
                        new CheckpointSaved(then, end + missing.size() + 1, checkpoint.id()));
                  }))
              .then(Mono.fromSupplier(() -> missing));
        });
  }

  private static boolean isTold(int step, List<GraphEvent> since) {
    return since.stream()
        .anyMatch(event ->
            event instanceof StepCommitted && event.path().isEmpty() && event.step() == step);
  }
}
