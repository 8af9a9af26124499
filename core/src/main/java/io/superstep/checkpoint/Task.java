package io.superstep.checkpoint;

import io.superstep.state.State;
import io.superstep.state.Update;
import org.jspecify.annotations.Nullable;

/**
 * One node due in one step.
 *
 * @param origin where the line of steps began
 * @param step the number of the step, from 1
 * @param index its place in the plan, which is the order in which outcomes are folded
 * @param arguments what a send brought along; null if the task was not sent
 */
public record Task(
    String origin,
    int step,
    int index,
    String node,
    @Nullable Update arguments) {

  /** The same in every replay and after every crash, and no other task has it. */
  public String id() {
    return origin + "/" + step + "/" + index + "/" + node;
  }

  /** The state as this task sees it: with its arguments laid over it. */
  public State sees(State state) {
    return arguments == null ? state : state.withArguments(arguments);
  }

  /**
   * Whether the line of steps of this task, or that of the outermost task around it, began under
   * the lease with this fencing token.
   */
  boolean isOfLineUnder(long fence) {
    int end = origin.length();
    int start = origin.lastIndexOf('/');
    while (start >= 0 && start + 1 < end && !isDigit(origin.charAt(start + 1))) {
      int index = origin.lastIndexOf('/', start - 1); // a nested graph: its origin is a task id
      end = origin.lastIndexOf('/', index - 1);
      start = origin.lastIndexOf('/', end - 1);
    }
    String suffix = "-" + fence;
    return start >= 0
        && end - suffix.length() > start
        && origin.startsWith(suffix, end - suffix.length());
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  /** Two tasks are the same if they have the same id. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Task task
        && step == task.step
        && index == task.index
        && node.equals(task.node)
        && origin.equals(task.origin);
  }

  @Override
  public int hashCode() {
    return (origin.hashCode() * 31 + step) * 31 + index;
  }

  @Override
  public String toString() {
    return id();
  }
}
