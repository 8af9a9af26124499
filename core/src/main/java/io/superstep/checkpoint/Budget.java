package io.superstep.checkpoint;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a run may still go: so many steps in all, and so many rounds of each loop. Loops have an
 * effect of their own where the steps allow more than one loop may take. It belongs to the run and
 * is never stored: a thread that ran out of it resumes with a fresh one.
 *
 * @param steps how many steps are left
 * @param iterations how often each loop of the graph may go round
 * @param rounds how often each loop was started over so far, by the name of its first node
 * @param exhausted a loop that would go round once more than it may, the first by name if there are
 *     several; null if there is none
 */
public record Budget(
    int steps,
    int iterations,
    Map<String, Integer> rounds,
    @Nullable String exhausted) {

  /** A thousand steps, and a thousand rounds of each loop. */
  public static final Budget DEFAULT = of(1_000, 1_000);

  public Budget {
    rounds = rounds.size() < 2
        ? Map.copyOf(rounds)
        : Collections.unmodifiableMap(new LinkedHashMap<>(rounds));
  }

  public static Budget of(int steps, int iterations) {
    return new Budget(steps, iterations, Map.of(), null);
  }

  /**
   * What is left after one more step, in which these loops were started over; how often a loop is
   * named does not matter.
   */
  public Budget afterStep(List<String> loops) {
    if (loops.isEmpty()) {
      return new Budget(steps - 1, iterations, rounds, exhausted);
    }
    String first = exhausted;
    for (int index = 0; index < loops.size(); index++) {
      String loop = loops.get(index);
      if (roundsOf(loop) + 1 >= iterations && (first == null || loop.compareTo(first) < 0)) {
        first = loop;
      }
    }
    return new Budget(steps - 1, iterations, roundsAfter(loops), first);
  }

  private Map<String, Integer> roundsAfter(List<String> loops) {
    String loop = loops.get(0);
    int count = roundsOf(loop) + 1;
    if (loops.size() == 1 && rounds.size() == (count == 1 ? 0 : 1)) { // as in most graphs
      return Map.of(loop, count);
    }
    Map<String, Integer> more = new LinkedHashMap<>(rounds);
    loops.forEach(each -> more.put(each, roundsOf(each) + 1));
    return more;
  }

  private int roundsOf(String loop) {
    Integer known = rounds.get(loop); // getOrDefault of an immutable map shows in profiles
    return known == null ? 0 : known;
  }
}
