package io.superstep.checkpoint;

import java.time.Instant;

/**
 * The right to write to a thread, for a while.
 *
 * @param owner who holds it; no two runs have the same name
 * @param fence rises with every lease of the thread, so that a store can refuse whoever lost it
 *     without knowing
 * @param until when it runs out unless it is renewed
 */
public record Lease(String thread, String owner, long fence, Instant until) {}
