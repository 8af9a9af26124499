package io.superstep.graph;

import io.superstep.graph.Pen.Arrow;
import io.superstep.graph.Pen.Line;
import io.superstep.graph.Pen.Shape;
import java.util.Set;

/**
 * The walk over a graph that all diagrams share.
 *
 * <p>Ids are made of numbers, as names may be written in any script: {@code n0} is the first node,
 * {@code n0_n1} the second one of the graph inside it. A way to a subgraph leads to its start, and
 * a way out of it comes from its end.
 */
final class Drawing {

  private final Graph graph;
  private final Set<String> current;
  private final Pen pen;
  private final String ids;
  private final String path;
  private int joins;

  private Drawing(Graph graph, Set<String> current, Pen pen, String ids, String path) {
    this.graph = graph;
    this.current = current;
    this.pen = pen;
    this.ids = ids;
    this.path = path;
  }

  static void draw(Graph graph, Set<String> current, Pen pen) {
    new Drawing(graph, current, pen, "", "").draw();
  }

  private void draw() {
    pen.terminal(start(ids), "START");
    graph.nodes().forEach(this::node);
    pen.terminal(end(ids), "END");
    ways(start(ids), Graph.START, graph.entry());
    graph.nodes().forEach(this::ways);
    graph.joins().forEach(this::join);
  }

  private void node(Node node) {
    Shape shape =
        new Shape(id(node), node.name(), node.marks(), current.contains(path + node.name()));
    if (node.body() instanceof NodeBody.Nested nested) {
      Graph inner = nested.subgraph().graph();
      pen.open(shape);
      new Drawing(inner, current, pen, inside(node), path + node.name() + "/").draw();
      pen.close();
    } else {
      pen.node(shape);
    }
  }

  private void ways(Node node) {
    String from = exit(node);
    ways(from, node.name(), graph.exits(node));
    node.mayGoTo().forEach(target -> dashed(from, target, "go to"));
    node.limit().ifPresent(limit -> dashed(from, limit.exit(), limit.label()));
  }

  private void ways(String from, String source, Exits exits) {
    graph
        .edgesOf(source)
        .forEach(target -> pen.arrow(new Arrow(from, entry(target), Line.SOLID, "")));
    Route route = exits.route();
    if (route != null) {
      route.targets().forEach(target -> dashed(from, target, label(route.kind())));
    }
  }

  private static String label(Route.Kind kind) {
    return switch (kind) {
      case ONE -> "";
      case SEVERAL -> "any";
      case SENDS -> "send";
    };
  }

  private void dashed(String from, String target, String label) {
    pen.arrow(new Arrow(from, entry(target), Line.DASHED, label));
  }

  private void join(Join join) {
    String meeting = ids + "j" + joins++;
    pen.meeting(meeting);
    for (String source : join.sources()) {
      pen.arrow(new Arrow(exit(graph.node(source)), meeting, Line.HEADLESS, ""));
    }
    pen.arrow(new Arrow(meeting, entry(join.target().name()), Line.SOLID, ""));
  }

  private String entry(String target) {
    if (target.equals(Graph.END)) {
      return end(ids);
    }
    Node node = graph.node(target);
    return node.body() instanceof NodeBody.Nested ? start(inside(node)) : id(node);
  }

  private String exit(Node node) {
    return node.body() instanceof NodeBody.Nested ? end(inside(node)) : id(node);
  }

  private String id(Node node) {
    return ids + "n" + node.ordinal();
  }

  private String inside(Node node) {
    return id(node) + "_";
  }

  private static String start(String ids) {
    return ids + "start";
  }

  /** Not called an end, which is a word of Mermaid. */
  private static String end(String ids) {
    return ids + "stop";
  }
}
