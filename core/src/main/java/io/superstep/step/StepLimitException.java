package io.superstep.step;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown if a run reaches a limit of {@code RunOptions} with pending tasks; it can be resumed. */
public final class StepLimitException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final @Nullable String loop;

  private StepLimitException(Problem problem, @Nullable String loop) {
    super(problem, null);
    this.loop = loop;
  }

  static StepLimitException ofSteps(int step) {
    return new StepLimitException(
        new Problem(
            "SG-131",
            "The run has used all its steps, and work remains.",
            "step " + step,
            "Allow more steps with RunOptions.steps(n), resume with a new limit, or limit a loop"
                + " with maxVisits(node, n, exit)."),
        null);
  }

  static StepLimitException ofLoop(String loop, int iterations, int step) {
    return new StepLimitException(
        new Problem(
            "SG-132",
            "The loop of node '" + loop + "' has run " + iterations
                + (iterations == 1 ? " iteration" : " iterations")
                + " in this run, which is the limit, and would start another.",
            "step " + step,
            "Allow more iterations with RunOptions.iterations(n), resume with a new limit, or"
                + " limit the loop with maxVisits(node, n, exit)."),
        loop);
  }

  /** Returns the first node of the loop that reached its limit; empty if the steps did. */
  public Optional<String> loop() {
    return Optional.ofNullable(loop);
  }
}
