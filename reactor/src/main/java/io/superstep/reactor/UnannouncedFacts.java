package io.superstep.reactor;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.SavedThread;
import io.superstep.event.EventLog;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.Rebase;
import io.superstep.event.GraphEvent.RunStarted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.event.Moment;
import io.superstep.state.Changes;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The facts that a thread's log lacks: checkpoints that a process committed before it ended without
 * appending them, and a return to the last stored checkpoint where facts of the log were lost by
 * the store.
 */
final class UnannouncedFacts {

  /** How many facts are read first; four times as many where these do not suffice. */
  private static final long TAIL = 64;

  private final String thread;
  private final EventLog log;
  private final CheckpointStore store;
  private final Schemas schemas;

  UnannouncedFacts(String thread, EventLog log, CheckpointStore store, Schemas schemas) {
    this.thread = thread;
    this.log = log;
    this.store = store;
    this.schemas = schemas;
  }

  /**
   * Compares the log with the store.
   *
   * @param end the number of the last fact of the log
   * @param head the thread as stored; null if it is not
   */
  Mono<Replay> find(long end, @Nullable SavedThread head) {
    return end == 0 ? compare(new AnnouncedHeads(List.of(), 0), true, head) : find(end, TAIL, head);
  }

  /**
   * The facts to append.
   *
   * @param isOpen whether the last run of the log has no end
   */
  record Replay(List<GraphEvent> facts, boolean isOpen) {}

  private Mono<Replay> find(long end, long tail, @Nullable SavedThread head) {
    boolean isAll = end <= tail;
    return read(Math.max(0, end - tail))
        .flatMap(facts -> compare(new AnnouncedHeads(facts, end), isAll, head))
        .onErrorResume(
            EventsTrimmedException.class,
            gone -> read(gone.first() - 1)
                .flatMap(facts -> compare(new AnnouncedHeads(facts, end), true, head)))
        .switchIfEmpty(Mono.defer(() -> find(end, tail > end / 4 ? end : tail * 4, head)));
  }

  private Mono<List<GraphEvent>> read(long after) {
    return StoreCall.flux(() -> log.read(thread, after, schemas)).collectList();
  }

  /** @return empty if more facts have to be read, which is never so if these are all */
  private Mono<Replay> compare(AnnouncedHeads log, boolean isAll, @Nullable SavedThread head) {
    if (head == null) {
      return Mono.just(log.replay(List.of()));
    }
    if (!isAll && !log.isConclusive()) {
      return Mono.empty();
    }
    if (head.checkpoint().id().equals(log.last())) {
      return Mono.just(log.replay(log.unsaved(head.checkpoint().id())));
    }
    if (log.last() == null) {
      return begun(log, head).map(log::replay);
    }
    return StoreCall.flux(() -> store.history(thread, HistoryFilter.ALL, schemas))
        .takeUntil(checkpoint -> log.contains(checkpoint.id()))
        .collectList()
        .flatMap(newest -> {
          List<Checkpoint> oldestFirst = new ArrayList<>(newest);
          Collections.reverse(oldestFirst);
          boolean isKnown =
              !oldestFirst.isEmpty() && log.contains(oldestFirst.get(0).id());
          if (!isKnown && !isAll) {
            return Mono.empty();
          }
          Mono<List<GraphEvent>> facts = isKnown
              ? continued(log, oldestFirst.get(0), oldestFirst.subList(1, oldestFirst.size()))
              : Mono.just(base(head));
          return facts.map(log::replay);
        });
  }

  /** The log ends with {@code known}, or with facts behind it that the store has lost. */
  private Mono<List<GraphEvent>> continued(
      AnnouncedHeads log, Checkpoint known, List<Checkpoint> missing) {
    List<GraphEvent> facts = new ArrayList<>(log.unsaved(known.id()));
    CheckpointId last = Objects.requireNonNull(log.last());
    if (known.id().equals(last)) {
      return append(facts, known.id(), missing);
    }
    return load(known.id()).flatMap(saved -> {
      State state = saved.position().state();
      Changes lost = Changes.of(state, log.changedAfter(known.id()));
      facts.add(updated(known, state, new Rebase(last, lost)));
      facts.add(new CheckpointSaved(moment(known), 0, known.id()));
      return append(facts, known.id(), missing);
    });
  }

