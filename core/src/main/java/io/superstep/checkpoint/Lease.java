package io.superstep.checkpoint;

import java.time.Instant;

/**
 * The right to write to a thread, for a while.
 *
 * @param owner the run that holds it, such as {@code web-7:4711/<unique name>}: a runner puts the
 *     configured owner, which names its process, before a name that no other run has
 * @param fence rises with every lease of the thread, so that a store can refuse whoever lost it
 *     without knowing
 * @param until when it runs out unless it is renewed
 */
public record Lease(String thread, String owner, long fence, Instant until) {}
