package io.superstep.graph;

import io.superstep.state.Channel;
import io.superstep.state.StateSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A graph as the body of a node.
 *
 * <p>Without mappings it shares the channels that have the same name in both graphs: it starts with
 * their values in the enclosing graph, and its updates of them are applied there. Ephemeral
 * channels are visible in its first step. The arguments of a send to the node are visible to all
 * tasks and routers inside that declare them. With mappings the two states are separate: one
 * mapping computes the input, the other one the output.
 */
public final class Subgraph {

  private final Graph graph;
  private final @Nullable StateMapping into;
  private final @Nullable StateMapping outOf;

  private Subgraph(Graph graph, @Nullable StateMapping into, @Nullable StateMapping outOf) {
    this.graph = graph;
    this.into = into;
    this.outOf = outOf;
  }

  static Subgraph sharing(Graph graph) {
    return new Subgraph(graph, null, null);
  }

  static Subgraph mapped(Graph graph, StateMapping into, StateMapping outOf) {
    return new Subgraph(graph, into, outOf);
  }

  public Graph graph() {
    return graph;
  }

  /** Returns whether mappings compute the input and the output. */
  public boolean isMapped() {
    return into != null;
  }

  /** Returns the mapping from the state of the enclosing graph to the input; only if mapped. */
  public StateMapping into() {
    return Objects.requireNonNull(into, "A subgraph that shares channels has no mappings.");
  }

  /** Returns the mapping from the final state of the subgraph to the output; only if mapped. */
  public StateMapping outOf() {
    return Objects.requireNonNull(outOf, "A subgraph that shares channels has no mappings.");
  }

  /**
   * Returns the channels that are shared with an enclosing graph of the schema {@code around},
   * except for argument channels; none if the subgraph is mapped.
   */
  public List<Channel<?>> sharedWith(StateSchema around) {
    List<Channel<?>> shared = new ArrayList<>();
    if (!isMapped()) {
      for (Channel<?> channel : graph.schema().channels()) {
        if (channel.lifetime() != Channel.Lifetime.ARGUMENT && around.has(channel.name())) {
          shared.add(channel);
        }
      }
    }
    return shared;
  }

  /**
   * Returns the argument channels that an enclosing graph of the schema {@code around} declares
   * too: the subgraph reads the arguments of the send that started its task. None if it is mapped.
   */
  public List<Channel<?>> argumentsFrom(StateSchema around) {
    List<Channel<?>> arguments = new ArrayList<>(0);
    if (!isMapped()) {
      for (Channel<?> channel : graph.schema().channels()) {
        if (channel.lifetime() == Channel.Lifetime.ARGUMENT && around.has(channel.name())) {
          arguments.add(channel);
        }
      }
    }
    return arguments;
  }
}
