package io.superstep.checkpoint;

import java.time.Instant;

/**
 * One line about a thread.
 *
 * @param head where it stands
 * @param time when its last step began
 */
public record ThreadSummary(String thread, ThreadStatus status, CheckpointId head, Instant time) {}
