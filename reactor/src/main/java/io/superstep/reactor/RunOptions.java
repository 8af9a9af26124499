package io.superstep.reactor;

import io.superstep.checkpoint.Budget;
import org.jspecify.annotations.Nullable;

/**
 * What is special about one run. Immutable.
 *
 * @param steps how many steps the run may take
 * @param iterations how often it may go round each loop
 * @param concurrency how many tasks it runs at once
 * @param prefetch how many outputs of a node are asked for before they can be delivered; at least
 *     256 where the subscriber takes whatever comes
 * @param stop what may stop it; null if nothing does
 */
public record RunOptions(
    int steps,
    int iterations,
    int concurrency,
    int prefetch,
    @Nullable Stop stop) {

  /** A thousand steps and rounds, any number of tasks at once, one output in hand. */
  public static final RunOptions DEFAULT = new RunOptions(
      Budget.DEFAULT.steps(), Budget.DEFAULT.iterations(), Integer.MAX_VALUE, 1, null);

  public RunOptions {
    positive("steps", steps);
    positive("iterations", iterations);
    positive("concurrency", concurrency);
    positive("prefetch", prefetch);
  }

  private static void positive(String option, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + " must be at least 1, and was " + value + ".");
    }
  }

  public RunOptions steps(int most) {
    return new RunOptions(most, iterations, concurrency, prefetch, stop);
  }

  public RunOptions iterations(int most) {
    return new RunOptions(steps, most, concurrency, prefetch, stop);
  }

  public RunOptions concurrency(int most) {
    return new RunOptions(steps, iterations, most, prefetch, stop);
  }

  public RunOptions prefetch(int most) {
    return new RunOptions(steps, iterations, concurrency, most, stop);
  }

  public RunOptions stoppedBy(Stop signal) {
    return new RunOptions(steps, iterations, concurrency, prefetch, signal);
  }
}
