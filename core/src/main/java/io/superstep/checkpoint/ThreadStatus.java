package io.superstep.checkpoint;

/** What a thread is up to. */
public enum ThreadStatus {
  /** Somebody is at it. */
  RUNNING,
  /** Work is due, and nobody is at it. */
  STOPPED,
  /** It waits for an answer, or for somebody to have a look. */
  WAITING,
  /**
   * A task was about to act on the world outside, and nobody saw what came of it: somebody has to
   * find out.
   */
  OUTCOME_UNKNOWN,
  /** A task of the step under way has failed for good. */
  FAILED,
  /** Nothing is due. */
  DONE;

  /** The status of a thread that stands at {@code position}. */
  public static ThreadStatus of(Position position, TaskNotes notes, boolean leased) {
    if (leased) {
      return RUNNING;
    }
    if (notes.haveUncertainty()) {
      return OUTCOME_UNKNOWN;
    }
    if (notes.haveFailure()) {
      return FAILED;
    }
    if (!position.pause().isEmpty() || notes.havePause()) {
      return WAITING;
    }
    return position.isFinished() ? DONE : STOPPED;
  }
}
