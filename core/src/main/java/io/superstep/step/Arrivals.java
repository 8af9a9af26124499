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
   * Notes that {@code source} has completed; says whether that was the last one {@code join} waited
   * for. Whoever completes in the step in which a join fires is part of that firing.
   */
  boolean fills(Node source, Join join) {
    Filling filling = filling(join);
    if (filling.fired) {
      return false;
    }
    filling.sources = filling.sources.with(source);
    filling.fired = filling.sources.size() == join.sources().size();
    return filling.fired;
  }

  private Filling filling(Join join) {
    if (touched.isEmpty()) {
      touched = new LinkedHashMap<>();
    }
    return touched.computeIfAbsent(join.key(), key -> {
      Filling filling = new Filling();
      for (String source : before.getOrDefault(key, Set.of())) {
        if (join.sources().contains(source)) {
          filling.sources = filling.sources.with(graph.node(source));
        }
      }
      return filling;
    });
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
        filling.sources.forEach(source -> names.add(source.name()));
        all.put(join, names);
      }
    });
    return all;
  }
}
