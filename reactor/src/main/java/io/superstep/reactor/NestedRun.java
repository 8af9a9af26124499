package io.superstep.reactor;

import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.Subgraph;
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
  private final State outer;
  private final Set<String> shared = new LinkedHashSet<>();
  private final List<Update> up = new ArrayList<>();
  private @Nullable Command directions;
  private @Nullable State last;

  NestedRun(Run around, Subgraph subgraph, Task task, State outer) {
    this.around = around;
    this.subgraph = subgraph;
    this.task = task;
    this.outer = outer;
    subgraph.sharedWith(around.graph().schema()).stream().map(Channel::name).forEach(shared::add);
  }

  Flux<GraphEvent> events() {
    return new RunFlux(new Run(
        subgraph.graph(),
        around.path() + task.node() + "/",
        this::open,
        false,
        around.environment(),
        this,
        null));
  }

  private Position open() {
    Graph graph = subgraph.graph();
    State start = subgraph.isMapped() ? graph.schema().start() : sharing(graph);
    Update input = subgraph.isMapped() ? subgraph.into().map(outer) : Update.NOTHING;
    Position position = Superstep.open(graph, task.id(), start, input)
        .position()
        .with(around.environment().budget());
    last = position.state();
    return position;
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

  void committed(List<Outcome> outcomes, Committed committed) {
    for (Outcome outcome : outcomes) {
      up.add(((Outcome.Completed) outcome).said().update().only(shared));
    }
    committed.toParent().ifPresent(command -> directions = command);
    last = committed.position().state();
  }

  /** What the node says, now that its graph has nothing more to do. */
  NodeOutput result() {
    Update update =
        subgraph.isMapped() ? subgraph.outOf().map(Objects.requireNonNull(last)) : Update.all(up);
    return directions == null ? update : directions.with(update);
  }
}
