package io.superstep.checkpoint;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line about a thread.
 *
 * @param head where it stands; null if nothing was written yet but inputs that wait
 * @param time when its last step began
 */
public record ThreadSummary(
    String thread, ThreadStatus status, @Nullable CheckpointId head, Instant time) {}
