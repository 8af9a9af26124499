package io.superstep.step;

import io.superstep.graph.Graph;
import io.superstep.graph.Join;
import io.superstep.graph.Node;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Which sources of which joins have completed, in the making. */
final class Arrivals {

  private final Graph graph;
  private final Map<String, Set<String>> before;
  private Map<String, Filling> touched = Map.of();

  Arrivals(Graph graph, Map<String, Set<String>> before) {
    this.graph = graph;
    this.before = before;
  }

  /** A join that was reached in this step; without sources once it has fired. */
  private static final class Filling {

    private NodeSet sources = NodeSet.NONE;
    private boolean fired;
  }

  /**
   * Notes that {@code source} has completed, and gives the sources of {@code join} if that was the
   * last one it waited for, else none. Whoever completes in the step in which a join fires is part
   * of that firing.
   */
  NodeSet filledBy(Node source, Join join) {
    Filling filling = filling(join);
    if (filling.fired) {
      return NodeSet.NONE;
    }
    filling.sources = filling.sources.with(source);
    filling.fired = filling.sources.size() == join.sources().size();
    return filling.fired ? filling.sources : NodeSet.NONE;
  }

  private Filling filling(Join join) {
    Filling known = touched.get(join.key());
    return known == null ? refill(join) : known;
  }

  private Filling refill(Join join) {
    Filling filling = new Filling();
    for (String source : before.getOrDefault(join.key(), Set.of())) {
      if (join.sources().contains(source)) {
        filling.sources = filling.sources.with(graph.node(source));
      }
    }
    touched = touched.isEmpty() ? new LinkedHashMap<>() : touched;
    touched.put(join.key(), filling);
    return filling;
  }

  /** By the key of each join that is partly filled, who has arrived at it. */
  Map<String, Set<String>> asMap() {
    if (touched.isEmpty()) {
      return before;
    }
    Map<String, Set<String>> all = new LinkedHashMap<>(before);
    touched.forEach((join, filling) -> {
      if (filling.fired) {
        all.remove(join);
      } else {
        Set<String> names = new LinkedHashSet<>();
        for (int place = 0; place < filling.sources.size(); place++) {
          names.add(filling.sources.get(place).name());
        }
        all.put(join, names);
      }
    });
    return all;
  }
}
