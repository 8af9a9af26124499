package io.superstep.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A graph as a Mermaid flowchart. */
final class MermaidDiagram implements Pen {

  private static final Pattern MARKUP = Pattern.compile(
      "(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])|(?<=www)\\.", Pattern.CASE_INSENSITIVE);

  private final Sheet sheet = new Sheet();
  private final List<String> marked = new ArrayList<>();

  static String of(Graph graph, Set<String> current) {
    MermaidDiagram diagram = new MermaidDiagram();
    diagram.sheet.open("flowchart TD");
    Drawing.draw(graph, current, diagram);
    return diagram.finish();
  }

  private String finish() {
    if (!marked.isEmpty()) {
      sheet.line("classDef current fill:#ffe08a,stroke:#b8860b,stroke-width:3px,color:#000");
      sheet.line("class " + String.join(",", marked) + " current");
    }
    return sheet.toString();
  }

  @Override
  public void terminal(String id, String label) {
    sheet.line(id + "([" + quoted(label) + "])");
  }

  @Override
  public void node(Shape node) {
    sheet.line(node.id() + "[" + quoted(node.label("<br/>")) + "]");
    mark(node);
  }

  @Override
  public void meeting(String id) {
    sheet.line(id + "((" + quoted("all") + "))");
  }

  @Override
  public void open(Shape subgraph) {
    sheet.open("subgraph " + subgraph.id() + "[" + quoted(subgraph.label(": ")) + "]");
    mark(subgraph);
  }

  @Override
  public void close() {
    sheet.close("end");
  }

  @Override
  public void arrow(Arrow arrow) {
    String label = arrow.label().isEmpty() ? "" : "|" + quoted(arrow.label()) + "|";
    sheet.line(arrow.from() + " " + line(arrow.line()) + label + " " + arrow.to());
  }

  private static String line(Line line) {
    return switch (line) {
      case SOLID -> "-->";
      case DASHED -> "-.->";
      case HEADLESS -> "---";
    };
  }

  private void mark(Shape shape) {
    if (shape.current()) {
      marked.add(shape.id());
    }
  }

  /** A label, so escaped that some versions of Mermaid do not find markup or a link in it. */
  private static String quoted(String label) {
    return '"'
        + MARKUP.matcher(label).replaceAll(sign -> "#" + sign.group().codePointAt(0) + ";")
        + '"';
  }
}
