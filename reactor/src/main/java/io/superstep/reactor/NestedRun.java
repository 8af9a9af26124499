package io.superstep.reactor;

import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Said;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Command;
import io.superstep.graph.Node;
import io.superstep.graph.Subgraph;
import io.superstep.memory.MemoryWrite;
import io.superstep.state.Changes;
import io.superstep.state.Contribution;
import io.superstep.state.NodeOutput;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.Outcome;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.SubgraphEntry;
import io.superstep.step.Superstep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A run of the graph that a node is, seen from the run around it: what goes in, and what comes out.
 *
 * <p>Of channels that both share, the updates flow up and never the values, so that a list which
 * was there before is not appended to itself.
 */
final class NestedRun {

  private final Run around;
  private final Subgraph subgraph;
  private final Task task;
  private final Execution execution;
  private final State outer;
  private final SubgraphEntry entry;
  private final List<Command> said = new ArrayList<>();
  private Command lastSaid = Command.of(Update.NOTHING);
  private @Nullable Position last;
  private @Nullable Ending ending;

  /** Whether a step was taken, now or in an earlier run. */
  private boolean hasMoved;

  NestedRun(Run around, Subgraph subgraph, Task task, Execution execution, State outer) {
    this.around = around;
    this.subgraph = subgraph;
    this.task = task;
    this.execution = execution;
    this.outer = outer;
    this.entry = new SubgraphEntry(subgraph, around.graph().schema());
  }

  /** @param memory what is known of this attempt from earlier runs */
  Flux<GraphEvent> events(Memory memory) {
    List<TaskNote.Advanced> before = memory.steps();
    Journal journal = around.journal();
    return new RunFlux(new Run(
        subgraph.graph(),
        path(),
        new Opening(
            () -> opened(before.isEmpty() ? entry.begin(task.id(), outer) : recalled(memory)),
            !before.isEmpty(),
            List.of(),
            0,
            null,
            null),
        around.environment(),
        this,
        journal == null ? null : journal.inside(this, task, execution.attempt())));
  }

  /** The execution of a task inside that starts with its first attempt. */
  Execution execution() {
    return execution.nested(around.depth());
  }

  /** The names of the nodes that lead here, each followed by a slash. */
  String path() {
    return around.path() + task.node() + "/";
  }

  /** Checks the directions of a command that {@code emitter} addresses to the graph around. */
  void requireFollowable(Command command, Node emitter) {
    Superstep.requireFollowable(
        command, emitter.name(), around.graph(), around.graph().node(task.node()));
  }

  private Committed opened(Committed opened) {
    last = opened.position();
    return opened;
  }

  private Committed recalled(Memory memory) {
    List<TaskNote.Advanced> before = memory.steps();
    before.forEach(step -> said.add(Journal.command(step.said())));
    Position position = before.get(before.size() - 1).position();
    hasMoved = true;
    State state = subgraph.graph().schema().adopt(position.state());
    Position adopted = position.with(entry.withArguments(state, outer)); // stored with the task
    return Committed.unchanged(memory.isLifted() ? adopted.resumed() : adopted);
  }

  /** Takes notice of a step, which is written down next, or ends the run. */
  void committed(List<Outcome> outcomes, Committed committed) {
    lastSaid = saidIn(outcomes, committed);
    if (!lastSaid.update().isEmpty()
        || !lastSaid.memories().isEmpty()
        || committed.parentCommand() != null) {
      said.add(lastSaid);
    }
    hasMoved = true;
    last = committed.position();
  }

  /** What the node will say of the last step of its graph, once that has nothing more to do. */
  Command lastSaid() {
    return lastSaid;
  }

  void ended(Ending how) {
    ending = how;
  }

  private Command saidIn(List<? extends Outcome> outcomes, Committed committed) {
    List<Contribution> contributions = new ArrayList<>(outcomes.size());
    List<MemoryWrite> memories = new ArrayList<>(0);
    for (Outcome outcome : outcomes) {
      Command said = ((Outcome.Completed) outcome).said();
      contributions.add(
          new Contribution(outcome.task().node(), said.update().only(entry.shared())));
      memories.addAll(said.memories());
    }
    List<Update> up = new ArrayList<>(outcomes.size());
    for (Contribution folded : subgraph.graph().schema().inFoldOrder(contributions)) {
      up.add(folded.update());
    }
    Command directions = committed.toParent().orElse(Command.of(Update.NOTHING));
    return new Command(
        directions.update().and(Update.all(up)),
        directions.goTo(),
        directions.sends(),
        directions.parent(),
        memories);
  }

  /** Whether the graph has nothing more to do, and nobody has to look at it. */
  boolean isFinished() {
    return ending == Ending.COMPLETED;
  }

  /** Whether somebody has to look at the graph, or at one inside it. */
  boolean isPaused() {
    return ending == Ending.INTERRUPTED;
  }

  /** What has to be known of a graph that stops where it began, to go on from there. */
  List<TaskNote> unrecorded() {
    Position end = Objects.requireNonNull(last);
    return end.pause().isEmpty() || hasMoved
        ? List.of()
        : List.of(new TaskNote.Advanced(
            task, execution.attempt(), new Changes(Map.of()), end, Said.of(Update.NOTHING)));
  }

  /** What the node says, now that its graph has nothing more to do. */
  NodeOutput result() {
    Command all = Command.all(said);
    return subgraph.isMapped()
        ? all.with(subgraph.outOf().map(Objects.requireNonNull(last).state()))
        : all;
  }
}
