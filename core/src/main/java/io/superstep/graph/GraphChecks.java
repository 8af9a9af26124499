package io.superstep.graph;

import io.superstep.error.DidYouMean;
import io.superstep.error.Problem;
import io.superstep.graph.Blueprint.Edge;
import io.superstep.graph.Blueprint.JoinEdge;
import io.superstep.graph.Blueprint.RouteEdge;
import io.superstep.graph.Ways.JoinWay;
import io.superstep.state.Channel;
import io.superstep.state.StateSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The validation of a graph: one method for each rule, of which all are checked. */
final class GraphChecks {

  private static final Pattern NAME = Pattern.compile("\\p{L}[\\p{L}\\p{M}\\p{N}_.-]{0,99}");
  private static final String NO_NAME = String.valueOf((Object) null);
  private static final int NAMES_SHOWN = 20;

  private final Blueprint blueprint;
  private final Ways ways;
  private final @Nullable StateSchema schema;
  private final List<String> names;
  private final boolean hasStart;
  private @Nullable String shown;
  private final Set<Problem> problems = new LinkedHashSet<>();

  /**
   * Validates a graph.
   *
   * @param schema null if it is not known; the rules that depend on it are then not checked
   */
  GraphChecks(Blueprint blueprint, Ways ways, @Nullable StateSchema schema) {
    this.blueprint = blueprint;
    this.ways = ways;
    this.schema = schema;
    this.names = List.copyOf(blueprint.names());
    this.hasStart = hasStart();
  }

  List<Problem> problems() {
    namesAreLegal();
    namesAreKnown();
    routesAndJoinsNameSomething();
    thereIsAStart();
    nodesCanBeReached();
    nodesHaveAWayOut();
    joinsCanFire();
    limitsLeadOut();
    sendsAreNotDeferred();
    policiesMakeSense();
    if (schema != null) {
      writtenChannelsExist(schema);
      nobodyWritesBesideAnother(schema);
      subgraphsFit(schema);
    }
    return List.copyOf(problems);
  }

  private void namesAreLegal() {
    nameIsLegal("graph", blueprint.name(), Call.of("Graph.builder", blueprint.name()));
    for (NodeDraft node : blueprint.nodes()) {
      if (Ways.lookalike(node.name()).isPresent()) {
        problem(
            "SG-104",
            "The node name '" + node.name()
                + "' is reserved, because it can be mistaken for START or END.",
            node.call("node"),
            "Rename the node.");
      } else {
        nameIsLegal("node", node.name(), node.call("node"));
      }
    }
  }

  private void nameIsLegal(String what, String name, String call) {
    if (name.equals(NO_NAME)) {
      problem(
          "SG-104",
          "The name of the " + what + " is null or the text 'null'.",
          call,
          "Pass another name.");
    } else if (!NAME.matcher(name).matches()) {
      problem(
          "SG-104",
          "The " + what + " name '" + name + "' is invalid.",
          call,
          "Start with a letter, then use letters, digits, '_', '-' and '.', up to 100 characters.");
    }
  }

  private void namesAreKnown() {
    for (Edge edge : blueprint.edges()) {
      requireSource(edge.from(), edge.call());
      requireTarget(edge.to(), edge.call());
    }
    for (JoinEdge join : blueprint.joins()) {
      join.sources().names().forEach(source -> requireNode(source, join.call()));
      requireNode(join.target(), join.call());
    }
    for (RouteEdge route : blueprint.routes()) {
      requireSource(route.from(), route.call());
      for (String target : route.route().targets()) {
        if (target.equals(Graph.END) && route.route().kind() == Route.Kind.SENDS) {
          problem(
              "SG-105",
              "END is a target of the fan-out, but no task can be sent to END.",
              route.call(),
              "Remove END from to(...); a router that returns no sends ends its branch.");
        } else {
          requireTarget(target, route.call());
        }
      }
    }
    for (Edge aside : blueprint.asides()) {
      requireSource(aside.from(), aside.call());
      requireTarget(aside.to(), aside.call());
    }
    for (NodeDraft draft : blueprint.drafts()) {
      if (draft.body().isEmpty()) {
        draft.calls().forEach(call -> requireNode(draft.name(), call));
      }
      draft
          .mayGoTo()
          .ifPresent(
              to -> to.names().forEach(target -> requireTarget(target, draft.call("mayGoTo"))));
      draft.limit().ifPresent(limit -> requireTarget(limit.exit(), draft.call("maxVisits")));
    }
  }

