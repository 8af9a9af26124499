package io.superstep.benchmarks;

import io.superstep.benchmarks.Contender.Effort;
import io.superstep.benchmarks.Contender.Timed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What one contender does in one turn of its JVM, which is ordered and answered in lines. */
final class Turn {

  static final String ROUND = "round";
  static final String WARM = "warm";

  private static final TimeValue TIME = TimeValue.milliseconds(400);
  private static final TimeValue TIME_BEFORE = TimeValue.milliseconds(40);
  private static final int LEAST_TURNS = 4;
  /** What counts as steady for us has to be steady; those whom we are far ahead of get less. */
  private static final int LONGEST_WARM_UP_MILLIS = 16_000;

  private static final int LONGEST_WARM_UP_OF_PEERS_MILLIS = 8_000;

  /** The compiler is quiet if it took less than this part of a turn, two turns long. */
  private static final double QUIET = 0.1;

  private static final int QUIET_TURNS = 2;

  private final String method;
  private final int operations;
  private final Mode mode;
  private final int longestWarmUpMillis;
  private final List<String> parameters;

  private Turn(String method, List<String> words) {
    this.method = method;
    this.operations = Integer.parseInt(words.get(0));
    this.mode = Mode.valueOf(words.get(1));
    this.longestWarmUpMillis = Integer.parseInt(words.get(2));
    this.parameters = words.subList(3, words.size());
  }

  /** The words that tell a JVM which turn to take. */
  static String order(Timed contender) {
    Mode mode = contender.effort() == Effort.ONCE ? Mode.SingleShotTime : Mode.AverageTime;
    int longest = Target.PEERS.contains(contender.name())
        ? LONGEST_WARM_UP_OF_PEERS_MILLIS
        : LONGEST_WARM_UP_MILLIS;
    StringBuilder words =
        new StringBuilder(" " + contender.operations() + " " + mode + " " + longest);
    contender.parameters().forEach((name, value) -> words.append(" " + name + "=" + value));
    return words.toString();
  }

  /**
   * Warms up or measures as often as it is told.
   *
   * @param arguments the method
   */
  public static void main(String[] arguments) throws IOException, RunnerException {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      List<String> words = List.of(order.split(" ", -1));
      Turn turn = new Turn(arguments[0], words.subList(1, words.size()));
      if (words.get(0).equals(WARM)) {
        turn.warmUp();
      } else {
        ChildJvm.tell(System.out, ROUND, turn.taken());
      }
    }
    System.exit(0); // peers leave threads behind
  }

  private void warmUp() throws RunnerException {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    long start = System.nanoTime();
    int quiet = 0;
    for (int turn = 1; ; turn++) {
      long compiled = compiler.getTotalCompilationTime();
      long began = System.nanoTime();
      Figures figures = taken();
      double millis = (System.nanoTime() - began) / 1e6;
      quiet = compiler.getTotalCompilationTime() - compiled < QUIET * millis ? quiet + 1 : 0;
      boolean isWarm = turn >= LEAST_TURNS && quiet >= QUIET_TURNS;
      if (isWarm || (System.nanoTime() - start) / 1e6 > longestWarmUpMillis) {
        ChildJvm.tell(System.out, isWarm ? WARM : "tepid", figures);
        return;
      }
    }
  }

  private Figures taken() throws RunnerException {
    ChainedOptionsBuilder options = new OptionsBuilder()
        .include(Pattern.quote(method) + "$")
        .mode(mode)
        .forks(0)
        // the state is made in the first iteration, and that is not what an operation costs
        .warmupIterations(mode == Mode.SingleShotTime ? 0 : 1)
        .warmupTime(TIME_BEFORE)
        .measurementIterations(1)
        .measurementTime(TIME)
        .addProfiler(CpuTime.class)
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    for (String parameter : parameters) {
      int equals = parameter.indexOf('=');
      options.param(parameter.substring(0, equals), parameter.substring(equals + 1));
    }
    Collection<RunResult> results = new Runner(options.build()).run();
    if (results.size() != 1) {
      throw new IllegalStateException(method + " is " + results.size() + " benchmarks, not one.");
    }
    return figures(results.iterator().next());
  }

  private Figures figures(RunResult result) {
    return Figures.of(
        secondary(result, CpuTime.MICROS) / operations,
        result.getPrimaryResult().getScore() * 1e6 / operations, // JMH counts in seconds
        secondary(result, "gc.alloc.rate.norm") / operations);
  }

  private static double secondary(RunResult result, String name) {
    return result.getSecondaryResults().get(name).getScore();
  }
}
