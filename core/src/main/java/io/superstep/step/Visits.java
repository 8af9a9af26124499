package io.superstep.step;

import io.superstep.graph.Node;
import io.superstep.graph.VisitLimit;
import java.util.LinkedHashMap;
import java.util.Map;

/** How often the nodes that have a limit have run in this turn, in the making. */
final class Visits {

  private Map<String, Integer> counts;
  private boolean copied;

  Visits(Map<String, Integer> before) {
    this.counts = before;
  }

  /** Counts a visit of {@code node}, if {@code limit} allows one more; says whether it does. */
  boolean count(Node node, VisitLimit limit) {
    int before = counts.getOrDefault(node.name(), 0);
    if (before >= limit.most()) {
      return false;
    }
    own().put(node.name(), before + 1);
    return true;
  }

  /** Takes back a visit that will not take place. */
  void forget(String node) {
    if (counts.containsKey(node)) {
      own().computeIfPresent(node, (limited, before) -> before > 1 ? before - 1 : null);
    }
  }

  private Map<String, Integer> own() {
    if (!copied) {
      counts = new LinkedHashMap<>(counts);
      copied = true;
    }
    return counts;
  }

  Map<String, Integer> asMap() {
    return counts;
  }
}