  private void requireSource(String name, String call) {
    if (!name.equals(Graph.START)) {
      requireNode(name, call);
    }
  }

  private void requireTarget(String name, String call) {
    if (!name.equals(Graph.END)) {
      requireNode(name, call);
    }
  }

  private void requireNode(String name, String call) {
    if (name.equals(Graph.END)) {
      problem(
          "SG-105",
          "END is used as a node, but it has no outgoing edges and no options.",
          call,
          "Use END as a target of edge, route or mayGoTo, or as the exit of maxVisits.");
    } else if (name.equals(Graph.START)) {
      problem(
          "SG-105",
          "START is used as a node, but it has no incoming edges and no options.",
          call,
          "Use START as the source of edge or route; to loop back, name the first node.");
    } else if (!ways.knows(name)) {
      problem("SG-102", "Node '" + name + "' does not exist.", call, use(name));
    }
  }

  private String use(String name) {
    return Ways.lookalike(name)
        .map(constant -> "Did you mean the constant " + Call.name(constant) + "?")
        .or(() -> ways.meant(name).map(meant -> "Did you mean '" + meant + "'?"))
        .orElseGet(
            () -> "Use one of " + namesShown() + ", or add node(" + Call.name(name) + ", ...).");
  }

  private String namesShown() {
    if (shown == null) {
      List<String> sorted = names.stream().sorted().toList();
      shown = sorted.size() <= NAMES_SHOWN
          ? sorted.toString()
          : sorted.subList(0, NAMES_SHOWN) + " and " + (sorted.size() - NAMES_SHOWN) + " more";
    }
    return shown;
  }

  private void routesAndJoinsNameSomething() {
    for (RouteEdge route : blueprint.routes()) {
      if (route.route().targets().isEmpty()) {
        problem(
            "SG-109",
            "The route has no targets.",
            route.call(),
            "Name every node that the router may choose: to(\"<node>\", ...).");
      }
    }
    for (JoinEdge join : blueprint.joins()) {
      if (new HashSet<>(join.sources().names()).size() < 2) {
        problem(
            "SG-109",
            "The join has fewer than two sources.",
            join.call(),
            "Name at least two nodes: all(\"<node>\", \"<node>\"), or use edge for a single source.");
      }
    }
  }

  private boolean hasStart() {
    return Stream.of(
            blueprint.edges().stream().map(Edge::from),
            blueprint.routes().stream().map(RouteEdge::from),
            blueprint.asides().stream().map(Edge::from))
        .flatMap(sources -> sources)
        .anyMatch(ways::isStart);
  }

  private void thereIsAStart() {
    if (!hasStart) {
      String first = names.isEmpty() ? "<first node>" : names.get(0);
      problem(
          "SG-101",
          "No node is connected to the start.",
          "the whole graph",
          "Add edge(START, " + Call.name(first) + ").");
    }
  }

  private void nodesCanBeReached() {
    if (!hasStart) {
      return; // no node can be reached, which SG-101 reports
    }
    boolean[] reached = new Reachability(ways).whenJoinsNeedOne();
    for (NodeDraft node : blueprint.nodes()) {
      if (!reached[ways.number(node.name())]) {
        problem(
            "SG-106",
            "Node '" + node.name() + "' cannot be reached from START.",
            node.call("node"),
            "Add an edge, route, join or mayGoTo with the node as its target, or remove the node.");
      }
    }
  }

  private void nodesHaveAWayOut() {
    Set<String> leaving = new HashSet<>();
    blueprint.edges().forEach(edge -> leave(edge.from(), leaving));
    blueprint.routes().forEach(route -> leave(route.from(), leaving));
    blueprint
        .joins()
        .forEach(join -> join.sources().names().forEach(source -> leave(source, leaving)));
    blueprint.asides().forEach(aside -> leave(aside.from(), leaving));
    blueprint.drafts().stream()
        .filter(draft -> draft.mayGoTo().filter(to -> !to.names().isEmpty()).isPresent())
        .forEach(draft -> leave(draft.name(), leaving));
    for (NodeDraft node : blueprint.nodes()) {
      if (!leaving.contains(node.name())) {
        problem(
            "SG-107",
            "Node '" + node.name() + "' has no outgoing edge, route, join or mayGoTo.",
            node.call("node"),
            "Add edge(" + Call.name(node.name()) + ", END), or an edge to another node.");
      }
    }
  }

  private void leave(String name, Set<String> leaving) {
    ways.meant(name).ifPresent(leaving::add);
  }

