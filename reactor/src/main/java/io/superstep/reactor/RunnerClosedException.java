package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** A runner was closed, and begins no runs any more; nothing was written. */
public final class RunnerClosedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  RunnerClosedException() {
    super(
        new Problem(
            "SG-159",
            "The runner was closed, and begins no runs any more.",
            "runner.close(...)",
            "Take another runner of the same graph and store."),
        null);
  }
}
