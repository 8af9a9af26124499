package io.superstep.graph;

import io.superstep.state.State;
import io.superstep.state.Update;

/** Says in the words of one graph what the state of another means; must be pure and quick. */
@FunctionalInterface
public interface StateMapping {

  Update map(State state);
}
