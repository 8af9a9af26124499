package io.superstep.reactor;

import io.superstep.event.GraphEvent;
import io.superstep.graph.Chunk;
import io.superstep.graph.Command;
import io.superstep.graph.Node;
import io.superstep.graph.NodeBody;
import io.superstep.state.Update;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** Looks at what a node emits, where it is emitted, before anything is made of it. */
final class Emissions {

  private Emissions() {}

  /**
   * {@code output}, if it is something a node may emit and its update fits the state.
   *
   * @throws InvalidOutputException if it is of no known kind
   * @throws io.superstep.state.InvalidUpdateException if its update names unknown channels or has
   *     values of other types
   * @throws io.superstep.step.InvalidRouteException if it addresses a parent graph that does not
   *     exist, or a node of it that the subgraph was not declared to lead to
   */
  static Object checked(@Nullable Object output, Node node, Run run) {
    if (output instanceof Update update) {
      run.graph().schema().check(update, node.name());
    } else if (output instanceof Command command) {
      run.graph().schema().check(command.update(), node.name());
      run.requireFollowable(command, node);
    } else if (output == null || (!(output instanceof Chunk) && !isInner(output, node))) {
      throw InvalidOutputException.unknownKind(node.name(), output);
    }
    return output;
  }

  private static boolean isInner(@Nullable Object output, Node node) {
    return output instanceof GraphEvent && node.body() instanceof NodeBody.Nested;
  }

  static <T> Publisher<T> present(@Nullable Publisher<T> publisher, Node node) {
    if (publisher == null) {
      throw InvalidOutputException.noPublisher(node.name());
    }
    return publisher;
  }
}
