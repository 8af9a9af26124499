package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Thrown if an attempt of a node exceeds the timeout or the idle timeout of its policy. */
public final class NodeTimeoutException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String node;

  private NodeTimeoutException(String node, String what) {
    super(
        new Problem(
            "SG-153",
            what,
            "node '" + node + "'",
            "Raise the limit with NodePolicy.timeout(...) or idleTimeout(...), retry with"
                + " NodePolicy.retry(n), or add handler(\"" + node + "\", ...)."),
        null);
    this.node = node;
  }

  static NodeTimeoutException total(String node, @Nullable Duration most) {
    return new NodeTimeoutException(
        node, "An attempt of node '" + node + "' exceeded its timeout of " + most + ".");
  }

  static NodeTimeoutException idle(String node, @Nullable Duration most) {
    return new NodeTimeoutException(
        node,
        "An attempt of node '" + node + "' emitted nothing within its idle timeout of " + most
            + ".");
  }

  public String node() {
    return node;
  }
}
