package io.superstep.benchmarks;

import io.superstep.benchmarks.Contender.Clock;
import io.superstep.benchmarks.Contender.Effort;
import io.superstep.benchmarks.Contender.Timed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Times contenders with JMH, in JVMs that live for all their rounds.
 *
 * <p>JMH itself would start a JVM for every round, and warm each up: most of these graphs need
 * seconds until the compiler has nothing left to do. So it runs inside of a JVM that warms up once,
 * until the compiler is quiet, and then waits for its turns while others have theirs. Contenders
 * that only differ in their parameters share a JVM: all lengths of a conversation are then run by
 * the same compiled code.
 */
final class Timing implements Stopwatch {

  private final Map<String, ChildJvm> open = new HashMap<>();

  @Override
  public Session start(Timed contender) {
    String method = method(contender);
    // Spring AI Alibaba recurses once per step and hangs on a stack of the usual size
    ChildJvm jvm = open.computeIfAbsent(
        method,
        any -> ChildJvm.start(Turn.class, List.of("-Xms1g", "-Xmx1g", "-Xss64m"), List.of(method)));
    String turn = Turn.order(contender);
    boolean warm = contender.effort() == Effort.ONCE || isWarm(jvm, turn);
    return new Session() {

      @Override
      public boolean isWarm() {
        return warm;
      }

      @Override
      public Figures round() {
        jvm.order(Turn.ROUND + turn);
        Figures figures = jvm.next().figures();
        return contender.clock() == Clock.WALL ? figures.onTheWall() : figures;
      }
    };
  }

  private static boolean isWarm(ChildJvm jvm, String turn) {
    jvm.order(Turn.WARM + turn);
    return jvm.next().name().equals(Turn.WARM);
  }

  @Override
  public void endAllBut(List<Timed> toCome) {
    Set<String> needed = toCome.stream().map(Timing::method).collect(Collectors.toSet());
    open.forEach((method, jvm) -> {
      if (!needed.contains(method)) {
        jvm.close();
      }
    });
    open.keySet().retainAll(needed);
  }

  private static String method(Timed contender) {
    return contender.type().getName() + "." + contender.method();
  }
}
