package io.superstep.reactor;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/** Thrown if a node returns or emits an invalid value. */
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
        "Node '" + node + "' returned null instead of a publisher.",
        "Return a Mono or a Flux; Mono.empty() if the node has no output.");
  }

  static InvalidOutputException noOutput(String node) {
    return new InvalidOutputException(
        node,
        "Node '" + node + "' returned null instead of an update.",
        "Return Update.NOTHING if the node has no output.");
  }

  static InvalidOutputException unknownKind(String node, @Nullable Object output) {
    return new InvalidOutputException(
        node,
        output == null
            ? "Node '" + node + "' emitted null."
            : "Node '" + node + "' emitted a value of type " + output.getClass().getName() + ".",
        "Emit only Update, Chunk and Command.");
  }

  static InvalidOutputException noError(String node) {
    return new InvalidOutputException(
        node,
        "Node '" + node + "' signalled null instead of an error.",
        "Call onError with a Throwable.");
  }

  public String node() {
    return node;
  }
}
