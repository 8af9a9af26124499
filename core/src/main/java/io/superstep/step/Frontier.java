package io.superstep.step;

import io.superstep.checkpoint.Budget;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.graph.Command;
import io.superstep.graph.Exits;
import io.superstep.graph.Graph;
import io.superstep.graph.Join;
import io.superstep.graph.Node;
import io.superstep.graph.Route;
import io.superstep.graph.Send;
import io.superstep.graph.VisitLimit;
import io.superstep.state.State;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import io.superstep.step.Outcome.Completed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is due next, in the making: takes the ways out of what has completed, one after the other.
 *
 * <p>Whatever makes a node due comes down to {@link #trigger}, edges or not; it alone knows of
 * limits, deferred nodes and loops. Its cost depends on what is due and on what has been counted so
 * far (visits, joins that are partly filled), never on the rest of the graph.
 */
final class Frontier {

  private final Graph graph;
  private final State state;
  private final Set<Node> due = new LinkedHashSet<>();
  private final List<Due> sends = new ArrayList<>(0);
  private final Set<Node> deferred = new LinkedHashSet<>();
  private final Set<Node> deferredBefore = new LinkedHashSet<>();
  private final Set<Node> ran = new LinkedHashSet<>();
  private final Set<Node> left = new LinkedHashSet<>();
  private final Map<String, Set<String>> arrivals;
  private final Map<String, Set<String>> arriving = new HashMap<>();
  private final Set<String> fired = new HashSet<>();
  private final Map<String, Integer> visits;
  private final Set<String> startedOver = new LinkedHashSet<>();
  private final List<Command> toParent = new ArrayList<>(0);

  private Frontier(
      Graph graph, State state, Map<String, Set<String>> arrivals, Map<String, Integer> visits) {
    this.graph = graph;
    this.state = state;
    this.arrivals = new LinkedHashMap<>(arrivals);
    this.visits = new LinkedHashMap<>(visits);
  }

  /** At the beginning of a turn, where joins are empty and nobody has been visited. */
  static Frontier ofTurn(Graph graph, State state) {
    return new Frontier(graph, state, Map.of(), Map.of());
  }

  /** After a step that began at {@code position} and led to {@code state}. */
  static Frontier after(Graph graph, Position position, State state) {
    Frontier frontier = new Frontier(graph, state, position.arrivals(), position.visits());
    if (!position.due().isEmpty()) {
      position.deferred().forEach(node -> frontier.deferredBefore.add(graph.node(node)));
    }
    return frontier;
  }

  /**
   * Where somebody outside did the work of {@code node} while the run stood at {@code position}.
   *
   * @param undone what was due there and will not run, so that it was no visit either
   */
  static Frontier actingAs(
      Node node, Graph graph, Position position, List<Due> undone, State state) {
    Frontier frontier = new Frontier(graph, state, position.arrivals(), position.visits());
    undone.forEach(due -> frontier.forgetVisit(due.node()));
    position.deferred().forEach(waiting -> frontier.deferredBefore.add(graph.node(waiting)));
    frontier.deferredBefore.remove(node);
    frontier.take(node, graph.exits(node));
    return frontier;
  }

  private void forgetVisit(String node) {
    visits.computeIfPresent(node, (limited, before) -> before > 1 ? before - 1 : null);
  }

  /** Takes the ways out of the start. */
  void enter() {
    take(null, graph.entry());
  }

  /** Goes where {@code done} said, or where its node leads. */
  void follow(Completed done) {
    Node node = graph.node(done.task().node());
    Command said = done.said();
    ran.add(node);
    if (said.parent()) {
      toParent.add(said);
      return;
    }
    said.sends().forEach(send -> send(node, send));
    if (said.goTo().isEmpty()) {
      if (said.sends().isEmpty() && graph.exits(node).isEmpty()) {
        throw InvalidRouteException.nowhere(node.name(), node.mayGoTo());
      }
      leave(node);
    } else {
      said.goTo().forEach(target -> goTo(node, target));
    }
  }

  /** Takes the ways out of {@code node}, once however many of its tasks completed in the step. */
  private void leave(Node node) {
    if (left.add(node)) {
      take(node, graph.exits(node));
    }
  }

  private void take(@Nullable Node from, Exits exits) {
    exits.edges().forEach(target -> trigger(from, target));
    if (from != null) {
      exits.joins().forEach(join -> arrive(from, join));
    }
    if (exits.route() != null) {
      choose(from, exits.route());
    }
  }

  private void arrive(Node source, Join join) {
    if (fired.contains(join.key())) {
      return; // whoever completes in the step in which a join fires is part of that firing
    }
    Set<String> arrived = arriving.computeIfAbsent(
        join.key(), key -> new LinkedHashSet<>(arrivals.getOrDefault(key, Set.of())));
    arrived.add(source.name());
    if (arrived.size() >= join.sources().size() && arrived.containsAll(join.sources())) {
      fired.add(join.key());
      arriving.remove(join.key());
      arrivals.remove(join.key());
      join.sources().forEach(each -> trigger(graph.node(each), join.target()));
    } else {
      arrivals.put(join.key(), Collections.unmodifiableSet(arrived));
    }
  }

  private void choose(@Nullable Node from, Route route) {
    Route.Choice choice;
    try {
      choice = route.choose(state);
    } catch (Exception | StackOverflowError | AssertionError failure) {
      throw InvalidRouteException.failed(name(from), failure);
    }
    for (String target : choice.names()) {
      requireDeclared(from, target, route);
      if (target != null && !target.equals(Graph.END)) {
        trigger(from, graph.node(target));
      }
    }
    for (Send send : choice.sends()) {
      requireDeclared(from, send == null ? null : send.node(), route);
      if (send != null) {
        accept(from, send);
      }
    }
  }

  private static void requireDeclared(@Nullable Node from, @Nullable String target, Route route) {
    if (target == null || !route.targets().contains(target)) {
      throw InvalidRouteException.undeclared(name(from), target, route.targets());
    }
  }

  private static String name(@Nullable Node from) {
    return from == null ? "START" : from.name();
  }

  private void goTo(Node from, String target) {
    requireDeclared(from, target);
    if (!target.equals(Graph.END)) {
      trigger(from, graph.node(target));
    }
  }

  private void send(Node from, Send send) {
    requireDeclared(from, send.node());
    if (send.node().equals(Graph.END)) {
      throw InvalidRouteException.undeclaredCommand(from.name(), send.node(), graph.names());
    }
    if (graph.node(send.node()).isDeferred()) {
      throw InvalidRouteException.deferredSend(from.name(), send.node());
    }
    accept(from, send);
  }

  private static void requireDeclared(Node from, String target) {
    if (!from.mayGoTo().contains(target)) {
      throw InvalidRouteException.undeclaredCommand(from.name(), target, from.mayGoTo());
    }
  }

  private void accept(@Nullable Node from, Send send) {
    graph.schema().checkArguments(send.arguments(), name(from));
    Node target = graph.node(send.node());
    if (mayVisit(target)) {
      sends.add(new Due(target.name(), send.arguments()));
      noteLoop(from, target);
    } else {
      trigger(from, exit(target));
    }
  }

  /** Makes {@code target} due, or its exit if it was visited often enough. */
  private void trigger(@Nullable Node from, @Nullable Node target) {
    Node next = target;
    while (next != null && !makeDue(from, next)) {
      next = exit(next);
    }
  }

  /** Makes {@code target} due, once, unless it was visited often enough; says whether it is. */
  private boolean makeDue(@Nullable Node from, Node target) {
    if (deferredBefore.contains(target)) {
      return true;
    }
    Set<Node> waiting = target.isDeferred() ? deferred : due;
    if (!waiting.contains(target) && !mayVisit(target)) {
      return false;
    }
    waiting.add(target);
    noteLoop(from, target);
    return true;
  }

  /** Counts a visit of {@code target}, if it may have one more. */
  private boolean mayVisit(Node target) {
    Optional<VisitLimit> limit = target.limit();
    if (limit.isPresent()) {
      int before = visits.getOrDefault(target.name(), 0);
      if (before >= limit.get().most()) {
        return false;
      }
      visits.put(target.name(), before + 1);
    }
    return true;
  }

  /** Where to go in place of {@code visited}; null if that is the end. */
  private @Nullable Node exit(Node visited) {
    String exit = visited.limit().map(VisitLimit::exit).orElse(Graph.END);
    return exit.equals(Graph.END) ? null : graph.node(exit);
  }

  /**
   * Notes the loop that is gone round once more because {@code to} is due after {@code from}. What
   * lies between them, joins and exits, does not matter: in a loop that never ends such pairs come
   * for ever, and one of them leads back again and again.
   */
  private void noteLoop(@Nullable Node from, Node to) {
    if (from != null) {
      graph.loopStartedOver(from, to).ifPresent(startedOver::add);
    }
  }

  /** The loops that the run goes round once more. */
  Collection<String> loopsStartedOver() {
    return startedOver;
  }

  /** Where the run stands now. */
  StepResult.Committed committed(String origin, int step, Budget budget, Transition transition) {
    List<Due> next = toParent.isEmpty() ? inPlanOrder() : List.of();
    List<String> later = toParent.isEmpty() ? names(deferred()) : List.of();
    Position position =
        new Position(origin, step, state, next, later, arrivals, visits, pause(), budget);
    return new StepResult.Committed(
        position, transition.changes(), transition.handedBack(), dropped(), directions());
  }

  private List<Due> inPlanOrder() {
    List<Due> all = new ArrayList<>(due.size() + sends.size());
    names(due).forEach(node -> all.add(Due.by(node)));
    all.addAll(sends);
    return all;
  }

  private Set<Node> deferred() {
    if (deferredBefore.isEmpty()) {
      return deferred;
    }
    Set<Node> all = new LinkedHashSet<>(deferredBefore);
    all.addAll(deferred);
    return all;
  }

  private Pause pause() {
    return Pause.of(
        toParent.isEmpty() ? names(ready(), Node::isPausedBefore) : List.of(),
        names(ran, Node::isPausedAfter));
  }

  private Set<Node> ready() {
    if (sends.isEmpty()) {
      return due.isEmpty() ? deferred() : due;
    }
    Set<Node> all = new LinkedHashSet<>(due);
    sends.forEach(send -> all.add(graph.node(send.node())));
    return all;
  }

  /** What would be due, had nobody ended this graph to go on in the one around it. */
  private List<Due> dropped() {
    if (toParent.isEmpty()) {
      return List.of();
    }
    List<Due> all = inPlanOrder();
    names(deferred()).forEach(node -> all.add(Due.by(node)));
    return all;
  }

  /** What the tasks said to the graph around this one, as one. */
  private @Nullable Command directions() {
    if (toParent.isEmpty()) {
      return null;
    }
    Command all = Command.all(toParent);
    return new Command(Update.NOTHING, all.goTo(), all.sends(), false);
  }

  private static List<String> names(Set<Node> nodes) {
    return names(nodes, node -> true);
  }

  /** In the order of declaration. */
  private static List<String> names(Set<Node> nodes, Predicate<Node> which) {
    // loops and not streams: this is where a step of one node spent a quarter of its time
    List<Node> some = new ArrayList<>(nodes.size());
    for (Node node : nodes) {
      if (which.test(node)) {
        some.add(node);
      }
    }
    some.sort(Comparator.comparingInt(Node::ordinal));
    List<String> names = new ArrayList<>(some.size());
    some.forEach(node -> names.add(node.name()));
    return names;
  }
}
