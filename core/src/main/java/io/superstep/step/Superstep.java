package io.superstep.step;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.UnfilledJoin;
import io.superstep.error.Problem;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.Join;
import io.superstep.graph.Node;
import io.superstep.graph.Send;
import io.superstep.state.Changes;
import io.superstep.state.Contribution;
import io.superstep.state.State;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import io.superstep.step.Outcome.Completed;
import io.superstep.step.Outcome.Failed;
import io.superstep.step.Outcome.Interrupted;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.StepResult.Waiting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The two pure halves of a step, and how a line of steps begins and is changed from outside.
 *
 * <pre>
 * open ──► position ──► plan ──► tasks ┄┄ (somebody runs them) ┄┄► outcomes ──► commit ──► position
 * </pre>
 *
 * Nothing here runs a node, waits, or remembers: the same arguments give the same result, in a
 * test, in a replay and after a crash. Where something is refused a typed error is thrown, and as
 * nothing here can change, the position stands as it was.
 */
public final class Superstep {

  private Superstep() {}

  /**
   * Begins a turn: folds {@code input} into {@code state} and finds what is due first.
   *
   * @param origin what makes the ids of the tasks unique: the thread, and where in it this begins
   * @throws io.superstep.state.InvalidUpdateException if the input is refused
   * @throws InvalidRouteException if the route of the start is
   */
  public static Committed open(Graph graph, String origin, State state, Update input) {
    Update accepted = withIds(graph.schema().accept(input), origin, 0, "input");
    Transition transition = state.fold(new Contribution("input", accepted));
    Frontier frontier = Frontier.ofTurn(graph, transition.state());
    frontier.enter();
    return frontier.committed(origin, 0, transition);
  }

  /**
   * Begins a turn of a subgraph at {@code state}, which it shares with the graph around it. Nothing
   * is folded: channels that live for one step keep their values, as a plain node would see them.
   *
   * @throws io.superstep.state.InvalidUpdateException if the schema of the subgraph refuses the
   *     state
   * @throws InvalidRouteException if the route of the start is refused
   */
  static Committed enter(Graph graph, String origin, State state) {
    Transition transition = state.amend(new Contribution("input", Update.NOTHING));
    Frontier frontier = Frontier.ofTurn(graph, transition.state());
    frontier.enter();
    return frontier.committed(origin, 0, transition);
  }

  /**
   * The tasks that are due, in the order in which their outcomes will be folded; none if the run is
   * finished, or paused until it is resumed.
   */
  public static List<Task> plan(Position position) {
    return tasks(position, position.startable());
  }

  /** The tasks that are due, whether or not the run may go on, in the order of {@link #plan}. */
  public static List<Task> tasks(Position position) {
    return tasks(position, position.ready());
  }

  private static List<Task> tasks(Position position, List<Due> ready) {
    if (ready.size() == 1) { // as in most steps
      return List.of(task(position, 0, ready.get(0)));
    }
    Task[] tasks = new Task[ready.size()];
    for (int index = 0; index < tasks.length; index++) {
      tasks[index] = task(position, index, ready.get(index));
    }
    return List.of(tasks);
  }

  private static Task task(Position position, int index, Due due) {
    return new Task(position.origin(), position.step() + 1, index, due.node(), due.arguments());
  }

  /**
   * Ends a step: folds what its tasks said, in plan order, and finds what is due next.
   *
   * @param outcomes of all tasks of {@link #plan}, in any order
   * @throws NodeFailedException if a task failed
   * @throws io.superstep.state.InvalidUpdateException if an update is refused
   * @throws InvalidRouteException if a router or a command is
   */
  public static StepResult commit(
      Graph graph, Position position, List<? extends Outcome> outcomes) {
    List<? extends Outcome> ordered = InPlanOrder.of(position, outcomes);
    boolean waiting = false;
    for (int index = 0; index < ordered.size(); index++) {
      Outcome outcome = ordered.get(index);
      if (outcome instanceof Failed failed) {
        throw new NodeFailedException(failed);
      }
      waiting |= outcome instanceof Interrupted;
    }
    return waiting ? waiting(ordered) : committed(graph, position, ordered);
  }

