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
 * @param after the number of the last fact that was told before
 */
record Opening(Supplier<Position> position, boolean isResumed, List<Problem> warnings, long after) {

  /** Begins a turn. */
  static Opening begun(Supplier<Position> position) {
    return new Opening(position, false, List.of(), 0);
  }

  /** Goes on, also where it was paused. */
  static Opening resumed(Supplier<Position> position, List<Problem> warnings) {
    return new Opening(position, true, warnings, 0);
  }

  /** Goes on in place of somebody who has vanished; what is paused stays so. */
  static Opening takenOver(Supplier<Position> position) {
    return new Opening(position, true, List.of(), 0);
  }

  /** The same, with facts that are numbered from there on. */
  Opening after(long last) {
    return new Opening(position, isResumed, warnings, last);
  }
}
