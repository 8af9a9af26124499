package io.superstep.reactor;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.SavedThread;
import io.superstep.event.EventLog;
import io.superstep.event.EventLogConflictException;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.RunFailed;
import io.superstep.event.GraphEvent.RunResumed;
import io.superstep.event.GraphEvent.RunStarted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.Terminal;
import io.superstep.event.Moment;
import io.superstep.state.Schemas;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  private final Schemas schemas;
  private final Hold hold;
  private final String thread;

  /** Of the run, as far as it was told. */
  private @Nullable GraphEvent last;

  private long number;
  private volatile boolean isWanted;

  /** Whether the last run that was told of was not told to have ended. */
  private boolean isOpen;

  ThreadEvents(EventLog log, CheckpointStore store, Schemas schemas, Hold hold) {
    this.log = log;
    this.store = store;
    this.schemas = schemas;
    this.hold = hold;
    this.thread = hold.lease().thread();
  }

  /** Takes the log, and tells what somebody who vanished has done and not told. */
  Mono<Void> opened() {
    return StoreCall.mono(() -> log.open(thread, fence()))
        .flatMap(this::madeGood)
        .onErrorMap(EventLogConflictException.class, this::lost)
        .doOnNext(end -> number = end)
        .then();
  }

  /** @param run numbers its facts from what it is given */
  Flux<GraphEvent> of(LongFunction<Flux<GraphEvent>> run) {
    return Flux.defer(
        () -> new LoggedFlux(run.apply(number), this::append, wanted -> isWanted = wanted)
            .doOnNext(this::see)
            .onErrorResume(this::failed));
  }

  private long fence() {
    return hold.lease().fence();
  }

  private void see(GraphEvent event) {
    last = event;
    number = event.sequence();
  }

  private Publisher<Void> append(List<GraphEvent> events) {
    return log.append(thread, fence(), events, schemas);
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
    if (before == null) {
      return Mono.error(CarriedError.wrap(failure));
    }
    Moment then = new Moment("", before.step(), before.time());
    return Mono.deferContextual(context -> StoreCall.mono(() -> log.open(thread, fence()))
            .flatMap(end ->
                StoreCall.mono(() -> append(List.of(new RunFailed(then, end + 1, failure)))))
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

  /** Returns the error of a run whose thread was taken over; the checkpoint store has the same. */
  private CheckpointConflictException lost(Throwable conflict) {
    return CheckpointConflictException.lostLease(hold.lease(), conflict);
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
        : StoreCall.mono(() -> log.append(thread, fence(), missing, schemas))
            .thenReturn(end + missing.size());
  }

  private Mono<List<GraphEvent>> untold(long end, long tail) {
    return StoreCall.flux(() -> log.read(thread, Math.max(0, end - tail), schemas))
        .collectList()
        .flatMap(facts -> end > tail && !isEnough(facts)
            ? untold(end, tail > end / 4 ? end : tail * 4)
            : untold(end, facts))
        .onErrorResume(
            EventsTrimmedException.class,
            gone -> StoreCall.flux(() -> log.read(thread, gone.first() - 1, schemas))
                .collectList()
                .flatMap(facts -> untold(end, facts)));
  }

  /**
   * What has to be told of the steps of the last run.
   *
   * @param facts the last ones, its first one among them unless that was trimmed
   */
  private Mono<List<GraphEvent>> untold(long end, List<GraphEvent> facts) {
    int begin = lastBegin(facts);
    isOpen = !facts.isEmpty() && !isEnd(facts.get(facts.size() - 1));
    if (begin < 0) {
      return Mono.just(List.of()); // nobody can tell what was told
    }
    Told told = new Told(facts, begin);
    return StoreCall.flux(() -> store.history(thread, HistoryFilter.ALL, schemas))
        .filter(new Line()::has)
        .takeWhile(checkpoint -> !told.checkpoints.contains(checkpoint.id())
            && !checkpoint.time().isBefore(facts.get(begin).time()))
        .filter(checkpoint -> checkpoint.cause().kind() == Cause.Kind.STEP)
        .collectList()
        .flatMapMany(
            newest -> Flux.range(1, newest.size()).map(place -> newest.get(newest.size() - place)))
        .concatMap(checkpoint -> StoreCall.mono(() -> store.load(thread, checkpoint.id(), schemas)))
        .concatMapIterable(saved -> events(saved, told))
        .index((place, event) -> event.numbered(end + place + 1))
        .collectList();
  }

  private static List<GraphEvent> events(SavedThread saved, Told told) {
    Checkpoint checkpoint = saved.checkpoint();
    Moment then = new Moment("", checkpoint.step(), checkpoint.time());
    CheckpointSaved safe = new CheckpointSaved(then, 0, checkpoint.id());
    return told.steps.contains(checkpoint.step())
        ? List.of(safe)
        : List.of(
            new StepCommitted(then, 0, checkpoint.changes(), saved.position().state()), safe);
  }

  /** Whether it can be told from these what was told of the last run, and before it. */
  private static boolean isEnough(List<GraphEvent> facts) {
    return lastBegin(facts) >= 0 && facts.stream().anyMatch(CheckpointSaved.class::isInstance);
  }

  private static int lastBegin(List<GraphEvent> facts) {
    int index = facts.size() - 1;
    while (index >= 0 && !isBegin(facts.get(index))) {
      index--;
    }
    return index;
  }

  /** Whether the last run has vanished before it was told how it ended. */
  boolean isOpen() {
    return isOpen;
  }

  private static boolean isEnd(GraphEvent fact) {
    return fact.path().isEmpty() && (fact instanceof Terminal || fact instanceof RunFailed);
  }

  private static boolean isBegin(GraphEvent fact) {
    return fact.path().isEmpty() && (fact instanceof RunStarted || fact instanceof RunResumed);
  }

  /** What a run has told of its steps. */
  private static final class Told {

    private final Set<Integer> steps = new HashSet<>();
    private final Set<CheckpointId> checkpoints = new HashSet<>();

    /** @param begin of the last run: those before it have told all they did, or others have */
    Told(List<GraphEvent> facts, int begin) {
      for (int index = 0; index < facts.size(); index++) {
        GraphEvent fact = facts.get(index);
        if (index > begin && fact.path().isEmpty() && fact instanceof StepCommitted) {
          steps.add(fact.step());
        } else if (fact instanceof CheckpointSaved saved) {
          checkpoints.add(saved.checkpoint());
        }
      }
    }
  }

  /** Finds, of checkpoints that come newest first, those that lead to the first one. */
  private static final class Line {

    private @Nullable CheckpointId next;
    private boolean hasBegun;

    boolean has(Checkpoint checkpoint) {
      if (hasBegun && !checkpoint.id().equals(next)) {
        return false;
      }
      hasBegun = true;
      next = checkpoint.parent();
      return true;
    }
  }
}
