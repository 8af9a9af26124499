package io.superstep.benchmarks;

import io.superstep.benchmarks.Contender.Timed;
import java.util.List;

/** Warms contenders up and times them. */
@FunctionalInterface
interface Stopwatch {

  Session start(Timed contender);

  /**
   * Ends all that is not needed by those who are still to be measured: it would be in their way.
   */
  default void endAllBut(List<Timed> toCome) {}
}
