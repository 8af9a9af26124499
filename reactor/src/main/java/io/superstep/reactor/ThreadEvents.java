package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.SavedThread;
import io.superstep.event.EventLog;
import io.superstep.event.EventLogConflictException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.GraphEvent.RunFailed;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.event.Moment;
import io.superstep.reactor.LoggedFlux.Append;
import io.superstep.state.Schemas;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** Keeps in a log what the runs of one thread tell, before anybody else hears it. */
final class ThreadEvents {

  private final EventLog log;
  private final CheckpointStore store;
  private final Schemas schemas;
  private final InstantSource clock;
  private final Hold hold;
  private final String thread;

  /** The last fact of the run that was delivered. */
  private @Nullable GraphEvent last;

  private long number;

  /** The number of the last fact that is stored, or is about to be. */
  private long stored;

  /** The events that the run has not delivered, and that are stored or about to be. */
  private final Queue<GraphEvent> ahead = new ArrayDeque<>(0);

  /** Completes when these are stored. */
  private Mono<Void> storedAhead = Mono.empty();

  private volatile boolean isTakenOver;
  private volatile boolean isFailureStored;
  private volatile boolean isWanted;

  /** Whether the last run that was told of was not told to have ended. */
  private boolean isOpen;

  ThreadEvents(
      EventLog log, CheckpointStore store, Schemas schemas, InstantSource clock, Hold hold) {
    this.log = log;
    this.store = store;
    this.schemas = schemas;
    this.clock = clock;
    this.hold = hold;
    this.thread = hold.lease().thread();
  }

  /**
   * Takes the log, loads the thread, and appends the facts that the log lacks.
   *
   * @param loaded the thread; empty if it is not stored
   */
  Mono<SavedThread> opened(Mono<SavedThread> loaded) {
    return StoreCall.mono(() -> log.open(thread, fence()))
        .flatMap(end -> loaded
            .singleOptional()
            .flatMap(saved -> replayed(end, saved.orElse(null)).thenReturn(saved)))
        .onErrorMap(EventLogConflictException.class, this::lost)
        .flatMap(Mono::justOrEmpty);
  }

  private Mono<Void> replayed(long end, @Nullable SavedThread saved) {
    return new UnannouncedFacts(thread, log, store, schemas).find(end, saved).flatMap(replay -> {
      isOpen = replay.isOpen();
      number = end + replay.facts().size();
      stored = number;
      return replay.facts().isEmpty()
          ? Mono.empty()
          : StoreCall.mono(() -> write(timed(replay.facts())));
    });
  }

  /**
   * Appends the facts of checkpoints that were committed without a run. If that fails, the next run
   * of the thread appends them, and the error is dropped: the checkpoints are stored.
   */
  Mono<Void> announce(List<Commit> commits) {
    return Mono.defer(() -> {
      List<GraphEvent> facts = new ArrayList<>();
      for (Commit commit : commits) {
        Moment then = new Moment("", commit.position().step(), commit.time());
        facts.add(new ThreadUpdated(
            then,
            ++number,
            commit.id(),
            commit.parent(),
            commit.cause(),
            commit.changes(),
            commit.position().state(),
            null));
        facts.add(new CheckpointSaved(then, ++number, commit.id()));
      }
      return Mono.deferContextual(context -> StoreCall.mono(() -> write(timed(facts)))
          .onErrorResume(refused -> {
            Operators.onErrorDropped(refused, Context.of(context));
            return Mono.empty();
          }));
    });
  }

  /** @param run numbers its facts from what it is given */
  Flux<GraphEvent> of(LongFunction<Flux<GraphEvent>> run) {
    return Flux.defer(() -> new LoggedFlux(run.apply(number), this::append, this::setWanted)
        .doOnNext(this::see)
        .onErrorResume(this::failed));
  }

  private void setWanted(boolean wanted) {
    boolean before = isWanted;
    isWanted = wanted;
    if (before && !wanted) {
      hold.restIfClosing();
    }
  }

  private long fence() {
    return hold.lease().fence();
  }

  private void see(GraphEvent event) {
    if (!(event instanceof Provisional)) {
      last = event;
    }
    number = event.sequence();
  }

  /** Stores events before they are delivered, unless {@link #ahead} did. */
  private Append append(List<GraphEvent> events) {
    if (isTakenOver) {
      return new Append(events, Mono.empty());
    }
    int known = Math.min(ahead.size(), events.size());
    List<GraphEvent> others = timed(events.subList(known, events.size()));
    if (known == 0) {
      return new Append(others, write(others));
    }
    List<GraphEvent> all = new ArrayList<>(events.size());
    for (int event = 0; event < known; event++) {
      all.add(ahead.remove());
    }
    all.addAll(others);
    return new Append(
        all,
        others.isEmpty() ? storedAhead : storedAhead.then(StoreCall.mono(() -> write(others))));
  }

