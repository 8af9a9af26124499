package io.superstep.graph;

import io.superstep.state.Channel;
import io.superstep.state.Update;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One more task of a node in the next step, with arguments that only this task sees.
 *
 * @param arguments writes to channels that were declared as {@link Channel#argument()}
 */
public record Send(String node, Update arguments) {

  public Send {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(arguments, "arguments");
  }

  /** A task of {@code node} that sees {@code value} in {@code argument}. */
  public static <T extends @Nullable Object> Send to(String node, Channel<T> argument, T value) {
    return new Send(node, Update.of(argument, value));
  }

  /** A task of {@code node} that sees {@code arguments}. */
  public static Send to(String node, Update arguments) {
    return new Send(node, arguments);
  }

  /** A task of {@code node} without arguments. */
  public static Send to(String node) {
    return new Send(node, Update.NOTHING);
  }
}
