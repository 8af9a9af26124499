package io.superstep.reactor;

import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Position;
import io.superstep.error.Problem;
import io.superstep.event.GraphEvent.Rebase;
import io.superstep.step.StepResult.Committed;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a run: its first position, and the checkpoint that led to it.
 *
 * @param start returns the position and the changes that led to it; called once per run
 * @param isResumed whether it continues an earlier run
 * @param warnings reported before anything else
 * @param after the number of the last fact before the run
 * @param commit the checkpoint with which the run begins; null if it begins with none
 * @param rebase the delta from the previous head, if that is not the parent of the checkpoint
 */
record Opening(
    Supplier<Committed> start,
    boolean isResumed,
    List<Problem> warnings,
    long after,
    @Nullable Commit commit,
    @Nullable Rebase rebase) {

  /** Begins a turn without a thread, or of a nested graph. */
  static Opening begun(Supplier<Committed> start) {
    return new Opening(start, false, List.of(), 0, null, null);
  }

  /** Begins a turn of a thread with the checkpoint of its input. */
  static Opening begun(Committed opened, Commit commit) {
    return new Opening(() -> opened, false, List.of(), 0, commit, null);
  }

  /** Resumes an earlier run at {@code position}, which keeps or has lifted its pause. */
  static Opening resumed(Supplier<Position> position, List<Problem> warnings) {
    return new Opening(() -> Committed.unchanged(position.get()), true, warnings, 0, null, null);
  }

  /** Continues at a checkpoint that was made from an older one. */
  static Opening forked(Committed forked, Commit commit, @Nullable Rebase rebase) {
    return new Opening(
        () -> Committed.unchanged(forked.position()), true, List.of(), 0, commit, rebase);
  }

  /** The same, with facts that are numbered from there. */
  Opening after(long last) {
    return new Opening(start, isResumed, warnings, last, commit, rebase);
  }
}
