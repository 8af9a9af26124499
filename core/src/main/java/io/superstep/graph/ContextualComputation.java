package io.superstep.graph;

import io.superstep.state.NodeOutput;
import io.superstep.state.State;

/** The work of a node as a plain function that also asks about its own task. */
@FunctionalInterface
public interface ContextualComputation {

  /**
   * An update or a command; {@link io.superstep.state.Update#NOTHING} if there is nothing to say.
   */
  NodeOutput compute(State state, NodeContext context) throws Exception;
}
