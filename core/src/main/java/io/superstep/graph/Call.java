package io.superstep.graph;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells a call to the builder in the words of whoever made it. */
final class Call {

  private Call() {}

  /** A call with {@code arguments}, and perhaps something that has no words, such as a lambda. */
  static String of(String method, @Nullable Object... arguments) {
    return Arrays.stream(arguments)
        .map(Call::argument)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", ", method + "(", ")"));
  }

  private static String argument(@Nullable Object argument) {
    if (argument instanceof Targets targets) {
      return "to(" + list(targets.names()) + ")";
    }
    if (argument instanceof Sources sources) {
      return "all(" + list(sources.names()) + ")";
    }
    if (argument instanceof Collection<?> several) {
      return list(several);
    }
    return argument instanceof String name ? name(name) : "...";
  }

  private static String list(Collection<?> several) {
    return several.stream().map(Call::argument).collect(Collectors.joining(", "));
  }

  /** A name as it stands in code. */
  static String name(String name) {
    return switch (name) {
      case Graph.START -> "START";
      case Graph.END -> "END";
      default -> '"' + name + '"';
    };
  }
}