  /** Returns {@code events}, the facts with the time at which they are appended. */
  private List<GraphEvent> timed(List<GraphEvent> events) {
    if (!hasFact(events)) {
      return events;
    }
    Instant now = clock.instant();
    List<GraphEvent> timed = new ArrayList<>(events.size());
    for (GraphEvent event : events) {
      timed.add(event instanceof Provisional ? event : event.appendedAt(now));
    }
    return timed;
  }

  private static boolean hasFact(List<GraphEvent> events) {
    for (GraphEvent event : events) {
      if (!(event instanceof Provisional)) {
        return true;
      }
    }
    return false;
  }

  private Publisher<Void> write(List<GraphEvent> events) {
    stored = events.get(events.size() - 1).sequence();
    return log.append(thread, fence(), events, schemas);
  }

  /**
   * Stores events that the subscriber has not requested, before the thread is released; only from
   * inside the drain of the run, and while {@link #isWanted} is false.
   *
   * @param failure with which the run ends behind them; null if it does not fail
   */
  Mono<Void> ahead(List<GraphEvent> undelivered, @Nullable Throwable failure) {
    if (undelivered.isEmpty() || isTakenOver) {
      return Mono.empty();
    }
    List<GraphEvent> all = new ArrayList<>(undelivered);
    if (failure != null) {
      long next = undelivered.get(undelivered.size() - 1).sequence() + 1;
      all.add(runFailed(lastFact(undelivered), next, CarriedError.unwrap(failure)));
      isFailureStored = true;
    }
    List<GraphEvent> timed = timed(all);
    ahead.clear();
    ahead.addAll(timed.subList(0, undelivered.size()));
    storedAhead = StoreCall.mono(() -> write(timed))
        .onErrorMap(EventLogConflictException.class, this::lost)
        .cache();
    return storedAhead;
  }

  /** Opens the log under the lease that was acquired again; fails if another run has written. */
  Mono<Void> reopened(SavedThread saved) {
    return StoreCall.mono(() -> log.open(thread, fence()))
        .onErrorMap(EventLogConflictException.class, this::lost)
        .flatMap(end -> end == stored
            ? Mono.empty()
            : Mono.error(
                CheckpointConflictException.touched(thread, saved.checkpoint().id())));
  }

  /** Marks the log as written by another run: events of this one are delivered only. */
  void takenOver() {
    isTakenOver = true;
  }

  /** Whether anything is wanted of the run, or something is on its way to the log. */
  boolean isWanted() {
    return isWanted;
  }

  /** Tells the log that a run failed which had begun. */
  private Mono<GraphEvent> failed(Throwable signalled) {
    Throwable failure = CarriedError.unwrap(signalled);
    GraphEvent before = last;
    if (failure instanceof EventLogConflictException) {
      return Mono.error(lost(failure));
    }
    if (before == null || isFailureStored) {
      return Mono.error(CarriedError.wrap(failure));
    }
    return Mono.deferContextual(context -> StoreCall.mono(() -> log.open(thread, fence()))
            .flatMap(end ->
                StoreCall.mono(() -> write(timed(List.of(runFailed(before, end + 1, failure))))))
            .onErrorResume(signal -> {
              Throwable refused = CarriedError.unwrap(signal);
              if (!(refused instanceof EventLogConflictException)) { // or it is somebody else's
                failure.addSuppressed(refused);
                Operators.onErrorDropped(failure, Context.of(context));
              }
              return Mono.empty();
            }))
        .then(Mono.error(CarriedError.wrap(failure)));
  }

  /** The last fact of {@code undelivered}, or the last one before them: their step has its time. */
  private GraphEvent lastFact(List<GraphEvent> undelivered) {
    GraphEvent found = last == null ? undelivered.get(0) : last;
    for (GraphEvent event : undelivered) {
      found = event instanceof Provisional ? found : event;
    }
    return found;
  }

  private RunFailed runFailed(GraphEvent before, long number, Throwable failure) {
    return new RunFailed(
        new Moment("", before.step(), before.time()), number, hold.runner().shown(failure));
  }

  /** Returns the error of a run whose thread was taken over; the checkpoint store has the same. */
  private CheckpointConflictException lost(Throwable conflict) {
    return CheckpointConflictException.lostLease(hold.lease(), conflict);
  }

  /** Whether the last run has vanished before it was told how it ended. */
  boolean isOpen() {
    return isOpen;
  }
}
