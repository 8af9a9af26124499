package io.superstep.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.graph.Graph;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import io.superstep.step.StepResult.Committed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Walks a graph step by step with outcomes that a test makes up; no node is ever run. */
final class Walk {

  private final Graph graph;
  private final List<List<String>> steps = new ArrayList<>();
  private Committed last;
  private Budget budget = Budget.DEFAULT;

  private Walk(Graph graph, Committed last) {
    this.graph = graph;
    this.last = last;
  }

  static Walk open(Graph graph) {
    return open(graph, Update.NOTHING);
  }

  static Walk open(Graph graph, Update input) {
    return new Walk(graph, Superstep.open(graph, "thread-1@1-1", graph.schema().start(), input));
  }

  static Walk from(Graph graph, Position position) {
    Walk walk = open(graph);
    return walk.at(position);
  }

  Walk at(Position position) {
    last = new Committed(position, last.changes());
    return this;
  }

  Walk with(Budget other) {
    budget = other;
    return this;
  }

  /** How far it may still go. */
  Budget budget() {
    return budget;
  }

  /** One step in which every task says nothing. */
  Walk step() {
    return step(Map.of());
  }

  /** One step in which the tasks of {@code node} say {@code output} and all others nothing. */
  Walk step(String node, NodeOutput output) {
    return step(Map.of(node, output));
  }

  Walk step(Map<String, ? extends NodeOutput> outputs) {
    assertThat(nodes()).as("nodes due").containsAll(outputs.keySet());
    return stepBy(task -> {
      NodeOutput output = outputs.get(task.node());
      return output == null ? Update.NOTHING : output;
    });
  }

  Walk stepBy(Function<Task, NodeOutput> said) {
    List<Task> tasks = tasks();
    steps.add(tasks.stream().map(Task::node).toList());
    List<Outcome> outcomes = new ArrayList<>();
    tasks.forEach(task -> outcomes.add(Outcome.completed(task, said.apply(task))));
    last = (Committed) Superstep.commit(graph, position(), outcomes);
    budget = budget.afterStep(last.startedOver());
    return this;
  }

  /** Steps that say nothing, until nothing is left to do. */
  Walk toTheEnd() {
    while (!position().isFinished()) {
      step();
    }
    return this;
  }

  List<Task> tasks() {
    List<Task> plan = Superstep.plan(position());
    if (!plan.isEmpty()) {
      budget.requireMore(position().step());
    }
    return plan;
  }

  /** The nodes of the tasks that are due, in plan order. */
  List<String> nodes() {
    return tasks().stream().map(Task::node).toList();
  }

  /** The nodes of each step so far. */
  List<List<String>> steps() {
    return steps;
  }

  Position position() {
    return last.position();
  }

  Committed last() {
    return last;
  }
}
