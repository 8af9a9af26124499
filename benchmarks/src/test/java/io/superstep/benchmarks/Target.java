package io.superstep.benchmarks;

import static io.superstep.benchmarks.Contender.ALIBABA;
import static io.superstep.benchmarks.Contender.LANGGRAPH4J;
import static io.superstep.benchmarks.Contender.OURS;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** What the figures of a row are held to. A figure that is missing misses its target. */
sealed interface Target {

  List<String> PEERS = List.of(LANGGRAPH4J, ALIBABA);

  /** The row whose engine is judged. */
  String row();

  Verdict judge(Results results);

  /**
   * What became of a target.
   *
   * @param actual what was measured instead
   */
  record Verdict(Target target, String actual, boolean met) {

    @Override
    public String toString() {
      return target.row() + ": " + target + ", was " + actual + ": " + (met ? "met" : "missed");
    }
  }

  /** The engine takes at most {@code factor} times what {@code reference} takes in the same row. */
  static Target atMost(String row, double factor, String reference) {
    return new Within(row, factor, row, reference);
  }

  /** The engine takes at most {@code factor} times what it takes in {@code other}. */
  static Target flat(String row, double factor, String other) {
    return new Within(row, factor, other, OURS);
  }

  /**
   * The engine takes at most a multiple of something else.
   *
   * @param other the row of {@code reference}
   */
  record Within(String row, double factor, String other, String reference) implements Target {

    @Override
    public Verdict judge(Results results) {
      OptionalDouble ours = results.cost(row, OURS);
      OptionalDouble theirs = results.cost(other, reference);
      if (ours.isEmpty() || theirs.isEmpty()) {
        return notMeasured();
      }
      double ratio = ours.getAsDouble() / theirs.getAsDouble();
      return new Verdict(this, plain(ratio), ratio <= factor);
    }

    @Override
    public String toString() {
      String whose = row.equals(other) ? reference : other;
      return "at most " + plain(factor) + " x " + whose;
    }
  }

  /** The fastest of {@code peers} takes at least {@code factor} times what the engine takes. */
  record Ahead(String row, double factor, List<String> peers) implements Target {

    @Override
    public Verdict judge(Results results) {
      OptionalDouble ours = results.cost(row, OURS);
      boolean isComplete =
          peers.stream().allMatch(peer -> results.cost(row, peer).isPresent());
      if (ours.isEmpty() || !isComplete) {
        return notMeasured();
      }
      double ratio = best(results, row, peers).orElseThrow() / ours.getAsDouble();
      return new Verdict(this, plain(ratio), ratio >= factor);
    }

    @Override
    public String toString() {
      String whom = peers.size() == 1 ? peers.get(0) : "the best peer";
      return "at least " + plain(factor) + " x ahead of " + whom;
    }
  }

  /** The engine takes at most {@code limit}, in the unit of its row. */
  record Below(String row, double limit, String unit) implements Target {

    @Override
    public Verdict judge(Results results) {
      OptionalDouble ours = results.cost(row, OURS);
      if (ours.isEmpty()) {
        return notMeasured();
      }
      return new Verdict(this, plain(ours.getAsDouble()), ours.getAsDouble() <= limit);
    }

    @Override
    public String toString() {
      return "at most " + plain(limit) + " " + unit;
    }
  }

  default Verdict notMeasured() {
    return new Verdict(this, "not measured", false);
  }

  /** The least that any of {@code peers} takes. */
  static OptionalDouble best(Results results, String row, List<String> peers) {
    return peers.stream()
        .map(peer -> results.cost(row, peer))
        .flatMap(cost -> cost.isPresent() ? Stream.of(cost.getAsDouble()) : Stream.empty())
        .mapToDouble(Double::doubleValue)
        .min();
  }

  /** A number without digits that mean nothing. */
  static String plain(double number) {
    double size = Math.abs(number);
    if (size >= 100 || number == Math.rint(number)) {
      return String.format(Locale.ROOT, "%,.0f", number);
    }
    return String.format(
        Locale.ROOT,
        size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : size >= 0.01 ? "%.3f" : "%.5f",
        number);
  }
}
