package io.superstep.graph;

import io.superstep.graph.Blueprint.JoinEdge;
import io.superstep.graph.Blueprint.RouteEdge;
import io.superstep.state.Schemas;
import io.superstep.state.StateSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An immutable definition of nodes, the ways between them, and the channels they work on.
 *
 * <p>A graph has been checked when it was built, knows nothing of runs, and can be shared by any
 * number of them.
 */
public final class Graph {

  /**
   * Where every run begins; the source of edges and routes, and nothing else.
   *
   * <p>Like {@link #END} it begins with a control character. No node can be called so, and no text
   * that a person or a model wrote is taken for it by accident.
   */
  public static final String START = "\u0002START";

  /** Where a branch of a run ends; the target of edges, routes and commands, and nothing else. */
  public static final String END = "\u0003END";

  private final String name;
  private final StateSchema schema;
  private final Schemas schemas;
  private final List<Node> nodes;
  private final Map<String, Node> byName = new LinkedHashMap<>();
  private final boolean actsOutside;
  private final List<Exits> exits;
  private final Loops loops;
  private final List<Join> joins;
  private final Map<String, List<String>> ends;
  private final String fingerprint;

  Graph(Blueprint blueprint, Ways ways, StateSchema schema) {
    this.name = blueprint.name();
    this.schema = schema;
    List<Node> declared = new ArrayList<>();
    for (NodeDraft draft : blueprint.nodes()) {
      draft
          .body()
          .map(body -> new Node(declared.size(), draft, body, blueprint.defaults()))
          .ifPresent(declared::add);
    }
    this.nodes = List.copyOf(declared);
    nodes.forEach(node -> byName.put(node.name(), node));
    this.actsOutside = nodes.stream().anyMatch(Node::actsOutside);
    this.schemas = Schemas.of(schema, inside());
    this.joins = blueprint.joins().stream().map(this::join).toList();
    this.ends = ends(blueprint);
    this.exits = exits(blueprint);
    this.loops = new Loops(ways);
    this.fingerprint = Fingerprint.of(this);
  }

  private Map<String, Schemas> inside() {
    Map<String, Schemas> inside = new LinkedHashMap<>();
    for (Node node : nodes) {
      if (node.body() instanceof NodeBody.Nested nested) {
        inside.put(node.name(), nested.subgraph().graph().schemas());
      }
    }
    return inside;
  }

  private Join join(JoinEdge said) {
    return Join.of(said.sources().names(), node(said.target()));
  }

  private List<Exits> exits(Blueprint blueprint) {
    List<List<Node>> edges = new ArrayList<>();
    List<List<Join>> joined = new ArrayList<>();
    @Nullable Route[] routes = new @Nullable Route[nodes.size() + 1];
    for (int node = 0; node <= nodes.size(); node++) {
      edges.add(new ArrayList<>(1));
      joined.add(new ArrayList<>(0));
    }
    blueprint.edges().stream()
        .filter(edge -> !edge.to().equals(END))
        .forEach(edge -> edges.get(number(edge.from())).add(node(edge.to())));
    for (Join join : joins) {
      join.sources().forEach(source -> joined.get(number(source)).add(join));
    }
    for (RouteEdge route : blueprint.routes()) {
      routes[number(route.from())] = route.route();
    }
    List<Exits> all = new ArrayList<>();
    for (int node = 0; node <= nodes.size(); node++) {
      String source = node == nodes.size() ? START : nodes.get(node).name();
      boolean ending = edgesOf(source).contains(END);
      all.add(new Exits(edges.get(node), joined.get(node), routes[node], ending));
    }
    return List.copyOf(all);
  }

  private static Map<String, List<String>> ends(Blueprint blueprint) {
    Map<String, List<String>> ends = new HashMap<>();
    blueprint
        .edges()
        .forEach(
            edge -> ends.computeIfAbsent(edge.from(), any -> new ArrayList<>(1)).add(edge.to()));
    return ends;
  }

