package io.superstep.graph;

import io.superstep.error.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The declarations of a graph, in the order of the builder calls. */
final class Blueprint {

  private final String name;
  private final Map<String, NodeDraft> drafts = new LinkedHashMap<>();
  private final Map<String, NodeDraft> nodes = new LinkedHashMap<>();
  private final Map<String, Edge> edges = new LinkedHashMap<>();
  private final Map<String, JoinEdge> joins = new LinkedHashMap<>();
  private final Map<String, RouteEdge> routes = new LinkedHashMap<>();
  private final List<Edge> asides = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private @Nullable NodePolicy defaults;

  Blueprint(String name) {
    this.name = name;
  }

  /** From one node to another, in any case. */
  record Edge(String from, String to, String call) {}

  /** From several nodes to one, when all have completed. */
  record JoinEdge(Sources sources, String target, String call) {}

  /** From a node to what a router chooses. */
  record RouteEdge(String from, Route route, String call) {}

  void node(String node, @Nullable NodeBody body, String call) {
    if (node.equals(Graph.START) || node.equals(Graph.END)) {
      problems.add(new Problem(
          "SG-104",
          "START and END cannot be declared as nodes.",
          call,
          "Remove the call; every graph has START and END."));
      return;
    }
    Object said = body == null ? NodeDraft.NO_BODY : body;
    Optional<String> before = draft(node).say("node", said, call);
    if (before.isPresent()) {
      problems.add(new Problem(
          "SG-103",
          "Node '" + node + "' is declared twice.",
          call,
          "Rename one of the two; the first is " + before.get() + "."));
    } else {
      nodes.put(node, draft(node));
    }
  }

  void edge(String from, String to, String call) {
    Edge before = edges.putIfAbsent(from + "\n" + to, new Edge(from, to, call));
    if (before != null) {
      problems.add(new Problem(
          "SG-110",
          "The edge from " + Call.name(from) + " to " + Call.name(to) + " is declared twice.",
          call,
          "Remove one of the two; the first is " + before.call() + "."));
    }
  }

  /**
   * Where a call leads that is refused for another reason, lest what it leads to be told as
   * problems of their own.
   */
  void aside(String from, Collection<String> targets, String call) {
    asides.add(new Edge(from, Graph.END, call));
    targets.forEach(target -> asides.add(new Edge(from, target, call)));
  }

  void join(Sources sources, String target, String call) {
    String key = Join.key(sources.names(), target);
    JoinEdge before = joins.putIfAbsent(key, new JoinEdge(sources, target, call));
    if (before != null) {
      repeated(before.call(), call);
    }
  }

  void route(String from, Route route, String call) {
    RouteEdge before = routes.putIfAbsent(from, new RouteEdge(from, route, call));
    if (before != null) {
      repeated(before.call(), call);
      aside(from, route.targets(), call);
    }
  }

  void option(String node, String option, @Nullable Object value, String call) {
    if (value == null) {
      missing("a value", call);
      return;
    }
    draft(node).say(option, value, call).ifPresent(before -> {
      repeated(before, call);
      if (value instanceof Targets targets) {
        aside(node, targets.names(), call);
      }
    });
  }

  void defaults(@Nullable NodePolicy policy, String call) {
    if (policy == null) {
      missing("a policy", call);
    } else if (defaults != null) {
      repeated(call, call);
    } else {
      defaults = policy;
    }
  }

  void missing(String what, String call) {
    problems.add(new Problem(
        "SG-117",
        "Null was passed where " + what + " is required.",
        call,
        "Pass " + what + ", or remove the call."));
  }

  void tooShort(String call) {
    problems.add(new Problem(
        "SG-109",
        "The sequence has fewer than two names.",
        call,
        "Name at least two: sequence(\"<node>\", \"<node>\")."));
  }

  void repeated(String before, String call) {
    problems.add(new Problem(
        "SG-110",
        "This is already declared by " + before + ", and can be declared once.",
        call,
        "Remove the call, or change " + before + "."));
  }

  private NodeDraft draft(String node) {
    return drafts.computeIfAbsent(node, NodeDraft::new);
  }

  String name() {
    return name;
  }

  /** The nodes in the order in which they were declared. */
  Collection<NodeDraft> nodes() {
    return Collections.unmodifiableCollection(nodes.values());
  }

  /** Their names. */
  Collection<String> names() {
    return Collections.unmodifiableCollection(nodes.keySet());
  }

  /** Whatever something was said about, nodes or not. */
  Collection<NodeDraft> drafts() {
    return Collections.unmodifiableCollection(drafts.values());
  }

  Collection<Edge> edges() {
    return Collections.unmodifiableCollection(edges.values());
  }

  Collection<JoinEdge> joins() {
    return Collections.unmodifiableCollection(joins.values());
  }

  Collection<RouteEdge> routes() {
    return Collections.unmodifiableCollection(routes.values());
  }

  /** Ways that stand in calls which are refused. */
  List<Edge> asides() {
    return Collections.unmodifiableList(asides);
  }

  NodePolicy defaults() {
    return defaults == null ? NodePolicy.NONE : defaults;
  }

  /** What was already wrong when it was said. */
  List<Problem> problems() {
    return Collections.unmodifiableList(problems);
  }
}
