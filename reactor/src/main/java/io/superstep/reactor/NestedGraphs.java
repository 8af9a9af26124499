package io.superstep.reactor;

import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.graph.NodeBody;
import java.util.LinkedHashSet;
import java.util.Set;

/** Finds the graphs that a run of a graph may lead into. */
final class NestedGraphs {

  private NestedGraphs() {}

  /** {@code graph} and all graphs inside it, each once. */
  static Set<Graph> with(Graph graph) {
    Set<Graph> found = new LinkedHashSet<>();
    add(graph, found);
    return found;
  }

  private static void add(Graph graph, Set<Graph> found) {
    if (found.add(graph)) {
      for (Node node : graph.nodes()) {
        if (node.body() instanceof NodeBody.Nested nested) {
          add(nested.subgraph().graph(), found);
        }
      }
    }
  }
}