  private int number(String source) {
    return source.equals(START) ? nodes.size() : node(source).ordinal();
  }

  /** Describes a graph called {@code name}. */
  public static GraphBuilder builder(String name) {
    return new GraphBuilder(String.valueOf(name));
  }

  /** The nodes a route may choose from. */
  public static Targets to(String... nodes) {
    return new Targets(Arrays.asList(nodes));
  }

  /** The nodes a join waits for. */
  public static Sources all(String... nodes) {
    return new Sources(Arrays.asList(nodes));
  }

  public String name() {
    return name;
  }

  /** What the graph remembers. */
  public StateSchema schema() {
    return schema;
  }

  /** What the graph remembers, and all graphs in it. */
  public Schemas schemas() {
    return schemas;
  }

  /** All nodes, in the order in which they were declared. */
  public List<Node> nodes() {
    return nodes;
  }

  /**
   * Whether one of its nodes does something to the world outside that must not be done twice. Nodes
   * of graphs inside do not count: those graphs say so.
   */
  public boolean actsOutside() {
    return actsOutside;
  }

  /** All joins, in the order in which they were declared. */
  public List<Join> joins() {
    return joins;
  }

  /** The node called {@code name}, which must exist. */
  public Node node(String name) {
    Node node = byName.get(name);
    if (node == null) {
      throw new IllegalArgumentException("Graph '" + this.name + "' has no node '" + name + "'.");
    }
    return node;
  }

  /** The node called {@code name}, if there is one. */
  public Optional<Node> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The names of all nodes, in the order in which they were declared. */
  public Set<String> names() {
    return Collections.unmodifiableSet(byName.keySet());
  }

  /** What is due when a run begins. */
  public Exits entry() {
    return exits.get(nodes.size());
  }

  /** What is due when {@code node} has completed. */
  public Exits exits(Node node) {
    return exits.get(node.ordinal());
  }

  /** The targets of the edges of {@code source}, the end included, as they were declared. */
  List<String> edgesOf(String source) {
    return ends.getOrDefault(source, List.of());
  }

  /**
   * The loop that a run starts over by going from one node to the other, if it does: the name of
   * its first node. Loops are the strongly connected parts of the graph.
   */
  public Optional<String> loopStartedOver(Node from, Node to) {
    return loops.leadsBack(from.ordinal(), to.ordinal())
        ? Optional.of(nodes.get(loops.first(from.ordinal())).name())
        : Optional.empty();
  }

  /** The nodes of the loop that {@code node} is part of, in the order of declaration. */
  public List<String> loop(String node) {
    return loops.membersWith(node(node).ordinal()).stream()
        .map(member -> nodes.get(member).name())
        .toList();
  }

  /**
   * One screen that says what the graph takes, which nodes it has, how they are connected and what
   * it gives back.
   */
  public String describe() {
    return Description.of(this);
  }

  /** The graph as Mermaid text; graphs inside it are drawn inside it. */
  public String mermaid() {
    return mermaid(Set.of());
  }

  /**
   * The graph as Mermaid text.
   *
   * @param current nodes to be marked as those where a run stands; one inside a subgraph is called
   *     by its path, such as {@code research/search}. What the graph does not have marks nothing.
   */
  public String mermaid(Collection<String> current) {
    return MermaidDiagram.of(this, Set.copyOf(current));
  }

  /** The graph as DOT text for Graphviz; graphs inside it are drawn inside it. */
  public String dot() {
    return dot(Set.of());
  }

  /**
   * The graph as DOT text for Graphviz.
   *
   * @param current nodes to be marked as those where a run stands, see {@link #mermaid(Collection)}
   */
  public String dot(Collection<String> current) {
    return DotDiagram.of(this, Set.copyOf(current));
  }

  /**
   * A short text that is the same for two graphs of the same structure and, for all practical
   * purposes, for no others. It does not depend on code: a node may do other work and is still the
   * same node.
   */
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public String toString() {
    return "Graph " + name;
  }
}