  private static Waiting waiting(List<? extends Outcome> outcomes) {
    List<Interrupted> questions = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Interrupted asking) {
        questions.add(asking);
      }
    }
    return new Waiting(questions);
  }

  /** @param outcomes all of them completed */
  private static Committed committed(
      Graph graph, Position position, List<? extends Outcome> outcomes) {
    Transition transition = folded(graph, position, outcomes);
    Frontier frontier = Frontier.after(graph, position, transition.state());
    for (int index = 0; index < outcomes.size(); index++) {
      frontier.follow((Completed) outcomes.get(index));
    }
    return frontier.committed(position.origin(), position.step() + 1, transition);
  }

  private static Transition folded(
      Graph graph, Position position, List<? extends Outcome> outcomes) {
    if (outcomes.size() == 1) { // as in most steps
      return position.state().fold(contribution(graph, position, (Completed) outcomes.get(0)));
    }
    List<Contribution> contributions = new ArrayList<>(outcomes.size());
    for (Outcome outcome : outcomes) {
      contributions.add(contribution(graph, position, (Completed) outcome));
    }
    return position.state().fold(contributions);
  }

  private static Contribution contribution(Graph graph, Position position, Completed done) {
    Node node = graph.find(done.task().node()).orElse(null);
    if (node == null) {
      throw new GraphChangedException(graph.name(), Fit.problems(graph, position));
    }
    Update update = done.said().update();
    node.writes().ifPresent(declared -> update.requireOnly(declared, node.name()));
    return new Contribution(node.name(), update);
  }

  /**
   * Changes the state from outside, as a step of its own that runs nothing. What is due stays due,
   * and sees what the step before left for it.
   */
  public static Committed update(Position position, Contribution change) {
    return amended(position, position.state().amend(withIds(change, position)));
  }

  /**
   * Makes changes from outside, as {@link #update(Position, Contribution)} does with what somebody
   * wrote: what is due stays due.
   *
   * @param author who makes them
   */
  public static Committed update(Position position, Changes changes, String author) {
    return amended(position, position.state().amend(changes, author));
  }

  /**
   * Applies a change from outside to the subgraphs that have begun, so that their nodes see what
   * the state around them shows: a subgraph that shares channels gets the change of those. For a
   * mapped subgraph, the change may not alter what was mapped into it.
   *
   * @param before where the change was made
   * @param after where {@link #update(Position, Contribution)} has led
   * @param notes about the tasks of {@code after} and those inside them
   * @return the notes to store with {@code after}
   * @throws SubgraphUpdateException if it cannot be applied
   */
  public static List<TaskNote> updateInside(
      Graph graph, Position before, Position after, Contribution change, List<TaskNote> notes) {
    if (notes.isEmpty()) {
      return notes;
    }
    Update update = withIds(change, before).update();
    Set<String> channels = new LinkedHashSet<>();
    update.writes().forEach(write -> channels.add(write.channel()));
    return new SubgraphUpdate(change.writer(), update, channels, notes)
        .applied(graph, before, after);
  }

  /**
   * Applies changes of another branch to the subgraphs that have begun, as
   * {@link #updateInside(Graph, Position, Position, Contribution, List)} does with an update. Their
   * effects belong to the state around, so changes of shared channels are refused.
   *
   * @throws SubgraphUpdateException if they cannot be applied
   */
  public static List<TaskNote> updateInside(
      Graph graph, Position before, Position after, Changes changes, List<TaskNote> notes) {
    return notes.isEmpty()
        ? notes
        : new SubgraphUpdate("merge", null, changes.effects().keySet(), notes)
            .applied(graph, before, after);
  }

  private static Committed amended(Position position, Transition transition) {
    return new Committed(
        new Position(
            position.origin(),
            position.step() + 1,
            transition.state(),
            position.due(),
            position.deferred(),
            position.arrivals(),
            position.visits(),
            position.pause()),
        transition.changes(),
        transition.handedBack(),
        List.of(),
        List.of(),
        null);
  }

  /** A line of steps that holds {@code state}, and in which nothing is due. */
  public static Committed idle(String origin, State state) {
    Position position =
        new Position(origin, 0, state, List.of(), List.of(), Map.of(), Map.of(), Pause.NONE);
    return new Committed(position, new Changes(Map.of()));
  }

  /**
   * Begins another line of steps where {@code position} stands: with its very state, which is told
   * as changes from the start, and with what is due there.
   */
  public static Committed copy(Position position, String origin) {
    Changes whole = Changes.whole(position.state());
    return new Committed(position.under(origin), whole);
  }

  /**
   * Changes the state from outside as if {@code node} had just said {@code change}: its edges,
   * joins and routes decide what is due, in place of what was, which is reported; deferred nodes go
   * on waiting. A send is a task of its own: one that was due is reported even if the node sends
   * the same again.
   */
  public static Committed updateAs(
      Graph graph, Position position, String node, Contribution change) {
    Node acting =
        graph.find(node).orElseThrow(() -> InvalidRouteException.unknownNode(node, graph.names()));
    Transition transition = position.state().fold(withIds(change, position));
    List<Due> dropped = new ArrayList<>(position.due());
    dropped.remove(Due.by(node));
    Committed committed = Frontier.actingAs(acting, graph, position, dropped, transition.state())
        .committed(position.origin(), position.step() + 1, transition);
    Set<String> dueAgain = new HashSet<>();
    committed.position().due().stream()
        .filter(due -> !due.isSend())
        .forEach(due -> dueAgain.add(due.node()));
    dropped.removeIf(due -> !due.isSend() && dueAgain.contains(due.node()));
    return new Committed(
        committed.position(),
        committed.changes(),
        committed.handedBack(),
        List.of(),
        dropped,
        null);
  }

  /**
   * Checks the directions of a command to the parent graph when a node of the subgraph emits it.
   *
   * @param emitter the node that emitted it
   * @param subgraph the node of {@code parent} whose body is the graph of {@code emitter}
   * @throws InvalidRouteException if {@code subgraph} was not declared to lead to a target
   * @throws io.superstep.state.InvalidUpdateException if the arguments of a send are refused
   */
  public static void requireFollowable(
      Command command, String emitter, Graph parent, Node subgraph) {
    for (String target : command.goTo()) {
      requireDeclared(target, emitter, subgraph);
    }
    for (Send send : command.sends()) {
      requireDeclared(send.node(), emitter, subgraph);
      if (send.node().equals(Graph.END)) {
        throw InvalidRouteException.undeclaredInParent(
            emitter, send.node(), subgraph.name(), parent.names());
      }
      if (parent.node(send.node()).isDeferred()) {
        throw InvalidRouteException.deferredSend(emitter, send.node(), subgraph.name());
      }
      parent.schema().checkArguments(send.arguments(), emitter);
    }
  }

  private static void requireDeclared(String target, String emitter, Node subgraph) {
    if (!subgraph.mayGoTo().contains(target)) {
      throw InvalidRouteException.undeclaredInParent(
          emitter, target, subgraph.name(), subgraph.mayGoTo());
    }
  }

  private static Contribution withIds(Contribution change, Position position) {
    return new Contribution(
        change.writer(),
        withIds(change.update(), position.origin(), position.step() + 1, change.writer()));
  }

  /** The messages that come from outside get ids as those of tasks do. */
  private static Update withIds(Update update, String origin, int step, String writer) {
    return update.lacksMessageIds()
        ? update.withMessageIds(origin + "/" + step + "/" + writer)
        : update;
  }

  /** The joins that wait for some of their sources. At the end of a run they wait in vain. */
  public static List<UnfilledJoin> unfilledJoins(Graph graph, Position position) {
    List<UnfilledJoin> unfilled = new ArrayList<>(0);
    for (Join join : position.arrivals().isEmpty() ? List.<Join>of() : graph.joins()) {
      Set<String> arrived = position.arrivals().getOrDefault(join.key(), Set.of());
      if (!arrived.isEmpty()) {
        unfilled.add(new UnfilledJoin(
            join.target().name(),
            join.sources().stream().filter(arrived::contains).toList(),
            join.sources().stream().filter(source -> !arrived.contains(source)).toList()));
      }
    }
    return unfilled;
  }

  /**
   * Checks that a run that stands at {@code position}, perhaps left there by an older version of
   * the graph, can go on with this one.
   *
   * @throws GraphChangedException with all that is missing
   */
  public static void requireFits(Graph graph, Position position) {
    List<Problem> problems = Fit.problems(graph, position);
    if (!problems.isEmpty()) {
      throw new GraphChangedException(graph.name(), problems);
    }
  }
}
