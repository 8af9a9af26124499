package io.superstep.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.value.InvalidValueException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageTests {

  private static final ToolCall CALL = new ToolCall("c1", "search", Map.of("q", "cats"));

  static Stream<Message> messages() {
    return Stream.of(
        new Message.Human("old", "Ann", "hi", Map.of("k", 1)),
        new Message.Ai("old", "model", "hello", List.of(CALL), Map.of("k", 1)),
        new Message.SystemPrompt("old", "sys", "be nice", Map.of("k", 1)),
        new Message.ToolResult("old", "search", "c1", "42", true, Map.of("k", 1)));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void anotherIdChangesNothingElse(Message message) {
    Message renamed = message.withId("new");

    assertThat(renamed.id()).isEqualTo("new");
    assertThat(renamed).hasSameClassAs(message).isNotEqualTo(message);
    assertThat(renamed.withId("old")).isEqualTo(message).hasSameHashCodeAs(message);
    assertThat(message.id()).isEqualTo("old");
  }

  @ParameterizedTest
  @MethodSource("messages")
  void otherMetadataChangesNothingElse(Message message) {
    Message noted = message.withMetadata(Map.of("tokens", 7));

    assertThat(noted.metadata()).isEqualTo(Map.of("tokens", 7));
    assertThat(noted).hasSameClassAs(message);
    assertThat(noted.withMetadata(Map.of("k", 1))).isEqualTo(message);
    assertThat(message.metadata()).isEqualTo(Map.of("k", 1));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void metadataIsFrozenAllTheWayDown(Message message) {
    List<Object> tags = new ArrayList<>(List.of("a"));
    byte[] bytes = {1};
    Map<String, @Nullable Object> given = new HashMap<>();
    given.put("tags", tags);
    given.put("bytes", bytes);
    given.put("nothing", null);
    Message noted = message.withMetadata(given);

    tags.add("b");
    bytes[0] = 9;
    given.clear();
    ((byte[]) noted.metadata().get("bytes"))[0] = 8;

    assertThat(noted.metadata()).containsOnlyKeys("tags", "bytes", "nothing");
    assertThat(noted.metadata().get("tags")).isEqualTo(List.of("a"));
    assertThat((byte[]) noted.metadata().get("bytes")).containsExactly(1);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> noted.metadata().put("more", 1));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> ((List<?>) noted.metadata().get("tags")).clear());
  }

  @ParameterizedTest
  @MethodSource("messages")
  void metadataThatCannotBeKeptIsRefused(Message message) {
    Map<String, Object> cyclic = new HashMap<>();
    cyclic.put("self", cyclic);

    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> message.withMetadata(cyclic))
        .satisfies(error -> assertThat(error.code()).isEqualTo("SG-203"));
  }

  @Nested
  class Factories {

    @Test
    void makeNewMessagesThatHaveNoIdYet() {
      assertThat(List.of(
              Message.human("h"),
              Message.ai("a"),
              Message.system("s"),
              Message.toolResult("c", "r"),
              Message.toolError("c", "e")))
          .allSatisfy(message -> {
            assertThat(message.id()).isNull();
            assertThat(message.name()).isNull();
            assertThat(message.metadata()).isEmpty();
          })
          .extracting(Message::content)
          .containsExactly("h", "a", "s", "r", "e");
      assertThat(Message.human("same")).isEqualTo(Message.human("same"));
    }

    @Test
    void tellAResultFromAnError() {
      assertThat(Message.toolResult("c", "r").isError()).isFalse();
      assertThat(Message.toolError("c", "r").isError()).isTrue();
      assertThat(Message.toolError("c", "r").withContent("x"))
          .isEqualTo(Message.toolError("c", "x"));
    }
  }

  @Nested
  class ToolCalls {

    @Test
    void areFrozen() {
      List<ToolCall> calls = new ArrayList<>(List.of(CALL));
      Message.Ai ai = Message.ai("let me see").withToolCalls(calls);

      calls.clear();

      assertThat(ai.toolCalls()).containsExactly(CALL);
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> ai.toolCalls().add(CALL));
      assertThat(Message.ai("x").toolCalls()).isEmpty();
    }

    @Test
    void areKeptByEveryOtherChange() {
      Message.Ai ai = Message.ai("let me see").withToolCalls(List.of(CALL));

      assertThat(ai.withId("1").toolCalls()).containsExactly(CALL);
      assertThat(ai.withMetadata(Map.of()).toolCalls()).containsExactly(CALL);
    }

    @Test
    void haveFrozenArguments() {
      List<Object> ids = new ArrayList<>(List.of(1));
      Map<String, Object> arguments = new HashMap<>(Map.of("ids", ids));
      ToolCall call = new ToolCall("c", "fetch", arguments);

      ids.add(2);
      arguments.clear();

      assertThat(call.arguments()).isEqualTo(Map.of("ids", List.of(1)));
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> call.arguments().clear());
    }
  }

  @Nested
  class ReplacingAToolResult {

    private final List<Message> conversation = List.of(
        Message.human("q").withId("1"),
        Message.ai("a").withToolCalls(List.of(CALL)).withId("2"),
        Message.toolResult("c1", "long, long").withId("3").withMetadata(Map.of("ms", 5)),
        Message.toolError("c2", "other").withId("4"));

    @Test
    void changesItsContentAndNothingElse() {
      List<Message> replaced = Message.replaceToolResult(conversation, "c1", "short");

      assertThat(replaced)
          .containsExactly(
              conversation.get(0),
              conversation.get(1),
              Message.toolResult("c1", "short").withId("3").withMetadata(Map.of("ms", 5)),
              conversation.get(3));
      assertThat(conversation.get(2).content()).isEqualTo("long, long");
    }

    @Test
    void keepsAnErrorAnError() {
      assertThat(Message.replaceToolResult(conversation, "c2", "short").get(3))
          .isEqualTo(Message.toolError("c2", "short").withId("4"));
    }

    @Test
    void ofAnUnknownCallChangesNothing() {
      assertThat(Message.replaceToolResult(conversation, "c9", "short")).isEqualTo(conversation);
      assertThat(Message.replaceToolResult(List.of(), "c1", "short")).isEmpty();
    }
  }

  @Nested
  class Removing {

    @Test
    void namesOneMessageOrAll() {
      assertThat(Message.remove("7").id()).isEqualTo("7");
      assertThat(Message.remove("7").isAll()).isFalse();
      assertThat(Message.removeAll().isAll()).isTrue();
      assertThat(Message.remove("7").withId("8")).isEqualTo(Message.remove("8"));
    }

    @Test
    void saysNothing() {
      Message.Remove remove = Message.remove("7");

      assertThat(remove.content()).isEmpty();
      assertThat(remove.name()).isNull();
      assertThat(remove.metadata()).isEmpty();
      assertThat(remove.withMetadata(Map.of("k", 1))).isEqualTo(remove);
    }
  }
}
