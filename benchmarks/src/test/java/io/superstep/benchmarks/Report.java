package io.superstep.benchmarks;

import static io.superstep.benchmarks.Contender.ALIBABA;
import static io.superstep.benchmarks.Contender.BARE;
import static io.superstep.benchmarks.Contender.LANGGRAPH4J;
import static io.superstep.benchmarks.Contender.OURS;

import io.superstep.benchmarks.Target.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was measured, for people and for programs. */
record Report(Results results) {

  /** The fields of {@link #line}. */
  static final String FIELDS = "workload ours bare langgraph4j alibaba ratio_bare ratio_best_peer";

  private static final String NONE = "-";

  /** A workload as a table. */
  String table(Workload workload) {
    StringBuilder text = new StringBuilder();
    text.append(workload.name()).append(": ").append(workload.description()).append('\n');
    for (Row row : workload.rows()) {
      text.append(table(row));
      verdicts(workload)
          .filter(verdict -> verdict.target().row().equals(row.name()))
          .forEach(verdict -> text.append("    target: ").append(verdict).append('\n'));
    }
    workload.remarks().forEach(remark -> text.append("  ").append(remark).append('\n'));
    return text.toString();
  }

  private String table(Row row) {
    StringBuilder text = new StringBuilder();
    text.append(String.format("  %s, %s%n", row.name(), row.unit()));
    text.append(String.format(
        "    %-20s %12s %23s %12s %12s %9s %9s%n",
        "", "cost", "of rounds", "wall us", "bytes", "/ bare", "/ ours"));
    results
        .row(row.name())
        .forEach((contender, figures) -> text.append(String.format(
            "    %-20s %12s %10s .. %-9s %12s %12s %9s %9s%n",
            contender,
            number(figures.cost()),
            number(figures.least()),
            number(figures.most()),
            number(figures.wall()),
            number(figures.allocated()),
            ratio(row, contender, BARE),
            ratio(row, contender, OURS))));
    return text.toString();
  }

  /** What became of the targets of a workload. */
  Stream<Verdict> verdicts(Workload workload) {
    return workload.targets().stream().map(target -> target.judge(results));
  }

  /**
   * A row in one line, as {@link #FIELDS} says: costs, how many times bare the engine takes, and
   * how many times the engine the best peer takes.
   */
  String line(Row row) {
    OptionalDouble best = Target.best(results, row.name(), Target.PEERS);
    OptionalDouble ours = results.cost(row.name(), OURS);
    return Stream.concat(
            Stream.of(row.name()),
            Stream.concat(
                Stream.of(OURS, BARE, LANGGRAPH4J, ALIBABA)
                    .map(contender -> field(results.cost(row.name(), contender))),
                Stream.of(
                    field(quotient(ours, results.cost(row.name(), BARE))),
                    field(quotient(best, ours)))))
        .collect(Collectors.joining(" "));
  }

  /** The lines of all rows of {@code workloads}. */
  List<String> lines(List<Workload> workloads) {
    return workloads.stream()
        .flatMap(workload -> workload.rows().stream())
        .map(this::line)
        .toList();
  }

  private String ratio(Row row, String contender, String reference) {
    OptionalDouble ratio =
        quotient(results.cost(row.name(), contender), results.cost(row.name(), reference));
    return ratio.isPresent() ? number(ratio.getAsDouble()) : NONE;
  }

  private static OptionalDouble quotient(OptionalDouble above, OptionalDouble below) {
    return above.isEmpty() || below.isEmpty() || below.getAsDouble() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(above.getAsDouble() / below.getAsDouble());
  }

  private static String field(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.3f", value.getAsDouble()) : NONE;
  }

  private static String number(double value) {
    return Double.isNaN(value) ? NONE : Target.plain(value);
  }
}
