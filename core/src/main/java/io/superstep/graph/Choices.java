package io.superstep.graph;

import io.superstep.graph.Ways.Kind;
import io.superstep.graph.Ways.Way;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which nodes can never both run because a route has to choose between them.
 *
 * <p>Only what can be proved counts: a node that has but one way in, whose source has but one way
 * in, and so on up to the start, runs in one step at most, if each route on that way chose it. A
 * node that more than one way leads to is left in peace. The nodes that something is known of form
 * a tree below the start, and of each is kept the last choice before it.
 */
final class Choices {

  private static final int NONE = -1;

  private final int[] router;
  private final int[] chosen;

  Choices(Ways ways) {
    this.router = new int[ways.start() + 1];
    this.chosen = new int[ways.start() + 1];
    Arrays.fill(router, NONE);
    Deque<Integer> open = new ArrayDeque<>();
    open.push(ways.start());
    while (!open.isEmpty()) {
      for (Way way : ways.outOf(open.pop())) {
        if (ways.into(way.to()).size() == 1) {
          router[way.to()] = isChoice(way) ? way.from() : router[way.from()];
          chosen[way.to()] = isChoice(way) ? way.to() : chosen[way.from()];
          open.push(way.to());
        }
      }
    }
  }

  private static boolean isChoice(Way way) {
    return way.kind() == Kind.CHOICE;
  }

  /** A node whose route would have to choose two ways at once for all of {@code nodes} to run. */
  Optional<Integer> contradiction(List<Integer> nodes) {
    Map<Integer, Integer> needed = new HashMap<>();
    for (int node : nodes) {
      for (int at = node; router[at] != NONE; at = router[at]) {
        Integer other = needed.putIfAbsent(router[at], chosen[at]);
        if (other != null && other != chosen[at]) {
          return Optional.of(router[at]);
        }
        if (other != null) {
          break; // whatever was chosen before it is known by now
        }
      }
    }
    return Optional.empty();
  }
}
