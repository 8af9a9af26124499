package io.superstep.graph;

import io.superstep.state.NodeOutput;
import io.superstep.state.State;
import org.reactivestreams.Publisher;

/** The work of a node that also asks about its own task. */
@FunctionalInterface
public interface ContextualAction {

  /**
   * What the node has to say, as a {@code Mono} or a {@code Flux}; nothing should happen before it
   * is subscribed to. It is subscribed to once per attempt.
   */
  Publisher<? extends NodeOutput> run(State state, NodeContext context) throws Exception;
}
