package io.superstep.benchmarks;

import io.superstep.benchmarks.Contender.Plain;
import io.superstep.benchmarks.Contender.Timed;
import io.superstep.benchmarks.Target.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Measures the workloads, prints what each contender takes, and judges it.
 *
 * <p>The contenders of a row, each kind in a JVM of its own, are warmed up one after the other and
 * then take short turns, several rounds long, and the median of the rounds counts: what disturbs
 * the machine for a while then disturbs all of them.
 */
public final class Comparison {

  /** Where the curve of the conversation is drawn, below the root of the project. */
  static final Path PLOT = Path.of("benchmarks", "target", "conversation.svg");

  private static final int MET = 0;
  private static final int MISSED = 1;
  private static final int MISUSED = 2;

  private static final int ROUNDS = 5;

  /** Who has been measured for so long needs no more rounds. */
  private static final double LONG_ENOUGH_NANOS = 4e9;

  private final PrintStream out;
  private final Stopwatch timing;
  private final Function<FreshJvm, Map<String, Figures>> plain;
  private final Map<FreshJvm, Map<String, Figures>> ran = new EnumMap<>(FreshJvm.class);
  private final Results results = new Results();
  private final List<String> tepid = new ArrayList<>();

  /**
   * A comparison.
   *
   * @param timing warms a contender up
   * @param plain runs a program; each is run once
   */
  Comparison(PrintStream out, Stopwatch timing, Function<FreshJvm, Map<String, Figures>> plain) {
    this.out = out;
    this.timing = timing;
    this.plain = plain;
  }

  /**
   * Compares, and exits with 0 if all targets were met, 1 if one was missed, and 2 if a workload is
   * unknown.
   *
   * @param arguments the names of workloads; none for all
   */
  public static void main(String[] arguments) throws IOException {
    Comparison comparison = new Comparison(System.out, new Timing(), FreshJvm::run);
    int code = comparison.run(List.of(arguments));
    if (comparison.results.row("conversation").containsKey(Contender.OURS)) {
      Files.writeString(PLOT, Plot.of(comparison.results));
    }
    System.exit(code);
  }

  int run(List<String> names) {
    List<String> known = Workloads.ALL.stream().map(Workload::name).toList();
    if (!known.containsAll(names)) {
      out.println("The workloads are " + String.join(", ", known) + ".");
      return MISUSED;
    }
    List<Workload> chosen = Workloads.ALL.stream()
        .filter(workload -> names.isEmpty() || names.contains(workload.name()))
        .toList();
    return compare(chosen);
  }

  int compare(List<Workload> workloads) {
    long start = System.nanoTime();
    Report report = new Report(results);
    out.println("JDK " + Runtime.version() + ", " + Runtime.getRuntime().availableProcessors()
        + " processors, " + ROUNDS + " rounds");
    out.println(LangGraph4j.CONFIGURATION);
    out.println(SpringAiAlibaba.CONFIGURATION);
    List<Verdict> missed = new ArrayList<>();
    for (Workload workload : workloads) {
      measure(workload.rows());
      out.println();
      out.print(report.table(workload));
      if (!tepid.isEmpty()) {
        out.println("  The compiler was still at it when these were measured: "
            + String.join("; ", tepid) + ".");
        tepid.clear();
      }
      report.verdicts(workload).filter(verdict -> !verdict.met()).forEach(missed::add);
    }
    out.println();
    out.println(Report.FIELDS);
    report.lines(workloads).forEach(out::println);
    out.println();
    out.println("took " + Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s");
    out.println(missed.isEmpty() ? "All targets are met." : missed.size() + " missed:");
    missed.forEach(verdict -> out.println("  " + verdict));
    return missed.isEmpty() ? MET : MISSED;
  }

  private void measure(List<Row> rows) {
    try {
      for (int row = 0; row < rows.size(); row++) {
        timing.endAllBut(timed(rows.subList(row, rows.size())));
        measure(rows.get(row));
      }
    } finally {
      timing.endAllBut(List.of());
    }
  }

  private static List<Timed> timed(List<Row> rows) {
    return rows.stream()
        .flatMap(row -> row.contenders().stream())
        .filter(Timed.class::isInstance)
        .map(Timed.class::cast)
        .toList();
  }

  private void measure(Row row) {
    Map<String, Turns> all = new LinkedHashMap<>();
    for (Contender contender : row.contenders()) {
      Session session = session(contender);
      all.put(contender.name(), new Turns(session));
      if (!session.isWarm()) {
        tepid.add(row.name() + " " + contender.name());
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      all.values().forEach(Turns::next);
    }
    all.forEach(
        (contender, turns) -> results.put(row.name(), contender, Figures.median(turns.figures)));
  }

  private Session session(Contender contender) {
    if (contender instanceof Timed timed) {
      return timing.start(timed);
    }
    Plain program = (Plain) contender;
    Figures figures = ran.computeIfAbsent(program.program(), plain).get(program.figure());
    if (figures == null) {
      throw new IllegalStateException(program + " was not measured.");
    }
    return () -> figures;
  }

  /** What a contender took in its rounds. */
  private static final class Turns {

    private final Session session;
    private final List<Figures> figures = new ArrayList<>(ROUNDS);
    private double nanos;

    Turns(Session session) {
      this.session = session;
    }

    void next() {
      if (nanos < LONG_ENOUGH_NANOS) {
        long start = System.nanoTime();
        figures.add(session.round());
        nanos += System.nanoTime() - start;
      }
    }
  }
}
