package io.superstep.json;

import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNote.Advanced;
import io.superstep.checkpoint.TaskNote.Ended;
import io.superstep.checkpoint.TaskNote.Failed;
import io.superstep.checkpoint.TaskNote.Forgotten;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How far the graphs inside tasks have come, by the notes that were read so far. */
final class NotedSteps {

  private final Map<Task, Advanced> last = new HashMap<>();

  /** By task, the last attempt that is over. */
  private final Map<Task, Integer> over = new HashMap<>();

  void add(TaskNote note) {
    Task task = note.task();
    if (note instanceof Advanced step) {
      if (!have(task, step.attempt(), step.position().step())) {
        last.put(task, step);
      }
    } else if (note instanceof Ended
        || note instanceof Forgotten
        || (note instanceof Failed failure && !failure.last())) {
      last.remove(task);
      over.put(task, note.attempt());
    }
  }

  /** Whether a step is known, or came to nothing: it was written twice. */
  boolean have(Task task, int attempt, int step) {
    Advanced known = last.get(task);
    return known == null
        ? step > 1 && attempt <= over.getOrDefault(task, 0)
        : known.attempt() == attempt && step <= known.position().step();
  }

  /** The step behind which this one was taken; null if it is not known. */
  @Nullable
  Advanced before(Task task, int attempt, int step) {
    Advanced known = last.get(task);
    return known != null && known.attempt() == attempt && known.position().step() == step - 1
        ? known
        : null;
  }
}
