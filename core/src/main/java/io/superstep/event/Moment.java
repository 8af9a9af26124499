package io.superstep.event;

import java.time.Instant;

/**
 * When and where something happened; all events of a step share one.
 *
 * @param path the names of the nodes that lead to a nested graph, each followed by a slash; empty
 *     at the top
 * @param step the number of the step, 0 before the first
 * @param time when the step began, by the clock of the runner
 */
public record Moment(String path, int step, Instant time) {}
