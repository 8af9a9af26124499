package io.superstep.checkpoint;

import java.util.List;

/** What a thread is up to. */
public enum ThreadStatus {
  /** Work is due, and somebody is at it. */
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
    if (position.isFinished()) {
      return DONE;
    }
    if (!position.pause().isEmpty()) {
      return WAITING;
    }
    if (leased) {
      return RUNNING;
    }
    boolean failed =
        notes.stream().anyMatch(note -> note instanceof TaskNote.Failed failure && failure.last());
    return failed ? FAILED : STOPPED;
  }
}
