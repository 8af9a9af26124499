package io.superstep.reactor;

import org.jspecify.annotations.Nullable;

/** What a node that speaks for itself, on whatever JVM thread, says to the loop. */
sealed interface TaskSignal {

  /** Who heard it. */
  TaskEar ear();

  /** An attempt emitted something. */
  record Emitted(TaskEar ear, int attempt, Object output) implements TaskSignal {}

  /** An attempt failed and there will be another. */
  record Retrying(TaskEar ear, int attempt, Throwable error) implements TaskSignal {}

  /** There is nothing more to come; the error is null if all went well. */
  record Ended(TaskEar ear, @Nullable Throwable error) implements TaskSignal {}
}
