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
 * <p>Without mappings it shares the channels that both graphs call by the same name: it starts with
 * what they hold around it, and its updates of them flow up. What lives for one step is visible in
 * its first step. The arguments of a send to the node are visible to all tasks and routers inside
 * that declare them. With mappings the two states have nothing in common, and the mappings say what
 * goes in and what comes out.
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

  /** Whether mappings say what goes in and what comes out. */
  public boolean isMapped() {
    return into != null;
  }

  /** What goes in, from the state around it; only of a subgraph that is mapped. */
  public StateMapping into() {
    return Objects.requireNonNull(into, "a subgraph that shares channels has no mappings");
  }

  /** What comes out, from its own last state; only of a subgraph that is mapped. */
  public StateMapping outOf() {
    return Objects.requireNonNull(outOf, "a subgraph that shares channels has no mappings");
  }

  /**
   * The channels it has in common with a graph of {@code around}, but for arguments; none if it is
   * mapped.
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
   * The argument channels that a graph of {@code around} has too: the graph inside sees what the
   * send that started its task brought along. None if it is mapped.
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
