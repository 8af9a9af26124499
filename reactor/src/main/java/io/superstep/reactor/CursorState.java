package io.superstep.reactor;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.event.EventLog;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.HeadMoved;
import io.superstep.event.GraphEvent.StateSnapshot;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.event.Moment;
import io.superstep.graph.Graph;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds the state of a thread at a cursor of its event log. */
record CursorState(String thread, EventLog log, CheckpointStore store, Graph graph) {

  /** The number of facts that are read first; quadrupled if none of them moves the head. */
  private static final long TAIL = 64;

  /**
   * The state before the first fact above the cursor that moves the head.
   *
   * @param now the time of the snapshot of a thread that is not stored
   */
  Flux<GraphEvent> snapshot(long after, Instant now) {
    // the head is loaded first: facts that are appended meanwhile are applied to it or ignored
    return StoreCall.mono(() -> store.load(thread, graph.schemas()))
        .singleOptional()
        .flatMap(head -> nextMove(after).flatMap(next -> snapshot(after, head, next, now)))
        .flux();
  }

  private Mono<Optional<HeadMoved>> nextMove(long after) {
    return moves(after).next().singleOptional();
  }

  /** The facts that name a checkpoint; one without does not move the head of a thread. */
  private Flux<HeadMoved> moves(long after) {
    return StoreCall.flux(() -> log.read(thread, after, graph.schemas()))
        .filter(fact -> fact.path().isEmpty())
        .ofType(HeadMoved.class)
        .filter(move -> move.checkpoint() != null);
  }

  /** The last fact up to the cursor that names a checkpoint; empty if none is left. */
  private Mono<HeadMoved> lastMove(long cursor, long tail) {
    long after = Math.max(0, cursor - tail);
    return lastMoveBehind(after, cursor)
        .onErrorResume(
            EventsTrimmedException.class, gone -> lastMoveBehind(gone.first() - 1, cursor))
        .switchIfEmpty(after == 0 ? Mono.empty() : Mono.defer(() -> lastMove(cursor, tail * 4)));
  }

  private Mono<HeadMoved> lastMoveBehind(long after, long cursor) {
    return after >= cursor
        ? Mono.empty()
        : moves(after).takeWhile(move -> move.sequence() <= cursor).takeLast(1).next();
  }

  private Mono<GraphEvent> snapshot(
      long after, Optional<SavedThread> head, Optional<HeadMoved> next, Instant now) {
    if (next.isEmpty()) {
      return lastMove(after, TAIL)
          .filter(move -> isAhead(move, head))
          .<GraphEvent>map(move -> of(after, move))
          .switchIfEmpty(Mono.fromSupplier(
              () -> head.map(saved -> of(after, saved)).orElseGet(() -> initial(after, now))));
    }
    HeadMoved move = next.get();
    CheckpointId before = before(move);
    return before == null
        ? Mono.just(initial(after, move.time()))
        : StoreCall.mono(() -> store.load(thread, before, graph.schemas()))
            .map(saved -> of(after, saved))
            .defaultIfEmpty(of(after, move));
  }

  /** Returns whether the fact is of a step that was announced before it is stored. */
  private static boolean isAhead(HeadMoved move, Optional<SavedThread> head) {
    CheckpointId announced = Objects.requireNonNull(move.checkpoint());
    return head.isEmpty() || announced.compareTo(head.get().checkpoint().id()) > 0;
  }

  private static @Nullable CheckpointId before(HeadMoved move) {
    return move instanceof ThreadUpdated updated && updated.rebase() != null
        ? updated.rebase().previous()
        : move.parent();
  }

  private static GraphEvent of(long after, HeadMoved move) {
    return new StateSnapshot(
        new Moment("", move.step(), move.time()), after, move.checkpoint(), move.state());
  }

  private static GraphEvent of(long after, SavedThread saved) {
    Checkpoint checkpoint = saved.checkpoint();
    return new StateSnapshot(
        new Moment("", checkpoint.step(), checkpoint.time()),
        after,
        checkpoint.id(),
        saved.position().state());
  }

  private GraphEvent initial(long after, Instant time) {
    return new StateSnapshot(
        new Moment("", 0, time), after, null, graph.schema().start());
  }
}
