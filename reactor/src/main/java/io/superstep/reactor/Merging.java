package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.MergeConflictException;
import io.superstep.checkpoint.Parting;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.UnmergeableException;
import io.superstep.state.Changes;
import io.superstep.state.Merge;
import io.superstep.state.Merge.Line;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Finds out what another branch of a thread brings to its head. */
record Merging(GraphThread thread) {

  /** What {@code other} brings to the head. */
  Mono<Changes> brought(SavedThread head, CheckpointId other, Map<String, Merge.Winner> decided) {
    CheckpointId at = head.checkpoint().id();
    return thread
        .stateAt(other)
        .flatMap(theirs -> parting(at, other).flatMap(parting -> {
          CheckpointId base = meaningful(parting, at, other);
          return thread.stateAt(base).map(start -> {
            Merge merge = Merge.of(
                start,
                new Line(head.position().state(), parting.ours()),
                new Line(theirs, parting.theirs()),
                decided);
            if (!merge.conflicts().isEmpty()) {
              throw new MergeConflictException(thread.id(), at, other, base, merge.conflicts());
            }
            return merge.changes();
          });
        }));
  }

  private Mono<Parting> parting(CheckpointId ours, CheckpointId theirs) {
    return Mono.defer(() -> {
      Parting parting = new Parting(ours, theirs);
      return thread.history().takeUntil(parting::read).then(Mono.just(parting));
    });
  }

  /** The base of a parting from which something can be learnt. */
  private CheckpointId meaningful(Parting parting, CheckpointId head, CheckpointId other) {
    CheckpointId base = parting.base();
    if (base == null) {
      throw UnmergeableException.unrelated(thread.id(), head, other);
    }
    if (base.equals(other)) {
      throw UnmergeableException.hasIt(thread.id(), head, other);
    }
    if (parting.isCrossed()) {
      throw UnmergeableException.crossed(thread.id(), head, other);
    }
    if (parting.isCut()) {
      throw UnmergeableException.unrelated(thread.id(), head, other);
    }
    return base;
  }
}
