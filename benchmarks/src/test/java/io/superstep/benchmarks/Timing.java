package io.superstep.benchmarks;

import io.superstep.benchmarks.Contender.Effort;
import io.superstep.benchmarks.Contender.Timed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

/**
 * Times a contender with JMH, in a JVM of its own that lives for all its rounds.
 *
 * <p>JMH itself would start a JVM for every round, and warm each up: most of these graphs need
 * seconds until the compiler has nothing left to do. So it runs inside of a JVM that warms up once,
 * until the compiler is quiet, and then waits for its turns while others have theirs.
 */
final class Timing {

  private static final TimeValue TURN = TimeValue.milliseconds(400);
  private static final TimeValue BEFORE_TURN = TimeValue.milliseconds(40);
  private static final int LEAST_TURNS = 4;
  private static final long LONGEST_WARM_UP_MILLIS = 8_000;

  /** The compiler is quiet if it took less than this part of a turn, two turns long. */
  private static final double QUIET = 0.1;

  private static final int QUIET_TURNS = 2;

  private static final String ROUND = "round";
  private static final String WARM = "warm";

  private final String include;
  private final Mode mode;
  private final List<String> parameters;
  private final int operations;

  private Timing(List<String> arguments) {
    this.include = arguments.get(0);
    this.operations = Integer.parseInt(arguments.get(1));
    this.mode = Mode.valueOf(arguments.get(2));
    this.parameters = arguments.subList(3, arguments.size());
  }

  /** A contender in a JVM of its own; when this returns it is warm. */
  static Session open(Timed contender) {
    List<String> arguments = new ArrayList<>();
    arguments.add(contender.type().getName() + "." + contender.method());
    arguments.add(String.valueOf(contender.operations()));
    arguments.add(
        (contender.effort() == Effort.ONCE ? Mode.SingleShotTime : Mode.AverageTime).name());
    contender.parameters().forEach((name, value) -> arguments.add(name + "=" + value));
    // Spring AI Alibaba recurses once per step and hangs on a stack of the usual size
    ChildJvm jvm = ChildJvm.start(Timing.class, List.of("-Xms1g", "-Xmx1g", "-Xss64m"), arguments);
    boolean warm = contender.effort() == Effort.ONCE || jvm.next().name().equals(WARM);
    return new Session() {

      @Override
      public boolean isWarm() {
        return warm;
      }

      @Override
      public Figures round() {
        jvm.order(ROUND);
        return jvm.next().figures();
      }

      @Override
      public void close() {
        jvm.close();
      }
    };
  }

  /**
   * Warms up, and measures as often as it is told.
   *
   * @param arguments the method, how many operations it does, the mode and the parameters
   */
  public static void main(String[] arguments) throws IOException, RunnerException {
    Timing timing = new Timing(List.of(arguments));
    if (timing.mode != Mode.SingleShotTime) {
      timing.warmUp();
    }
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    while (ROUND.equals(orders.readLine())) {
      ChildJvm.tell(System.out, ROUND, timing.turn());
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
      Figures figures = turn();
      double millis = (System.nanoTime() - began) / 1e6;
      quiet = compiler.getTotalCompilationTime() - compiled < QUIET * millis ? quiet + 1 : 0;
      boolean isWarm = turn >= LEAST_TURNS && quiet >= QUIET_TURNS;
      if (isWarm || (System.nanoTime() - start) / 1e6 > LONGEST_WARM_UP_MILLIS) {
        ChildJvm.tell(System.out, isWarm ? WARM : "tepid", figures);
        return;
      }
    }
  }

  private Figures turn() throws RunnerException {
    ChainedOptionsBuilder options = new OptionsBuilder()
        .include(Pattern.quote(include) + "$")
        .mode(mode)
        .forks(0)
        // the state is made in the first iteration, and that is not what an operation costs
        .warmupIterations(mode == Mode.SingleShotTime ? 0 : 1)
        .warmupTime(BEFORE_TURN)
        .measurementIterations(1)
        .measurementTime(TURN)
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
      throw new IllegalStateException(include + " is " + results.size() + " benchmarks, not one.");
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
