package io.superstep.checkpoint;

import io.superstep.state.Update;
import java.time.Instant;

/**
 * An input that waits until its thread has nothing else to do.
 *
 * @param id tells this input from any other, so that it can be left twice and waits once
 * @param by who left it
 */
public record QueuedInput(String id, Update input, String by, Instant time) {}