  private void joinsCanFire() {
    if (!hasStart) {
      return;
    }
    Choices choices = new Choices(ways);
    boolean[] reached = new Reachability(ways).whenJoinsNeedAll();
    for (JoinWay join : ways.joins()) {
      List<String> missing = join.sources().stream()
          .filter(source -> !reached[source])
          .map(names::get)
          .toList();
      if (!missing.isEmpty()) {
        problem(
            "SG-108",
            "The join can never fire: its sources " + missing + " cannot complete before it.",
            join.said().call(),
            "Connect START to " + missing + " on a path without this join, or join other nodes.");
      } else {
        sourcesAreNotAlternatives(join, choices);
      }
    }
  }

  private void sourcesAreNotAlternatives(JoinWay join, Choices choices) {
    choices
        .contradiction(join.sources())
        .ifPresent(router -> problem(
            "SG-108",
            "The join can never fire: the route of " + Call.name(name(router))
                + " chooses between its sources.",
            join.said().call(),
            "Replace the join with an edge from each source, or choose several targets with"
                + " routeAll(...)."));
  }

  private String name(int node) {
    return node == ways.start() ? Graph.START : names.get(node);
  }

  private void limitsLeadOut() {
    Map<String, String> exits = exits();
    Set<String> circling = circling(exits);
    for (NodeDraft node : blueprint.nodes()) {
      node.limit().ifPresent(limit -> {
        if (limit.most() < 1) {
          problem(
              "SG-114",
              "Node '" + node.name() + "' is limited to " + limit.most()
                  + " visits, so it can never run.",
              node.call("maxVisits"),
              "Allow at least one visit.");
        }
        if (circling.contains(node.name())) {
          problem(
              "SG-114",
              "The exits of maxVisits form a cycle through node '" + node.name() + "'.",
              node.call("maxVisits"),
              "Name an exit node without maxVisits, or END.");
        }
      });
    }
  }

  /** Returns the nodes that are on a cycle of exits. */
  private static Set<String> circling(Map<String, String> exits) {
    Set<String> circling = new HashSet<>();
    Set<String> done = new HashSet<>();
    for (String first : exits.keySet()) {
      Set<String> path = new LinkedHashSet<>();
      String next = first;
      while (next != null && !done.contains(next) && path.add(next)) {
        next = exits.get(next);
      }
      done.addAll(path);
      while (next != null && path.contains(next) && circling.add(next)) {
        next = exits.get(next);
      }
    }
    return circling;
  }

  private Map<String, String> exits() {
    Map<String, String> exits = new LinkedHashMap<>();
    blueprint
        .nodes()
        .forEach(node -> node.limit().ifPresent(limit -> exits.put(node.name(), limit.exit())));
    return exits;
  }

  private void sendsAreNotDeferred() {
    Set<String> deferred = new HashSet<>();
    blueprint.nodes().stream()
        .filter(NodeDraft::isDeferred)
        .forEach(node -> deferred.add(node.name()));
    for (RouteEdge route : blueprint.routes()) {
      for (String target : route.route().targets()) {
        if (route.route().kind() == Route.Kind.SENDS && deferred.contains(target)) {
          problem(
              "SG-115",
              "The route sends tasks to node '" + target
                  + "', which is deferred and runs as a single task.",
              route.call(),
              "Remove defer(" + Call.name(target) + "), or send to the nodes before it.");
        }
      }
    }
  }

  private void writtenChannelsExist(StateSchema schema) {
    for (NodeDraft node : blueprint.nodes()) {
      for (Channel<?> channel : node.writes().orElse(List.of())) {
        if (!schema.has(channel.name())) {
          problem(
              "SG-118",
              "Channel '" + channel.name() + "' does not exist.",
              node.call("writes"),
              DidYouMean.among(names(schema), channel.name())
                  .map(meant -> "Did you mean '" + meant + "'?")
                  .orElse("Add it to channels(...)."));
        } else if (!schema.channel(channel.name()).equals(channel)) {
          problem(
              "SG-118",
              "Channel '" + channel.name() + "' has type "
                  + schema.channel(channel.name()).type() + ", but writes(...) names it with type "
                  + channel.type() + ".",
              node.call("writes"),
              "Use the Channel constant with which the channel was declared.");
        } else if (schema.channel(channel.name()).lifetime() == Channel.Lifetime.ARGUMENT) {
          problem(
              "SG-118",
              "Channel '" + channel.name() + "' is an argument channel, which nodes cannot write.",
              node.call("writes"),
              "Remove the channel from writes(...); sends carry arguments.");
        }
      }
    }
  }

