package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/**
 * Thrown if a run is started on a closed runner, or exceeds the timeout of {@code close(timeout)}.
 */
public final class RunnerClosedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private RunnerClosedException(Problem problem) {
    super(problem, null);
  }

  /** Returns the error of a run that was started on a closed runner. */
  static RunnerClosedException closed() {
    return new RunnerClosedException(new Problem(
        "SG-159",
        "The runner is closed and starts no more runs.",
        "runner.close(...)",
        "Run the thread with another runner of the same graph and store."));
  }

  /** Returns the error of a run that did not end within the timeout of the shutdown. */
  static RunnerClosedException cutOff(String thread) {
    return new RunnerClosedException(new Problem(
        "SG-159",
        "The run did not end within the timeout of runner.close(timeout).",
        "thread '" + thread + "', runner.close(...)",
        "Resume the thread with another runner, which runs the current step again, or use a"
            + " longer timeout."));
  }
}
