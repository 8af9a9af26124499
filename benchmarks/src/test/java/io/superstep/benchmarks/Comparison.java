package io.superstep.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the workloads with JMH and prints what each contender takes, as a ratio to bare Reactor.
 *
 * <p>Contenders take turns, each in a JVM of its own, several rounds long, and the median of the
 * rounds counts: what disturbs the machine for a while then disturbs all of them.
 */
public final class Comparison {

  private static final int ROUNDS = Integer.getInteger("rounds", 3);

  private Comparison() {}

  /**
   * Compares.
   *
   * @param arguments a pattern that the names of workloads must match, like {@code chain}
   */
  public static void main(String[] arguments) throws RunnerException {
    Pattern only =
        Pattern.compile(arguments.length == 0 ? ".*" : arguments[0], Pattern.CASE_INSENSITIVE);
    for (Workload workload : Workload.values()) {
      if (only.matcher(workload.name()).find()) {
        print(workload, measured(workload));
      }
    }
  }

  private static Map<String, Figures> measured(Workload workload) throws RunnerException {
    Map<String, List<Figures>> rounds = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (String contender : workload.contenders()) {
        for (RunResult result : new Runner(options(workload, contender)).run()) {
          rounds
              .computeIfAbsent(contender, any -> new ArrayList<>())
              .add(Figures.of(result, workload.operations()));
        }
      }
    }
    Map<String, Figures> medians = new LinkedHashMap<>();
    rounds.forEach((contender, figures) -> medians.put(contender, Figures.median(figures)));
    return medians;
  }

  private static Options options(Workload workload, String contender) {
    return new OptionsBuilder()
        .include(Pattern.quote(workload.type().getName() + "." + contender) + "$")
        .param(workload.parameter(), String.valueOf(workload.size()))
        .mode(Mode.AverageTime)
        .forks(1)
        // Spring AI Alibaba recurses once per step and hangs on a stack of the usual size
        .jvmArgs("-Xms1g", "-Xmx1g", "-Xss64m")
        .warmupIterations(3)
        .warmupTime(TimeValue.seconds(1))
        .measurementIterations(5)
        .measurementTime(TimeValue.seconds(1))
        .addProfiler(CpuTime.class)
        .addProfiler(GCProfiler.class)
        .verbosity(VerboseMode.SILENT)
        .build();
  }

  private static void print(Workload workload, Map<String, Figures> figures) {
    Figures bare = figures.get(Workload.BARE);
    System.out.printf("%n%s%n", workload.description());
    System.out.printf(
        "  %-16s %12s %22s %12s %12s %12s%n",
        "", "cpu us", "of rounds", "wall us", "bytes", "cpu / bare");
    figures.forEach((contender, figure) -> System.out.printf(
        Locale.ROOT,
        "  %-16s %12.3f %10.3f .. %-8.3f %12.3f %,12.0f %12s%n",
        contender,
        figure.cpu(),
        figure.least(),
        figure.most(),
        figure.wall(),
        figure.bytes(),
        bare == null ? "" : String.format(Locale.ROOT, "%.1f", figure.cpu() / bare.cpu())));
  }

  /**
   * What one operation takes.
   *
   * @param cpu microseconds of all processors
   * @param least the best round
   * @param most the worst round
   * @param wall microseconds on the clock
   * @param bytes allocated
   */
  record Figures(double cpu, double least, double most, double wall, double bytes) {

    static Figures of(RunResult result, int operations) {
      double scale = 1.0 / operations;
      double cpu = secondary(result, CpuTime.MICROS) * scale;
      return new Figures(
          cpu, cpu, cpu, micros(result) * scale, secondary(result, "gc.alloc.rate.norm") * scale);
    }

    private static double secondary(RunResult result, String name) {
      return result.getSecondaryResults().get(name).getScore();
    }

    /** JMH counts in seconds unless told otherwise. */
    private static double micros(RunResult result) {
      return result.getPrimaryResult().getScore() * 1e6;
    }

    static Figures median(List<Figures> rounds) {
      return new Figures(
          median(rounds.stream().mapToDouble(Figures::cpu).toArray()),
          rounds.stream().mapToDouble(Figures::cpu).min().orElseThrow(),
          rounds.stream().mapToDouble(Figures::cpu).max().orElseThrow(),
          median(rounds.stream().mapToDouble(Figures::wall).toArray()),
          median(rounds.stream().mapToDouble(Figures::bytes).toArray()));
    }

    private static double median(double[] values) {
      Arrays.sort(values);
      return values[values.length / 2];
    }
  }
}
