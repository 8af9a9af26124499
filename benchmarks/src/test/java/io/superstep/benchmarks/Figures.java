package io.superstep.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one operation of a contender costs. What was not measured is not a number.
 *
 * @param cost what is compared: microseconds of all processors or on the clock, or bytes of heap
 * @param least the best round
 * @param most the worst round
 * @param wall microseconds on the clock
 * @param allocated bytes
 */
record Figures(double cost, double least, double most, double wall, double allocated) {

  /** One round. */
  static Figures of(double cost, double wall, double allocated) {
    return new Figures(cost, cost, cost, wall, allocated);
  }

  /** The same where the time on the clock is what is compared. */
  Figures onTheWall() {
    return of(wall, wall, allocated);
  }

  /** One measurement of heap. */
  static Figures ofHeap(double bytes) {
    return of(bytes, Double.NaN, Double.NaN);
  }

  static Figures median(List<Figures> rounds) {
    return new Figures(
        median(rounds, Figures::cost),
        rounds.stream().mapToDouble(Figures::least).min().orElseThrow(),
        rounds.stream().mapToDouble(Figures::most).max().orElseThrow(),
        median(rounds, Figures::wall),
        median(rounds, Figures::allocated));
  }

  private static double median(List<Figures> rounds, ToDoubleFunction<Figures> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).toArray();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
