package io.superstep.graph;

import java.util.Set;

/** A graph as DOT text for Graphviz. */
final class DotDiagram implements Pen {

  private final Sheet sheet = new Sheet();

  static String of(Graph graph, Set<String> current) {
    DotDiagram diagram = new DotDiagram();
    diagram.sheet.open("digraph " + quoted(graph.name()) + " {");
    diagram.sheet.line("newrank=true");
    diagram.sheet.line("node [shape=box style=filled fillcolor=white]");
    Drawing.draw(graph, current, diagram);
    diagram.sheet.close("}");
    return diagram.sheet.toString();
  }

  @Override
  public void terminal(String id, String label) {
    sheet.line(id + " [label=" + quoted(label) + " shape=oval]");
  }

  @Override
  public void node(Shape node) {
    sheet.line(node.id() + " [" + look(node) + "]");
  }

  @Override
  public void meeting(String id) {
    sheet.line(id + " [label=\"all\" shape=circle]");
  }

  @Override
  public void open(Shape subgraph) {
    sheet.open("subgraph cluster_" + subgraph.id() + " {");
    sheet.line("graph [style=filled " + look(subgraph) + "]");
  }

  @Override
  public void close() {
    sheet.close("}");
  }

  @Override
  public void arrow(Arrow arrow) {
    sheet.line(arrow.from() + " -> " + arrow.to() + style(arrow));
  }

  private static String style(Arrow arrow) {
    return switch (arrow.line()) {
      case SOLID -> "";
      case DASHED -> " [style=dashed label=" + quoted(arrow.label()) + "]";
      case HEADLESS -> " [dir=none]";
    };
  }

  /** Said in full, as a cluster takes over what is not said from the one around it. */
  private static String look(Shape shape) {
    return "label=" + quoted(shape.label("\\n"))
        + (shape.current() ? " fillcolor=\"#ffe08a\" penwidth=3" : " fillcolor=white penwidth=1");
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }
}
