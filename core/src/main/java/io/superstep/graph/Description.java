package io.superstep.graph;

import io.superstep.state.Channel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One screen about a graph, for people. */
final class Description {

  private static final int LINES = 12;
  private static final int NAMES = 8;

  private final Graph graph;

  private Description(Graph graph) {
    this.graph = graph;
  }

  static String of(Graph graph) {
    return new Description(graph).text();
  }

  private String text() {
    return "Graph " + graph.name() + "\n"
        + section("Required input", texts(requiredInputs()))
        + section("Optional input", texts(optionalInputs()))
        + section("Nodes", graph.nodes().stream().map(Description::node).toList())
        + section("Ways", ways())
        + section("Output", texts(graph.schema().outputs().stream()));
  }

  private static String section(String title, List<String> lines) {
    return lines.isEmpty()
        ? ""
        : title + "\n"
            + few(lines, LINES).map(line -> "  " + line + "\n").collect(Collectors.joining());
  }

  private static List<String> texts(Stream<Channel<?>> channels) {
    return channels.map(Channel::toString).toList();
  }

  /** What a caller has to bring, because it neither starts with a value nor gets one by a node. */
  private Stream<Channel<?>> requiredInputs() {
    Set<String> written = new HashSet<>();
    graph.nodes().forEach(node -> node.writes().ifPresent(written::addAll));
    return graph.schema().inputs().stream()
        .filter(channel -> !channel.hasStart() && !written.contains(channel.name()));
  }

  private Stream<Channel<?>> optionalInputs() {
    List<Channel<?>> required = requiredInputs().toList();
    return graph.schema().inputs().stream().filter(channel -> !required.contains(channel));
  }

  private static String node(Node node) {
    List<String> facts = new ArrayList<>();
    facts.add(kind(node.body()));
    facts.addAll(node.marks());
    node.limit().ifPresent(limit -> facts.add(limit.label() + " " + name(limit.exit())));
    Integer attempts = node.policy().attempts();
    if (attempts != null && attempts > 1) {
      facts.add("up to " + attempts + " attempts");
    }
    if (node.actsOutside()) {
      facts.add("acts outside");
    }
    node.handler().ifPresent(handler -> facts.add("handles failures"));
    if (!node.mayGoTo().isEmpty()) {
      facts.add("may go to " + names(node.mayGoTo()));
    }
    return node.name() + ": " + String.join("; ", facts);
  }

  private static String kind(NodeBody body) {
    return body instanceof NodeBody.Nested nested
        ? nested.kind() + " " + nested.subgraph().graph().name()
        : body.kind();
  }

  private List<String> ways() {
    List<String> ways = new ArrayList<>();
    addWays(Graph.START, graph.entry(), ways);
    graph.nodes().forEach(node -> addWays(node.name(), graph.exits(node), ways));
    graph
        .joins()
        .forEach(join -> ways.add("all of " + names(join.sources()) + " -> " + join.target()));
    return ways;
  }

  private void addWays(String source, Exits exits, List<String> ways) {
    List<String> edges = graph.edgesOf(source);
    if (!edges.isEmpty()) {
      ways.add(name(source) + " -> " + names(edges));
    }
    Route route = exits.route();
    if (route != null) {
      ways.add(name(source) + " -> " + choice(route.kind()) + " " + names(route.targets()));
    }
  }

  private static String choice(Route.Kind kind) {
    return switch (kind) {
      case ONE -> "one of";
      case SEVERAL -> "any of";
      case SENDS -> "sends to";
    };
  }

  private static String names(Collection<String> names) {
    return few(names.stream().map(Description::name).toList(), NAMES)
        .collect(Collectors.joining(", "));
  }

  private static String name(String name) {
    return switch (name) {
      case Graph.START -> "START";
      case Graph.END -> "END";
      default -> name;
    };
  }

  private static Stream<String> few(List<String> all, int most) {
    int more = all.size() - most;
    return more <= 1
        ? all.stream()
        : Stream.concat(
            all.stream().limit(most),
            Stream.of(String.format(Locale.ROOT, "… and %,d more", more)));
  }
}
