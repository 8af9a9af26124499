package io.superstep.checkpoint;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a thread is up to. */
public enum ThreadStatus {
  /** Somebody is at it. */
  RUNNING,
  /** Work is due, and nobody is at it. */
  STOPPED,
  /** It waits for somebody to have a look. */
  WAITING,
  /** A task of the step under way has failed for good. */
  FAILED,
  /** Nothing is due. */
  DONE;

  /** The status of a thread that stands at {@code position}. */
  public static ThreadStatus of(Position position, List<TaskNote> notes, boolean leased) {
    if (leased) {
      return RUNNING;
    }
    if (hasFailed(notes)) {
      return FAILED;
    }
    if (!position.pause().isEmpty()) {
      return WAITING;
    }
    return position.isFinished() ? DONE : STOPPED;
  }

  /** Whether a task has failed for good, and nothing better was heard of it since. */
  private static boolean hasFailed(List<TaskNote> notes) {
    Set<Task> failed = new HashSet<>();
    for (TaskNote note : notes) {
      if (note instanceof TaskNote.Failed failure && failure.last()) {
        failed.add(note.task());
      } else {
        failed.remove(note.task());
      }
    }
    return !failed.isEmpty();
  }
}
