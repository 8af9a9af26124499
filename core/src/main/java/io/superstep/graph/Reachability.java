package io.superstep.graph;

import io.superstep.graph.Ways.JoinWay;
import io.superstep.graph.Ways.Kind;
import io.superstep.graph.Ways.Way;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which nodes a run can get to. */
final class Reachability {

  private final Ways ways;

  Reachability(Ways ways) {
    this.ways = ways;
  }

  /** If one source of a join were enough: what is missing here, nothing leads to. */
  boolean[] whenJoinsNeedOne() {
    return walk(false);
  }

  /** As it is: a join fires when all its sources can complete without it. */
  boolean[] whenJoinsNeedAll() {
    return walk(true);
  }

  private boolean[] walk(boolean joinsNeedAll) {
    boolean[] reached = new boolean[ways.start() + 1];
    Map<Integer, List<Countdown>> waiting = new HashMap<>();
    for (JoinWay join : ways.joins()) {
      Countdown countdown = new Countdown(join);
      join.sources()
          .forEach(source ->
              waiting.computeIfAbsent(source, any -> new ArrayList<>(1)).add(countdown));
    }
    Deque<Integer> open = new ArrayDeque<>();
    reach(ways.start(), reached, open);
    while (!open.isEmpty()) {
      int node = open.pop();
      for (Way way : ways.outOf(node)) {
        if (!joinsNeedAll || way.kind() != Kind.JOIN) {
          reach(way.to(), reached, open);
        }
      }
      for (Countdown countdown : waiting.getOrDefault(node, List.of())) {
        if (--countdown.missing == 0) {
          reach(countdown.target, reached, open);
        }
      }
    }
    return reached;
  }

  private static void reach(int node, boolean[] reached, Deque<Integer> open) {
    if (!reached[node]) {
      reached[node] = true;
      open.push(node);
    }
  }

  private static final class Countdown {

    private final int target;
    private int missing;

    Countdown(JoinWay join) {
      this.target = join.target();
      this.missing = join.sources().size();
    }
  }
}
