package io.superstep.benchmarks;

import java.util.Map;

/** Who does the work of a row, and how that is measured. */
sealed interface Contender {

  /** The engine. */
  String OURS = "ours";

  /** What one writes by hand without an engine. */
  String BARE = "bare";

  String LANGGRAPH4J = "langgraph4j";

  String ALIBABA = "alibaba";

  String name();

  /**
   * Measured by JMH, in a JVM of its own.
   *
   * @param method of {@code type}
   * @param operations how many of what is told one call does
   * @param effort how much of it there is
   * @param clock what its cost is
   */
  record Timed(
      String name,
      Class<?> type,
      String method,
      Map<String, Integer> parameters,
      int operations,
      Effort effort,
      Clock clock)
      implements Contender {

    Timed(String name, Class<?> type, String method, Map<String, Integer> parameters, int per) {
      this(name, type, method, parameters, per, Effort.ROUNDS, Clock.PROCESSORS);
    }

    Timed once() {
      return new Timed(name, type, method, parameters, operations, Effort.ONCE, clock);
    }

    /** For work that mostly waits for somebody else. */
    Timed onTheWall() {
      return new Timed(name, type, method, parameters, operations, effort, Clock.WALL);
    }
  }

  /** Which time counts. */
  enum Clock {
    /** That of all processors, in our process. */
    PROCESSORS,
    /** That on the wall. */
    WALL
  }

  /** How often something is measured. */
  enum Effort {
    /** Warmed up, in as many rounds as all others. */
    ROUNDS,
    /** One call that takes so long that it warms up itself. */
    ONCE
  }

  /**
   * Measured by a plain program in a fresh JVM.
   *
   * @param figure which of the figures that the program tells
   */
  record Plain(String name, FreshJvm program, String figure) implements Contender {}
}
