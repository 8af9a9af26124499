package io.superstep.reactor;

import io.superstep.checkpoint.Position;
import io.superstep.error.Problem;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where and how a run begins.
 *
 * @param position finds where it stands; asked for once per run
 * @param isResumed whether it goes on where an earlier run stood
 * @param warnings what has to be told before anything else
 */
record Opening(Supplier<Position> position, boolean isResumed, List<Problem> warnings) {

  /** Begins a turn. */
  static Opening begun(Supplier<Position> position) {
    return new Opening(position, false, List.of());
  }

  /** Goes on. */
  static Opening resumed(Supplier<Position> position, List<Problem> warnings) {
    return new Opening(position, true, warnings);
  }
}
