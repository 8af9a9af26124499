package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An attempt of a node took longer, or was silent for longer, than its policy allows. */
public final class NodeTimeoutException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String node;

  private NodeTimeoutException(String node, String what) {
    super(
        new Problem(
            "SG-153",
            what,
            "node '" + node + "'",
            "Allow more time, retry, or give the node a handler."),
        null);
    this.node = node;
  }

  static NodeTimeoutException total(String node, @Nullable Duration most) {
    return new NodeTimeoutException(node, "An attempt took longer than " + most + ".");
  }

  static NodeTimeoutException idle(String node, @Nullable Duration most) {
    return new NodeTimeoutException(node, "An attempt was silent for longer than " + most + ".");
  }

  public String node() {
    return node;
  }
}
