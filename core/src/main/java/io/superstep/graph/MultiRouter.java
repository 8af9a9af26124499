package io.superstep.graph;

import io.superstep.state.State;
import java.util.Collection;

/** Chooses several nodes to go to; see {@link Router} for what is asked of it. */
@FunctionalInterface
public interface MultiRouter {

  /** Some of the declared targets; none ends this branch. */
  Collection<String> choose(State state);
}
