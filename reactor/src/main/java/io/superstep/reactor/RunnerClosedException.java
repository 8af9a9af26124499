package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/**
 * A runner is closed: it begins no runs, and ends those that exceed the timeout of the shutdown.
 */
public final class RunnerClosedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private RunnerClosedException(Problem problem) {
    super(problem, null);
  }

  /** A run was requested of a closed runner. */
  static RunnerClosedException closed() {
    return new RunnerClosedException(new Problem(
        "SG-159",
        "The runner is closed, and begins no runs.",
        "runner.close(...)",
        "Use another runner of the same graph and store."));
  }

  /** A run did not end in time when its runner was closed. */
  static RunnerClosedException cutOff(String thread) {
    return new RunnerClosedException(new Problem(
        "SG-159",
        "The runner was closed, and the run did not end within the timeout of the shutdown.",
        "thread '" + thread + "', runner.close(...)",
        "Resume the thread with another runner; its step under way runs again. A longer timeout"
            + " lets the step end."));
  }
}
