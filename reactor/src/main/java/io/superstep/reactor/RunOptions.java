package io.superstep.reactor;

import io.superstep.graph.RunKey;
import io.superstep.step.Budget;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is special about one run. Immutable.
 *
 * @param steps how many steps the run may take
 * @param iterations how often it may go round each loop
 * @param concurrency how many tasks it runs at once
 * @param prefetch how many outputs of a node are asked for before they can be delivered; at least
 *     256 where the subscriber takes whatever comes
 * @param discardsUnfinished whether a turn of a thread may begin although the one before has work
 *     to do, which is given up then
 * @param durability when a run on a thread writes down what it does
 * @param stop what may stop it; null if nothing does
 * @param values what its nodes can ask for; never stored, and never shown
 */
public record RunOptions(
    int steps,
    int iterations,
    int concurrency,
    int prefetch,
    boolean discardsUnfinished,
    Durability durability,
    @Nullable Stop stop,
    Map<RunKey<?>, Object> values) {

  /** A thousand steps and rounds, any number of tasks at once, one output in hand. */
  public static final RunOptions DEFAULT = new RunOptions(
      Budget.DEFAULT.steps(),
      Budget.DEFAULT.iterations(),
      Integer.MAX_VALUE,
      1,
      false,
      Durability.SYNC,
      null,
      Map.of());

  public RunOptions {
    positive("steps", steps);
    positive("iterations", iterations);
    positive("concurrency", concurrency);
    positive("prefetch", prefetch);
    values = Map.copyOf(values);
  }

  private static void positive(String option, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + " must be at least 1, and was " + value + ".");
    }
  }

  public RunOptions steps(int most) {
    return new RunOptions(
        most, iterations, concurrency, prefetch, discardsUnfinished, durability, stop, values);
  }

  public RunOptions iterations(int most) {
    return new RunOptions(
        steps, most, concurrency, prefetch, discardsUnfinished, durability, stop, values);
  }

  public RunOptions concurrency(int most) {
    return new RunOptions(
        steps, iterations, most, prefetch, discardsUnfinished, durability, stop, values);
  }

  public RunOptions prefetch(int most) {
    return new RunOptions(
        steps, iterations, concurrency, most, discardsUnfinished, durability, stop, values);
  }

  /** Gives up what the turn before has left to do, if a turn begins with these. */
  public RunOptions discardingUnfinished() {
    return new RunOptions(steps, iterations, concurrency, prefetch, true, durability, stop, values);
  }

  public RunOptions durability(Durability when) {
    return new RunOptions(
        steps, iterations, concurrency, prefetch, discardsUnfinished, when, stop, values);
  }

  public RunOptions stoppedBy(Stop signal) {
    return new RunOptions(
        steps, iterations, concurrency, prefetch, discardsUnfinished, durability, signal, values);
  }

  /** Gives {@code value} to all nodes of the run, those of nested graphs too. */
  public <T> RunOptions with(RunKey<T> key, T value) {
    Map<RunKey<?>, Object> more = new HashMap<>(values);
    more.put(key, key.type().cast(Objects.requireNonNull(value, "value")));
    return new RunOptions(
        steps, iterations, concurrency, prefetch, discardsUnfinished, durability, stop, more);
  }

  <T> Optional<T> value(RunKey<T> key) {
    return Optional.ofNullable(key.type().cast(values.get(key)));
  }

  /** The options with the names of what was given; never what it is. */
  @Override
  public String toString() {
    return "RunOptions[steps=" + steps + ", iterations=" + iterations + ", concurrency="
        + concurrency + ", prefetch=" + prefetch + ", discardsUnfinished=" + discardsUnfinished
        + ", durability=" + durability + ", stop=" + (stop != null) + ", values="
        + values.keySet() + "]";
  }
}
