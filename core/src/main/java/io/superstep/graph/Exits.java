package io.superstep.graph;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All ways on from a node, or from the start: what is due once it has completed.
 *
 * @param edges the nodes that are due in any case; the end is no node
 * @param joins the joins it counts towards
 * @param ends whether an edge leads to the end
 */
public record Exits(
    List<Node> edges, List<Join> joins, @Nullable Route route, boolean ends) {

  public Exits {
    edges = List.copyOf(edges);
    joins = List.copyOf(joins);
  }

  /** Whether nothing was said about what comes next; then a command has to. */
  public boolean isEmpty() {
    return !ends && edges.isEmpty() && joins.isEmpty() && route == null;
  }
}
