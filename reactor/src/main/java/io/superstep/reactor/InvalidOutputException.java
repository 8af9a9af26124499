package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/** A node returned or emitted something that it may not. */
public final class InvalidOutputException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String node;

  private InvalidOutputException(String node, String what, String fix) {
    super(new Problem("SG-151", what, "node '" + node + "'", fix), null);
    this.node = node;
  }

  static InvalidOutputException noPublisher(String node) {
    return new InvalidOutputException(
        node,
        "The node returned null in place of a publisher.",
        "Return Mono.empty() if there is nothing to say.");
  }

  static InvalidOutputException noOutput(String node) {
    return new InvalidOutputException(
        node,
        "The node returned null in place of an update.",
        "Return Update.NOTHING if there is nothing to say.");
  }

  static InvalidOutputException unknownKind(String node, @Nullable Object output) {
    return new InvalidOutputException(
        node,
        output == null
            ? "The node emitted null."
            : "The node emitted something of type " + output.getClass().getName() + ".",
        "Emit updates, chunks and commands.");
  }

  static InvalidOutputException noError(String node) {
    return new InvalidOutputException(
        node, "The node failed with null in place of an error.", "Signal what went wrong.");
  }

  public String node() {
    return node;
  }
}