  /**
   * The log names no checkpoint. An empty log begins with the turn under way; a log whose facts
   * were trimmed continues with the head, and so does any log if nothing is due.
   */
  private Mono<List<GraphEvent>> begun(AnnouncedHeads log, SavedThread head) {
    if (log.end() > 0 || head.position().isFinished()) {
      return Mono.just(base(head));
    }
    return StoreCall.flux(() -> store.history(thread, HistoryFilter.ALL, schemas))
        .takeUntil(checkpoint -> checkpoint.cause().kind() == Cause.Kind.INPUT)
        .collectList()
        .flatMap(newest -> {
          Collections.reverse(newest);
          return turn(head, newest);
        });
  }

  /** @param stored the checkpoints of the turn; its input is not among them if it was pruned */
  private Mono<List<GraphEvent>> turn(SavedThread head, List<Checkpoint> stored) {
    if (stored.get(0).cause().kind() != Cause.Kind.INPUT) {
      return Mono.just(base(head));
    }
    CheckpointId before = stored.get(0).parent();
    return before == null
        ? append(new ArrayList<>(), null, stored)
        : StoreCall.mono(() -> store.load(thread, before, schemas))
            .flatMap(parent -> append(new ArrayList<>(base(parent)), before, stored))
            .switchIfEmpty(Mono.fromSupplier(() -> base(head)));
  }

  /** A checkpoint as the first of a log: its changes start from the initial state. */
  private static List<GraphEvent> base(SavedThread saved) {
    Checkpoint checkpoint = saved.checkpoint();
    State state = saved.position().state();
    return List.of(
        new ThreadUpdated(
            moment(checkpoint),
            0,
            checkpoint.id(),
            null,
            checkpoint.cause(),
            Changes.whole(state),
            state,
            null),
        new CheckpointSaved(moment(checkpoint), 0, checkpoint.id()));
  }

  private Mono<List<GraphEvent>> append(
      List<GraphEvent> facts, @Nullable CheckpointId previous, List<Checkpoint> missing) {
    return Flux.range(0, missing.size())
        .concatMap(index -> facts(
            missing.get(index), index == 0 ? previous : missing.get(index - 1).id()))
        .doOnNext(facts::addAll)
        .then(Mono.just(facts));
  }

  private Mono<List<GraphEvent>> facts(Checkpoint missing, @Nullable CheckpointId previous) {
    boolean isChild = missing.parent() == null || missing.parent().equals(previous);
    Mono<SavedThread> before = isChild || previous == null
        ? Mono.empty()
        : StoreCall.mono(() -> store.load(thread, previous, schemas));
    return load(missing.id())
        .flatMap(saved -> before
            .map(left -> List.<GraphEvent>of(
                updated(
                    missing,
                    saved.position().state(),
                    new Rebase(
                        left.checkpoint().id(),
                        Changes.between(
                            left.position().state(), saved.position().state()))),
                new CheckpointSaved(moment(missing), 0, missing.id())))
            .switchIfEmpty(Mono.fromSupplier(() -> isChild ? facts(saved) : base(saved))));
  }

  private Mono<SavedThread> load(CheckpointId id) {
    return StoreCall.mono(() -> store.load(thread, id, schemas));
  }

  private static List<GraphEvent> facts(SavedThread saved) {
    Checkpoint checkpoint = saved.checkpoint();
    State state = saved.position().state();
    Moment then = moment(checkpoint);
    GraphEvent moved = switch (checkpoint.cause().kind()) {
      case INPUT ->
        new RunStarted(then, 0, checkpoint.id(), checkpoint.parent(), checkpoint.changes(), state);
      case STEP ->
        new StepCommitted(
            then, 0, checkpoint.id(), checkpoint.parent(), checkpoint.changes(), state);
      default -> updated(checkpoint, state, null);
    };
    return List.of(moved, new CheckpointSaved(then, 0, checkpoint.id()));
  }

  private static ThreadUpdated updated(
      Checkpoint checkpoint, State state, @Nullable Rebase rebase) {
    return new ThreadUpdated(
        moment(checkpoint),
        0,
        checkpoint.id(),
        checkpoint.parent(),
        checkpoint.cause(),
        checkpoint.changes(),
        state,
        rebase);
  }

  private static Moment moment(Checkpoint checkpoint) {
    return new Moment("", checkpoint.step(), checkpoint.time());
  }
}
