package io.superstep.checkpoint;

import io.superstep.memory.MemoryWrite;
import io.superstep.state.Update;
import java.util.List;

/**
 * What a task said in the end, as it is written down: what it wrote, and where it sends the run.
 *
 * @param update all that it wrote, messages with their ids
 * @param goTo where it said to go in place of its node's edges
 * @param sends what it sent out
 * @param toParent whether the directions are meant for the graph around this one
 * @param memories what is to be remembered beyond the thread
 */
public record Said(
    Update update,
    List<String> goTo,
    List<Due> sends,
    boolean toParent,
    List<MemoryWrite> memories) {

  public Said {
    goTo = List.copyOf(goTo);
    sends = List.copyOf(sends);
    memories = List.copyOf(memories);
  }

  /** Whether it said nothing. */
  public boolean isEmpty() {
    return update.isEmpty() && goTo.isEmpty() && sends.isEmpty() && memories.isEmpty();
  }

  /** What a task said that only wrote {@code update}. */
  public static Said of(Update update) {
    return new Said(update, List.of(), List.of(), false, List.of());
  }
}
