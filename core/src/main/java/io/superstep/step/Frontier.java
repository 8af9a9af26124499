package io.superstep.step;

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
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private NodeSet due = NodeSet.NONE;
  private List<Due> sends = List.of();
  private NodeSet deferred = NodeSet.NONE;
  private NodeSet deferredBefore = NodeSet.NONE;

  /** The first node that was left, and the others; most steps leave one, which needs no set. */
  private @Nullable Node firstLeft;

  private NodeSet left = NodeSet.NONE;
  private NodeSet pausedBeforeSend = NodeSet.NONE;
  private NodeSet pausedAfter = NodeSet.NONE;
  private final Map<String, Set<String>> arrivalsBefore;
  private final Map<String, Integer> visitsBefore;
  private @Nullable Arrivals arrivals;
  private @Nullable Visits visits;

  /** The loops that the run goes round once more, some perhaps more than once. */
  private List<String> startedOver = List.of();

  private List<Command> toParent = List.of();

  private Frontier(
      Graph graph, State state, Map<String, Set<String>> arrivals, Map<String, Integer> visits) {
    this.graph = graph;
    this.state = state;
    this.arrivalsBefore = arrivals;
    this.visitsBefore = visits;
  }

  /** At the beginning of a turn, where joins are empty and nobody has been visited. */
  static Frontier ofTurn(Graph graph, State state) {
    return new Frontier(graph, state, Map.of(), Map.of());
  }

  /** After a step that began at {@code position} and led to {@code state}. */
  static Frontier after(Graph graph, Position position, State state) {
    Frontier frontier = new Frontier(graph, state, position.arrivals(), position.visits());
    if (!position.due().isEmpty()) {
      frontier.keepDeferred(position);
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
    undone.forEach(due -> frontier.visits().forget(due.node()));
    frontier.keepDeferred(position);
    frontier.deferredBefore.remove(node);
    frontier.take(node, graph.exits(node));
    return frontier;
  }

  private void keepDeferred(Position position) {
    for (int index = 0; index < position.deferred().size(); index++) {
      deferredBefore = deferredBefore.with(graph.node(position.deferred().get(index)));
    }
  }

  /** Takes the ways out of the start. */
  void enter() {
    take(null, graph.entry());
  }

  /** Goes where a task said, or where its node leads. */
  void follow(Completed done) {
    Node node = graph.node(done.task().node());
    Command said = done.said();
    if (node.isPausedAfter()) {
      pausedAfter = pausedAfter.with(node);
    }
    if (said.parent()) {
      toParent = added(toParent, said);
      return;
    }
    for (int send = 0; send < said.sends().size(); send++) {
      send(node, said.sends().get(send));
    }
    if (said.goTo().isEmpty()) {
      leave(node, said.sends().isEmpty());
    } else {
      said.goTo().forEach(target -> goTo(node, target));
    }
  }

  /** Takes the ways out of {@code node}, once however many of its tasks completed in the step. */
  private void leave(Node node, boolean mustLead) {
    Exits exits = graph.exits(node);
    if (mustLead && exits.isEmpty()) {
      throw InvalidRouteException.nowhere(node.name(), node.mayGoTo());
    }
    if (isLeftNow(node)) {
      take(node, exits);
    }
  }

  private boolean isLeftNow(Node node) {
    if (firstLeft == null) {
      firstLeft = node;
      return true;
    }
    if (node == firstLeft || left.contains(node)) {
      return false;
    }
    left = left.with(node);
    return true;
  }

  private void take(@Nullable Node from, Exits exits) {
    for (int edge = 0; edge < exits.edges().size(); edge++) {
      trigger(from, exits.edges().get(edge));
    }
    for (int join = 0; join < exits.joins().size() && from != null; join++) {
      arrive(from, exits.joins().get(join));
    }
    if (exits.route() != null) {
      choose(from, exits.route());
    }
  }

  private void arrive(Node source, Join join) {
    arrivals = arrivals == null ? new Arrivals(graph, arrivalsBefore) : arrivals;
    NodeSet sources = arrivals.filledBy(source, join);
    for (int place = 0; place < sources.size(); place++) {
      trigger(sources.get(place), join.target());
    }
  }

  private void choose(@Nullable Node from, Route route) {
    Route.Choice choice;
    try {
      choice = route.choose(state);
    } catch (Throwable failure) {
      throw InvalidRouteException.failed(name(from), failure);
    }
    for (int index = 0; index < choice.names().size(); index++) {
      String target = choice.names().get(index);
      requireDeclared(from, target, route);
      if (target != null && !target.equals(Graph.END)) {
        trigger(from, graph.node(target));
      }
    }
    for (int index = 0; index < choice.sends().size(); index++) {
      Send send = choice.sends().get(index);
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
    if (countVisit(target)) {
      sends = added(sends, new Due(target.name(), send.arguments()));
      if (target.isPausedBefore()) {
        pausedBeforeSend = pausedBeforeSend.with(target);
      }
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
    if (!(target.isDeferred() ? deferred : due).contains(target)) {
      if (!countVisit(target)) {
        return false;
      }
      if (target.isDeferred()) {
        deferred = deferred.with(target);
      } else {
        due = due.with(target);
      }
    }
    noteLoop(from, target);
    return true;
  }

  /** Counts a visit of {@code node}, if it may have one more; says whether it may. */
  private boolean countVisit(Node node) {
    VisitLimit limit = node.limit().orElse(null);
    return limit == null || visits().count(node, limit);
  }

  private Visits visits() {
    visits = visits == null ? new Visits(visitsBefore) : visits;
    return visits;
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
    String loop = from == null ? null : graph.loopStartedOver(from, to).orElse(null);
    if (loop == null) {
      return;
    }
    int known = startedOver.size();
    if (known == 0) {
      startedOver = List.of(loop); // as in most steps
    } else if (!loop.equals(startedOver.get(known - 1))) {
      startedOver = known == 1 ? new ArrayList<>(startedOver) : startedOver;
      startedOver.add(loop);
    }
  }

  /** Where the run stands now. */
  StepResult.Committed committed(String origin, int step, Transition transition) {
    boolean here = toParent.isEmpty();
    List<Due> next = here ? inPlanOrder() : List.of();
    List<String> later = here ? names(deferred()) : List.of();
    Position position = new Position(
        origin,
        step,
        state,
        next,
        later,
        arrivals == null ? arrivalsBefore : arrivals.asMap(),
        visits == null ? visitsBefore : visits.asMap(),
        pause(here));
    return new StepResult.Committed(
        position,
        transition.changes(),
        transition.handedBack(),
        startedOver,
        dropped(),
        directions());
  }

  private List<Due> inPlanOrder() {
    if (due.size() == 1 && sends.isEmpty()) { // as in most steps
      return List.of(Due.by(due.get(0).name()));
    }
    Due[] all = new Due[due.size() + sends.size()];
    for (int place = 0; place < due.size(); place++) {
      all[place] = Due.by(due.get(place).name());
    }
    for (int send = 0; send < sends.size(); send++) {
      all[due.size() + send] = sends.get(send);
    }
    return List.of(all);
  }

  private NodeSet deferred() {
    for (int place = 0; place < deferredBefore.size(); place++) {
      deferred = deferred.with(deferredBefore.get(place));
    }
    return deferred;
  }

  private Pause pause(boolean goesOn) {
    return Pause.of(goesOn ? pausedBefore() : List.of(), names(pausedAfter));
  }

  private List<String> pausedBefore() {
    NodeSet paused = pausedBeforeSend;
    NodeSet ready = due.isEmpty() && sends.isEmpty() ? deferred() : due;
    for (int place = 0; place < ready.size(); place++) {
      if (ready.get(place).isPausedBefore()) {
        paused = paused.with(ready.get(place));
      }
    }
    return names(paused);
  }

  /** What would be due, had nobody ended this graph to go on in the one around it. */
  private List<Due> dropped() {
    if (toParent.isEmpty()) {
      return List.of();
    }
    List<Due> all = new ArrayList<>(inPlanOrder());
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

  /** The list to go on with; most steps need none. */
  private static <T> List<T> added(List<T> list, T more) {
    List<T> longer = list.isEmpty() ? new ArrayList<>() : list;
    longer.add(more);
    return longer;
  }

  private static List<String> names(NodeSet nodes) {
    if (nodes.isEmpty()) {
      return List.of();
    }
    String[] names = new String[nodes.size()];
    for (int place = 0; place < names.length; place++) {
      names[place] = nodes.get(place).name();
    }
    return List.of(names);
  }
}
