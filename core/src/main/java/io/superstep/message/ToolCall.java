package io.superstep.message;

import io.superstep.error.MessageText;
import io.superstep.value.TypeRef;
import io.superstep.value.ValueType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model's wish to have a tool called: the id that its result will name, the tool, and the
 * arguments.
 */
public record ToolCall(String id, String tool, Map<String, @Nullable Object> arguments) {

  static final ValueType<Map<String, @Nullable Object>> ANYTHING_BY_NAME =
      ValueType.of(new TypeRef<>() {});

  /** Nothing by name, made once: most messages have no metadata. */
  static final Map<String, @Nullable Object> NOTHING = ANYTHING_BY_NAME.freeze(Map.of());

  public ToolCall {
    arguments = ANYTHING_BY_NAME.freeze(arguments);
  }

  /** The id and the tool, without the arguments. */
  @Override
  public String toString() {
    return "ToolCall[" + MessageText.name(id) + ", " + MessageText.name(tool) + "]";
  }
}
