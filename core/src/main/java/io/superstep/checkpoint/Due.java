package io.superstep.checkpoint;

import io.superstep.state.Update;
import org.jspecify.annotations.Nullable;

/**
 * A node whose turn has come.
 *
 * @param arguments what a send brought along; null if the node is due by an edge and not by a send
 */
public record Due(String node, @Nullable Update arguments) {

  /** Due by an edge, a join, a route or a command. */
  public static Due by(String node) {
    return new Due(node, null);
  }

  public boolean isSend() {
    return arguments != null;
  }
}
