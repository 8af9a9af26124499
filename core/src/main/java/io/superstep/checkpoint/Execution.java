package io.superstep.checkpoint;

import java.util.ArrayList;
import java.util.List;

/**
 * An execution of a task: the fencing token of the lease under which the task runs, and its
 * attempt. Immutable.
 *
 * <p>A task that a crash, a stop or a question ended is executed again when its thread is resumed,
 * under a lease with a higher fencing token, and a failed attempt is followed by another one. An
 * error handler runs in an execution of its own: its attempt follows the last attempt of the node.
 * Of two executions of one task the greater one supersedes the other: chunks and provisional
 * updates of the lower one are void.
 *
 * <pre>{@code
 * if (event.execution().compareTo(highest) < 0) {
 *   return; // superseded
 * }
 * }</pre>
 *
 * @param fence the fencing token of the lease; 0 for a run without a thread
 * @param enclosing the attempts of the tasks that enclose a task of a nested graph, the outermost
 *     first; empty if all of them are first attempts, and for a task of the top graph
 * @param attempt the attempt of the task, from 1
 */
public record Execution(long fence, List<Integer> enclosing, int attempt)
    implements Comparable<Execution> {

  /** The first attempt of a task of a run without a thread. */
  public static final Execution FIRST = new Execution(0, 1);

  public Execution {
    if (fence < 0 || attempt < 1) {
      throw new IllegalArgumentException("The fence of an execution must be at least 0 and the"
          + " attempt at least 1, and were " + fence + " and " + attempt + ".");
    }
    enclosing = areFirst(enclosing) ? List.of() : List.copyOf(enclosing);
  }

  /** An execution of a task that no repeated task encloses. */
  public Execution(long fence, int attempt) {
    this(fence, List.of(), attempt);
  }

  /** Returns the execution of the same task under the same lease at another attempt. */
  public Execution at(int other) {
    return other == attempt ? this : new Execution(fence, enclosing, other);
  }

  /**
   * Returns the first execution of the tasks of the graph that is nested in the task of this one.
   *
   * @param depth the number of tasks that enclose the task of this execution; 0 at the top
   */
  public Execution nested(int depth) {
    if (attempt == 1 && enclosing.isEmpty()) {
      return this;
    }
    List<Integer> attempts = new ArrayList<>(enclosing);
    while (attempts.size() < depth) {
      attempts.add(1);
    }
    attempts.add(attempt);
    return new Execution(fence, attempts, 1);
  }

  /**
   * Returns the id of a message that {@code task} writes without an id in this execution.
   *
   * <p>The id is {@code <task>-<number>} in the first execution under the lease that began the line
   * of steps, and {@code <task>/<fence>-<attempt>-<number>} in any other one. Executions of one
   * task never share an id, so that a client which concatenates chunks by message id does not join
   * the text of one execution to that of another.
   *
   * @param number the number of the message among those that the execution writes, from 0
   */
  public String messageId(Task task, int number) {
    return messageIds(task) + "-" + number;
  }

  /** Returns the part that the ids of all messages of {@code task} in this execution begin with. */
  public String messageIds(Task task) {
    return isFirst(task) ? task.id() : task.id() + "/" + fence + "-" + attempts();
  }

  private boolean isFirst(Task task) {
    return attempt == 1 && enclosing.isEmpty() && (fence == 0 || task.isOfLineUnder(fence));
  }

  private String attempts() {
    StringBuilder attempts = new StringBuilder();
    enclosing.forEach(around -> attempts.append(around).append('.'));
    return attempts.append(attempt).toString();
  }

  private static boolean areFirst(List<Integer> attempts) {
    for (int index = 0; index < attempts.size(); index++) {
      if (attempts.get(index) != 1) {
        return false;
      }
    }
    return true;
  }

  /** Orders executions of one task: by fence, by enclosing attempts, by attempt. */
  @Override
  public int compareTo(Execution other) {
    int order = Long.compare(fence, other.fence);
    int depth = Math.max(enclosing.size(), other.enclosing.size());
    for (int level = 0; order == 0 && level < depth; level++) {
      order = Integer.compare(enclosing(level), other.enclosing(level));
    }
    return order == 0 ? Integer.compare(attempt, other.attempt) : order;
  }

  private int enclosing(int level) {
    return level < enclosing.size() ? enclosing.get(level) : 1;
  }
}
