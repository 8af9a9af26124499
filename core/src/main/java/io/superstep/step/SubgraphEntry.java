package io.superstep.step;

import io.superstep.graph.Graph;
import io.superstep.graph.Subgraph;
import io.superstep.state.Channel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import io.superstep.step.StepResult.Committed;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The passage from the state around a subgraph to the state inside. Immutable. */
public final class SubgraphEntry {

  private final Subgraph subgraph;
  private final StateSchema around;
  private final Set<String> shared;
  private final List<Channel<?>> arguments;

  /** @param around the schema of the graph that has the subgraph as a node */
  public SubgraphEntry(Subgraph subgraph, StateSchema around) {
    this.subgraph = subgraph;
    this.around = around;
    this.arguments = subgraph.argumentsFrom(around);
    Set<String> names = new LinkedHashSet<>();
    subgraph.sharedWith(around).forEach(channel -> names.add(channel.name()));
    this.shared = Collections.unmodifiableSet(names);
  }

  /** The names of the channels that both graphs share; none if the subgraph is mapped. */
  public Set<String> shared() {
    return shared;
  }

  /**
   * Begins a turn of the subgraph.
   *
   * @param origin the id of the task whose node the subgraph is
   * @param outer the state around, as that task sees it
   */
  public Committed begin(String origin, State outer) {
    Graph graph = subgraph.graph();
    return subgraph.isMapped()
        ? Superstep.open(graph, origin, graph.schema().start(), subgraph.into().map(outer))
        : Superstep.enter(graph, origin, sharing(outer));
  }

  /** What the inner graph starts with, holding what the shared channels hold around it. */
  private State sharing(State outer) {
    Map<String, Object> values = new LinkedHashMap<>();
    Map<String, Integer> versions = new LinkedHashMap<>();
    for (String name : shared) {
      Object value = outer.get(name);
      if (value != null) {
        values.put(name, value);
      }
      versions.put(name, outer.version(around.channel(name)));
    }
    return withArguments(subgraph.graph().schema().restore(values, versions, Map.of()), outer);
  }

  /** Returns {@code inner} with the arguments that the task sees in {@code outer}. */
  public State withArguments(State inner, State outer) {
    Update all = Update.NOTHING;
    for (Channel<?> channel : arguments) {
      all = all.and(argument(channel, outer));
    }
    return all.isEmpty() ? inner : inner.withArguments(all);
  }

  private static <T extends @Nullable Object> Update argument(Channel<T> channel, State outer) {
    T value = outer.get(channel);
    return value == null ? Update.NOTHING : Update.of(channel, value);
  }
}
