package io.superstep.message;

import io.superstep.value.TypeRef;
import io.superstep.value.ValueType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a conversation, or the wish to take entries out of it.
 *
 * <p>A message without an id is a new one. Whoever runs the task that wrote it fills the id in, as
 * a value derived from the task; nothing here is random. All messages are immutable, their metadata
 * included.
 */
public sealed interface Message {

  /**
   * What tells this message from all others of its conversation; null as long as nobody gave it
   * one.
   */
  @Nullable
  String id();

  /** Who speaks, where the role does not say it. */
  @Nullable
  String name();

  String content();

  /** What is known about the message beside its content. */
  Map<String, @Nullable Object> metadata();

  Message withId(String id);

  Message withMetadata(Map<String, ?> metadata);

  /** Said by a person. */
  record Human(
      @Nullable String id,
      @Nullable String name,
      String content,
      Map<String, @Nullable Object> metadata)
      implements Message {

    public Human {
      metadata = ToolCall.ANYTHING_BY_NAME.freeze(metadata);
    }

    /** The id and the size, without the content. */
    @Override
    public String toString() {
      return Hidden.text("Human", this);
    }

    @Override
    public Human withId(String newId) {
      return new Human(newId, name, content, metadata);
    }

    @Override
    public Human withMetadata(Map<String, ?> more) {
      return new Human(id, name, content, ToolCall.ANYTHING_BY_NAME.freeze(more));
    }
  }

  /** Said by a model, perhaps with the wish to have tools called. */
  record Ai(
      @Nullable String id,
      @Nullable String name,
      String content,
      List<ToolCall> toolCalls,
      Map<String, @Nullable Object> metadata)
      implements Message {

    private static final ValueType<List<ToolCall>> TOOL_CALLS = ValueType.of(new TypeRef<>() {});
    private static final List<ToolCall> NO_CALLS = TOOL_CALLS.freeze(List.of());

    public Ai {
      toolCalls = TOOL_CALLS.freeze(toolCalls);
      metadata = ToolCall.ANYTHING_BY_NAME.freeze(metadata);
    }

    /** The id and the size, without the content. */
    @Override
    public String toString() {
      return Hidden.text("Ai", this);
    }

    @Override
    public Ai withId(String newId) {
      return new Ai(newId, name, content, toolCalls, metadata);
    }

    @Override
    public Ai withMetadata(Map<String, ?> more) {
      return new Ai(id, name, content, toolCalls, ToolCall.ANYTHING_BY_NAME.freeze(more));
    }

    public Ai withToolCalls(List<ToolCall> calls) {
      return new Ai(id, name, content, calls, metadata);
    }
  }

  /** An instruction to the model. */
  record SystemPrompt(
      @Nullable String id,
      @Nullable String name,
      String content,
      Map<String, @Nullable Object> metadata)
      implements Message {

    public SystemPrompt {
      metadata = ToolCall.ANYTHING_BY_NAME.freeze(metadata);
    }

    /** The id and the size, without the content. */
    @Override
    public String toString() {
      return Hidden.text("SystemPrompt", this);
    }

    @Override
    public SystemPrompt withId(String newId) {
      return new SystemPrompt(newId, name, content, metadata);
    }

    @Override
    public SystemPrompt withMetadata(Map<String, ?> more) {
      return new SystemPrompt(id, name, content, ToolCall.ANYTHING_BY_NAME.freeze(more));
    }
  }

  /** What a tool answered to the call {@code callId}. */
  record ToolResult(
      @Nullable String id,
      @Nullable String name,
      String callId,
      String content,
      boolean isError,
      Map<String, @Nullable Object> metadata)
      implements Message {

    public ToolResult {
      metadata = ToolCall.ANYTHING_BY_NAME.freeze(metadata);
    }

    /** The id and the size, without the content. */
    @Override
    public String toString() {
      return Hidden.text("ToolResult", this);
    }

    @Override
    public ToolResult withId(String newId) {
      return new ToolResult(newId, name, callId, content, isError, metadata);
    }

    @Override
    public ToolResult withMetadata(Map<String, ?> more) {
      return new ToolResult(
          id, name, callId, content, isError, ToolCall.ANYTHING_BY_NAME.freeze(more));
    }

    public ToolResult withContent(String newContent) {
      return new ToolResult(id, name, callId, newContent, isError, metadata);
    }
  }

  /**
   * The wish to take the message {@code id} out of the conversation, or all messages before this
   * one.
   */
  record Remove(String id) implements Message {

    /** The id that stands for all messages. */
    private static final String ALL = "*";

    public boolean isAll() {
      return id.equals(ALL);
    }

    @Override
    public @Nullable String name() {
      return null;
    }

    @Override
    public String content() {
      return "";
    }

    @Override
    public Map<String, @Nullable Object> metadata() {
      return Map.of();
    }

    @Override
    public Remove withId(String newId) {
      return new Remove(newId);
    }

    @Override
    public Remove withMetadata(Map<String, ?> metadata) {
      return this;
    }
  }

  static Human human(String content) {
    return new Human(null, null, content, ToolCall.NOTHING);
  }

  static Ai ai(String content) {
    return new Ai(null, null, content, Ai.NO_CALLS, ToolCall.NOTHING);
  }

  static SystemPrompt system(String content) {
    return new SystemPrompt(null, null, content, ToolCall.NOTHING);
  }

  static ToolResult toolResult(String callId, String content) {
    return new ToolResult(null, null, callId, content, false, ToolCall.NOTHING);
  }

  static ToolResult toolError(String callId, String content) {
    return new ToolResult(null, null, callId, content, true, ToolCall.NOTHING);
  }

  static Remove remove(String id) {
    return new Remove(id);
  }

  /**
   * The wish to start the conversation anew: whatever stands behind it in the same update stays.
   */
  static Remove removeAll() {
    return new Remove(Remove.ALL);
  }

  /**
   * {@code messages} with {@code content} as what the call {@code callId} returned; an unknown call
   * changes nothing. The result can be handed to an update as it is: messages with a known id are
   * replaced in place.
   */
  static List<Message> replaceToolResult(List<Message> messages, String callId, String content) {
    return messages.stream()
        .map(message -> message instanceof ToolResult result && result.callId().equals(callId)
            ? result.withContent(content)
            : message)
        .toList();
  }
}
