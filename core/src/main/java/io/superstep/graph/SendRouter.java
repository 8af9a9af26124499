package io.superstep.graph;

import io.superstep.state.State;
import java.util.Collection;

/** Chooses which tasks to send out; see {@link Router} for what is asked of it. */
@FunctionalInterface
public interface SendRouter {

  /** Sends to declared targets; none ends this branch. */
  Collection<Send> choose(State state);
}
