package io.superstep.reactor;

import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.TaskNote;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a node that speaks for itself, on whatever JVM thread, says to the loop. */
sealed interface TaskSignal {

  /** Whom it is about. */
  TaskRun task();

  /** What was heard by somebody. */
  sealed interface Heard extends TaskSignal {

    /** Who heard it. */
    TaskEar ear();

    @Override
    default TaskRun task() {
      return ear().task();
    }
  }

  /** The node asks something, and its task ends there. */
  record Asking(TaskRun task, List<TaskNote.Asked> questions) implements TaskSignal {}

  /**
   * An attempt emitted something.
   *
   * @param time of a chunk that becomes an event; null of anything else
   */
  record Emitted(
      TaskEar ear,
      Execution execution,
      Object output,
      @Nullable Instant time) implements Heard {}

  /** An attempt failed and there will be another. */
  record Retrying(TaskEar ear, Execution execution, Throwable error) implements Heard {}

  /**
   * There is nothing more to come.
   *
   * @param lastWord what was said with it; null if nothing was
   * @param error null if all went well
   */
  record Ended(
      TaskEar ear, @Nullable Object lastWord, @Nullable Throwable error) implements Heard {}
}