  private static List<String> names(StateSchema schema) {
    return schema.channels().stream().map(Channel::name).toList();
  }

  private void nobodyWritesBesideAnother(StateSchema schema) {
    Companions companions = new Companions(ways, blueprint);
    Map<String, Map<Companions.Place, List<NodeDraft>>> writers = new LinkedHashMap<>();
    for (NodeDraft node : blueprint.nodes()) {
      Set<String> written = new LinkedHashSet<>();
      node.writes().ifPresent(said -> said.forEach(channel -> written.add(channel.name())));
      for (String channel : written) {
        if (schema.has(channel) && !schema.channel(channel).takesSeveralWriters()) {
          writers
              .computeIfAbsent(channel, name -> new LinkedHashMap<>())
              .computeIfAbsent(companions.placeOf(node.name()), place -> new ArrayList<>())
              .add(node);
        }
      }
    }
    writers.forEach((channel, places) -> places.values().stream()
        .filter(nodes -> nodes.size() > 1)
        .forEach(nodes -> problem(
            "SG-112",
            "Nodes " + nodes.stream().map(NodeDraft::name).toList()
                + " run in the same step and all write channel '" + channel
                + "', which has no reducer.",
            nodes.get(nodes.size() - 1).call("writes"),
            "Give the channel a reducer, or declare it lastWins() to keep the last write in plan"
                + " order.")));
  }

  private void policiesMakeSense() {
    NodePolicy defaults = blueprint.defaults();
    PolicyCheck.complaints(defaults, orRetriedSomewhere(defaults))
        .forEach(complaint -> contradiction(complaint, "defaults(...)"));
    for (NodeDraft node : blueprint.nodes()) {
      node.policy().ifPresent(policy -> {
        PolicyCheck.complaints(policy, policy.or(defaults))
            .forEach(complaint -> contradiction(complaint, node.call("policy")));
        node.body()
            .ifPresent(body -> PolicyCheck.complaints(policy, body)
                .forEach(complaint -> contradiction(complaint, node.call("policy"))));
      });
    }
  }

  /** Returns the defaults, with retries if the policy of any node retries. */
  private NodePolicy orRetriedSomewhere(NodePolicy defaults) {
    return blueprint.nodes().stream()
        .flatMap(node -> node.policy().stream())
        .filter(PolicyCheck::retries)
        .findFirst()
        .map(policy -> NodePolicy.retry(2).or(defaults))
        .orElse(defaults);
  }

  private void contradiction(PolicyCheck.Complaint complaint, String call) {
    problem("SG-113", complaint.what(), call, complaint.fix());
  }

  private void subgraphsFit(StateSchema schema) {
    for (NodeDraft node : blueprint.nodes()) {
      node.body()
          .filter(NodeBody.Nested.class::isInstance)
          .map(body -> ((NodeBody.Nested) body).subgraph())
          .filter(subgraph -> !subgraph.isMapped())
          .ifPresent(subgraph -> subgraphFits(node, subgraph, schema));
    }
  }

  private void subgraphFits(NodeDraft node, Subgraph subgraph, StateSchema schema) {
    List<Channel<?>> shared = subgraph.sharedWith(schema);
    List<Channel<?>> arguments = subgraph.argumentsFrom(schema);
    if (shared.isEmpty()
        && arguments.isEmpty()
        && !subgraph.graph().schema().channels().isEmpty()) {
      problem(
          "SG-116",
          "Subgraph '" + subgraph.graph().name() + "' shares no channel with this graph.",
          node.call("node"),
          "Declare a channel in both graphs, or map input and output with subgraph(name, graph,"
              + " into, outOf).");
    }
    Stream.concat(shared.stream(), arguments.stream()).forEach(inner -> {
      Channel<?> outer = schema.channel(inner.name());
      if (!outer.equals(inner) || !outer.foldsLike(inner)) {
        problem(
            "SG-111",
            "Channel '" + inner.name() + "' has another type, reducer or lifetime in subgraph '"
                + subgraph.graph().name() + "' than in this graph.",
            node.call("node"),
            "Use the same Channel constant in both graphs, rename one of the two, or map input and"
                + " output with subgraph(name, graph, into, outOf).");
      }
    });
  }

  private void problem(String code, String what, String where, String fix) {
    problems.add(new Problem(code, what, where, fix));
  }
}
