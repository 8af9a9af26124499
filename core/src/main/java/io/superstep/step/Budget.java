package io.superstep.step;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How far a run may still go: so many steps in all, and so many rounds of each loop. Loops have an
 * effect of their own where the steps allow more than one loop may take. It belongs to the run and
 * is never stored: a thread that ran out of it resumes with a fresh one.
 */
public final class Budget {

  /** A thousand steps, and a thousand rounds of each loop. */
  public static final Budget DEFAULT = of(1_000, 1_000);

  private final int steps;
  private final int iterations;

  /** The only loop that was started over so far; most runs know one at a time, and need no map. */
  private final @Nullable String only;

  private final int roundsOfOnly;

  /** How often each loop was started over, if there are several. */
  private final Map<String, Integer> several;

  private final @Nullable String exhausted;

  private Budget(
      int steps,
      int iterations,
      @Nullable String only,
      int roundsOfOnly,
      Map<String, Integer> several,
      @Nullable String exhausted) {
    this.steps = steps;
    this.iterations = iterations;
    this.only = only;
    this.roundsOfOnly = roundsOfOnly;
    this.several = several;
    this.exhausted = exhausted;
  }

  public static Budget of(int steps, int iterations) {
    return new Budget(steps, iterations, null, 0, Map.of(), null);
  }

  /** How many steps are left. */
  public int steps() {
    return steps;
  }

  /** How often each loop of the graph may go round. */
  public int iterations() {
    return iterations;
  }

  /** How often each loop was started over so far, by the name of its first node. */
  public Map<String, Integer> rounds() {
    return only == null ? several : Map.of(only, roundsOfOnly);
  }

  /**
   * A loop that would go round once more than it may, the first by name if there are several; null
   * if there is none.
   */
  public @Nullable String exhausted() {
    return exhausted;
  }

  /**
   * Checks that one more step may be taken.
   *
   * @param step how many the line of steps has taken
   * @throws StepLimitException if not
   */
  public void requireMore(int step) {
    if (exhausted != null) {
      throw StepLimitException.ofLoop(exhausted, iterations, step);
    }
    if (steps <= 0) {
      throw StepLimitException.ofSteps(step);
    }
  }

  /**
   * What is left after one more step, in which these loops were started over; how often a loop is
   * named does not matter.
   */
  public Budget afterStep(List<String> loops) {
    if (loops.isEmpty()) {
      return new Budget(steps - 1, iterations, only, roundsOfOnly, several, exhausted);
    }
    String first = loops.get(0);
    if (loops.size() == 1 && several.isEmpty() && (only == null || only.equals(first))) {
      int rounds = roundsOfOnly + 1;
      return new Budget(
          steps - 1, iterations, first, rounds, several, exhausted(exhausted, first, rounds));
    }
    Map<String, Integer> before = rounds();
    Map<String, Integer> rounds = new LinkedHashMap<>(before);
    String refused = exhausted;
    int count = 0;
    for (String loop : loops) {
      count = before.getOrDefault(loop, 0) + 1;
      rounds.put(loop, count);
      refused = exhausted(refused, loop, count);
    }
    return rounds.size() == 1
        ? new Budget(steps - 1, iterations, first, count, Map.of(), refused)
        : new Budget(steps - 1, iterations, null, 0, Collections.unmodifiableMap(rounds), refused);
  }

  private @Nullable String exhausted(@Nullable String known, String loop, int rounds) {
    boolean isFirst = known == null || loop.compareTo(known) < 0;
    return rounds >= iterations && isFirst ? loop : known;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Budget budget
        && steps == budget.steps
        && iterations == budget.iterations
        && rounds().equals(budget.rounds())
        && Objects.equals(exhausted, budget.exhausted);
  }

  @Override
  public int hashCode() {
    return Objects.hash(steps, iterations, rounds(), exhausted);
  }

  @Override
  public String toString() {
    return "Budget[steps=" + steps + ", iterations=" + iterations + ", rounds=" + rounds()
        + ", exhausted=" + exhausted + "]";
  }
}
