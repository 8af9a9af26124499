package io.superstep.checkpoint;

import io.superstep.state.Update;
import java.util.List;

/**
 * Something that was written down about a task before its step is committed: it survives whoever
 * ran the task.
 */
public sealed interface TaskNote {

  Task task();

  /** Which attempt it is about; the first is 1. */
  int attempt();

  /**
   * An attempt is about to act on the world outside. If nothing else is known of it, it may have
   * acted or not, and nobody but a person can tell.
   */
  record Began(Task task, int attempt) implements TaskNote {}

  /**
   * An attempt failed.
   *
   * @param error what went wrong, in words
   * @param last whether no other attempt follows
   */
  record Failed(Task task, int attempt, String error, boolean last) implements TaskNote {}

  /**
   * The task is done, and never runs again.
   *
   * @param update all that it wrote, messages with their ids
   * @param goTo where it said to go in place of its node's edges
   * @param sends what it sent out
   * @param toParent whether the directions are meant for the graph around this one
   */
  record Ended(
      Task task, int attempt, Update update, List<String> goTo, List<Due> sends, boolean toParent)
      implements TaskNote {

    public Ended {
      goTo = List.copyOf(goTo);
      sends = List.copyOf(sends);
    }
  }

  /**
   * Somebody wants the task to run again, whatever was written down about it before.
   *
   * @param attempt the one that is forgotten
   */
  record Forgotten(Task task, int attempt) implements TaskNote {}
}
