package io.superstep.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.Nulls;
import io.superstep.message.ToolCall;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How messages are written: by the names of their roles, and without what they do not have. */
final class MessageText {

  private MessageText() {}

  interface WithoutNothing {

    @JsonInclude(Include.NON_NULL)
    @Nullable
    String id();

    @JsonInclude(Include.NON_NULL)
    @Nullable
    String name();

    @JsonInclude(Include.NON_EMPTY)
    @JsonSetter(nulls = Nulls.AS_EMPTY)
    List<ToolCall> toolCalls();

    @JsonInclude(Include.NON_EMPTY)
    @JsonSetter(nulls = Nulls.AS_EMPTY)
    Map<String, @Nullable Object> metadata();
  }

  @JsonTypeName("system")
  interface SystemPrompt extends WithoutNothing {}

  @JsonTypeName("tool")
  interface ToolResult extends WithoutNothing {}
}
