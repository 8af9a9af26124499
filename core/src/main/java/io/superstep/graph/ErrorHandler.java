package io.superstep.graph;

import io.superstep.state.NodeOutput;
import io.superstep.state.State;
import org.reactivestreams.Publisher;

/**
 * What to do when the last attempt of a node has failed.
 *
 * <p>It runs in the same task and step, and what it emits takes the place of what the node would
 * have emitted: the node's edges are followed, unless it answers with a command that goes
 * elsewhere.
 */
@FunctionalInterface
public interface ErrorHandler {

  Publisher<? extends NodeOutput> handle(State state, NodeFailure failure) throws Exception;
}
