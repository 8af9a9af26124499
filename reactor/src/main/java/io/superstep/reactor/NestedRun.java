package io.superstep.reactor;

import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Said;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.Subgraph;
import io.superstep.memory.MemoryWrite;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.NodeOutput;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.Outcome;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.Superstep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
  private final int attempt;
  private final State outer;
  private final Set<String> shared = new LinkedHashSet<>();
  private final List<Command> said = new ArrayList<>();
  private Command lastSaid = Command.of(Update.NOTHING);
  private @Nullable Position last;
  private @Nullable Ending ending;

  /** Whether a step was taken, now or in an earlier run. */
  private boolean hasMoved;

  NestedRun(Run around, Subgraph subgraph, Task task, int attempt, State outer) {
    this.around = around;
    this.subgraph = subgraph;
    this.task = task;
    this.attempt = attempt;
    this.outer = outer;
    if (!subgraph.isMapped()) {
      subgraph.sharedWith(around.graph().schema()).stream().map(Channel::name).forEach(shared::add);
    }
  }

  /** @param memory what is known of this attempt from earlier runs */
  Flux<GraphEvent> events(Memory memory) {
    List<TaskNote.Advanced> before = memory.steps();
    Journal journal = around.journal();
    return new RunFlux(new Run(
        subgraph.graph(),
        path(),
        new Opening(
            () -> opened(before.isEmpty() ? begun() : recalled(memory)),
            !before.isEmpty(),
            List.of(),
            0),
        around.environment(),
        this,
        journal == null ? null : journal.inside(this, task, attempt)));
  }

  /** The names of the nodes that lead here, each followed by a slash. */
  String path() {
    return around.path() + task.node() + "/";
  }

  private Position opened(Position position) {
    last = position;
    return position;
  }

  private Position recalled(Memory memory) {
    List<TaskNote.Advanced> before = memory.steps();
    before.forEach(step -> said.add(Journal.command(step.said())));
    Position position = before.get(before.size() - 1).position();
    hasMoved = true;
    Position adopted = position.with(subgraph.graph().schema().adopt(position.state()));
    return memory.isLifted() ? adopted.resumed() : adopted;
  }

  private Position begun() {
    Graph graph = subgraph.graph();
    State start = subgraph.isMapped() ? graph.schema().start() : sharing(graph);
    Update input = subgraph.isMapped() ? subgraph.into().map(outer) : Update.NOTHING;
    return Superstep.open(graph, task.id(), start, input).position();
  }

  /** What the inner graph starts with, holding what the shared channels hold around it. */
  private State sharing(Graph graph) {
    Map<String, Object> values = new LinkedHashMap<>();
    Map<String, Integer> versions = new LinkedHashMap<>();
    for (String name : shared) {
      Object value = outer.get(name);
      if (value != null) {
        values.put(name, value);
      }
      versions.put(name, outer.version(outer.schema().channel(name)));
    }
    return graph.schema().restore(values, versions, Map.of());
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
    List<Update> up = new ArrayList<>(outcomes.size());
    List<MemoryWrite> memories = new ArrayList<>(0);
    for (Outcome outcome : outcomes) {
      Command said = ((Outcome.Completed) outcome).said();
      up.add(said.update().only(shared));
      memories.addAll(said.memories());
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
            task, attempt, new Changes(Map.of()), end, Said.of(Update.NOTHING)));
  }

  /** What the node says, now that its graph has nothing more to do. */
  NodeOutput result() {
    Command all = Command.all(said);
    return subgraph.isMapped()
        ? all.with(subgraph.outOf().map(Objects.requireNonNull(last).state()))
        : all;
  }
}
