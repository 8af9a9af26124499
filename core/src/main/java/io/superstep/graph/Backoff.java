package io.superstep.graph;

import java.time.Duration;

/**
 * How long to wait before the next attempt: {@code first}, and twice as long each time, but never
 * longer than {@code longest}.
 *
 * @param jitter by which part, from 0 to 1, a wait may be longer or shorter than that
 */
public record Backoff(Duration first, Duration longest, double jitter) {}
