package io.superstep.checkpoint;

import io.superstep.error.Attribution;
import io.superstep.error.InvalidNameException;
import io.superstep.error.MessageText;
import io.superstep.state.Update;
import java.time.Instant;

/**
 * An input that waits until its thread has nothing else to do.
 *
 * @param id tells this input from any other, so that it can be left twice and waits once
 * @param by who left it
 */
public record QueuedInput(String id, Update input, String by, Instant time) {

  /** @throws InvalidNameException if {@code by} cannot be stored */
  public QueuedInput {
    Attribution.name("author of the input", by);
  }

  @Override
  public String toString() {
    return "QueuedInput[" + MessageText.name(id) + ", " + input + ", by " + by + ", " + time + "]";
  }
}
