package io.superstep.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The place and the times of an event, all by the clock of the runner.
 *
 * @param path the names of the nodes that lead to a nested graph, each followed by a slash; empty
 *     at the top
 * @param step the number of the step, 0 before the first
 * @param time the time at which the step began; of a chunk, the time at which its node emitted it
 * @param appended the time at which a fact was appended to the event log of its thread; null of
 *     other events
 */
public record Moment(
    String path, int step, Instant time, @Nullable Instant appended) {

  /** The moment of an event that is in no log. */
  public Moment(String path, int step, Instant time) {
    this(path, step, time, null);
  }
}
