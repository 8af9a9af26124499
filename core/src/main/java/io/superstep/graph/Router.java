package io.superstep.graph;

import io.superstep.state.State;

/**
 * Chooses the one node to go to.
 *
 * <p>Like all routers it sees the state with all updates of the step, is called once per node and
 * step, and must be pure and quick: whenever a step is folded again, it is asked again.
 */
@FunctionalInterface
public interface Router {

  /** One of the declared targets. */
  String choose(State state);
}
