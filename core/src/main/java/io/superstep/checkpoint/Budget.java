package io.superstep.checkpoint;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
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

  /** What is left after one more step, in which these loops were started over. */
  public Budget afterStep(Collection<String> loops) {
    if (loops.isEmpty()) {
      return new Budget(steps - 1, iterations, rounds, exhausted);
    }
    Map<String, Integer> more = roundsAfter(loops);
    String first = exhausted;
    for (String loop : loops) {
      if (more.getOrDefault(loop, 0) >= iterations
          && (first == null || loop.compareTo(first) < 0)) {
        first = loop;
      }
    }
    return new Budget(steps - 1, iterations, more, first);
  }

  private Map<String, Integer> roundsAfter(Collection<String> loops) {
    if (loops.size() == 1) { // as in most steps, and most graphs have one loop at most
      String loop = loops.iterator().next();
      Integer before = rounds.get(loop);
      if (rounds.size() == (before == null ? 0 : 1)) {
        return Map.of(loop, before == null ? 1 : before + 1);
      }
    }
    Map<String, Integer> more = new LinkedHashMap<>(rounds);
    loops.forEach(loop -> more.merge(loop, 1, Integer::sum));
    return more;
  }
}
