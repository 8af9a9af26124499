package io.superstep.step;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run used up its budget and work remains; the thread can be resumed with a fresh one. */
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
            "The run used up its steps, and work remains.",
            "step " + step,
            "Resume to go on with a fresh budget, allow more steps, or bound a loop with"
                + " maxVisits(node, n, exit)."),
        null);
  }

  static StepLimitException ofLoop(String loop, int iterations, int step) {
    return new StepLimitException(
        new Problem(
            "SG-132",
            "The loop of node '" + loop + "' went round " + iterations + " times and would go on.",
            "step " + step,
            "Resume to go on with a fresh budget, allow more iterations, or bound it with"
                + " maxVisits(node, n, exit)."),
        loop);
  }

  /** The first node of the loop that went round too often; empty if it was the steps that ended. */
  public Optional<String> loop() {
    return Optional.ofNullable(loop);
  }
}
