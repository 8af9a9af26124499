package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.fold;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.message.Message;
import io.superstep.message.ToolCall;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import io.superstep.value.ValueType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class JsonStateTests {

  record Task(String title, Instant createdAt) {}

  private static final Channel<@Nullable Task> TASK = Channel.value("task", Task.class);

  @Test
  @DisplayName("S2.10 Task(createdAt 2025-12-11T10:00Z) -> string -> Task equal to the original")
  void aTypedObjectGoesThroughTextWithItsDateInIsoForm() {
    StateSchema schema = StateSchema.of(TASK);
    Task task = new Task("write", Instant.parse("2025-12-11T10:00:00Z"));
    JsonCodec codec = JsonCodec.of(schema);

    byte[] bytes = codec.encode(fold(schema.start(), Update.of(TASK, task)));

    assertThat(text(bytes))
        .isEqualTo("{\"v\":1,\"channels\":{\"task\":"
            + "{\"title\":\"write\",\"createdAt\":\"2025-12-11T10:00:00Z\"}},"
            + "\"versions\":{\"task\":1}}");
    assertThat(codec.decode(bytes).get(TASK)).isEqualTo(task);
  }

  @Test
  @DisplayName("S2.11 {perspectives:[], plan:null, custom:\"x\"} comes back with all three")
  void emptyAndAbsentValuesComeBack() {
    ListChannel<String> perspectives = Channel.list("perspectives", String.class);
    Channel<@Nullable String> plan = Channel.value("plan", String.class);
    Channel<@Nullable String> custom = Channel.value("custom", String.class);
    StateSchema schema = StateSchema.of(perspectives, plan, custom);
    State state = fold(schema.start(), Update.of(custom, "x"));
    JsonCodec codec = JsonCodec.of(schema);

    byte[] bytes = codec.encode(state);

    assertThat(text(bytes)).contains("{\"perspectives\":[],\"plan\":null,\"custom\":\"x\"}");
    assertThat(codec.decode(bytes)).isEqualTo(state);
    assertThat(codec.decode(bytes).asMap()).isEqualTo(state.asMap());
  }

  @Test
  @DisplayName("S2.11 the same in a place without a type, nested")
  void emptyAndAbsentValuesComeBackFromUntypedPlaces() {
    Channel<Map<String, @Nullable Object>> any = Channel.deepMap("any");
    StateSchema schema = StateSchema.of(any);
    Map<String, @Nullable Object> inner = new java.util.LinkedHashMap<>();
    inner.put("perspectives", List.of());
    inner.put("plan", null);
    inner.put("custom", "x");
    State state = fold(schema.start(), Update.of(any, Map.of("inner", inner)));
    JsonCodec codec = JsonCodec.of(schema);

    assertThat(codec.decode(codec.encode(state)).get(any)).isEqualTo(Map.of("inner", inner));
  }

  @Test
  @DisplayName("S4.16 human, ai, system and tool messages round-trip equal, with all they have")
  void everyMessageTypeIsKept() {
    ListChannel<Message> messages = Channel.messages("messages");
    StateSchema schema = StateSchema.of(messages);
    Map<String, @Nullable Object> metadata = Map.of("tokens", 12L, "at", Instant.EPOCH);
    List<Message> all = List.of(
        new Message.SystemPrompt("s1", "rules", "Be brief.", metadata),
        new Message.Human("h1", "ada", "Hi", metadata),
        new Message.Ai(
            "a1",
            "bot",
            "",
            List.of(new ToolCall("c1", "search", Map.of("q", "x", "limit", 3L))),
            metadata),
        new Message.ToolResult("t1", "search", "c1", "nothing", true, metadata),
        Message.human("plain"),
        Message.ai("plain"),
        Message.system("plain"),
        Message.toolResult("c2", "plain"));
    State state = fold(schema.start(), Update.of(messages, all));
    JsonCodec codec = JsonCodec.of(schema);

    byte[] bytes = codec.encode(state);

    assertThat(codec.decode(bytes).get(messages)).isEqualTo(all);
    assertThat(text(bytes))
        .contains("{\"type\":\"human\",\"content\":\"plain\"}")
        .contains("{\"type\":\"ai\",\"content\":\"plain\"}")
        .contains("{\"type\":\"system\",\"content\":\"plain\"}")
        .contains("{\"type\":\"tool\",\"callId\":\"c2\",\"content\":\"plain\",\"isError\":false}")
        .doesNotContain("\"error\"")
        .doesNotContain("\"all\"");
  }

  @Test
  @DisplayName("S4.16 the wish to remove a message travels too")
  void removalsAreKept() {
    Channel<@Nullable Message> message = Channel.value("message", Message.class);
    JsonCodec codec = JsonCodec.of(StateSchema.of(message));
    Update update = Update.of(message, Message.removeAll()).and(message, Message.remove("h1"));

    byte[] bytes = codec.encode(update);

    assertThat(text(bytes))
        .isEqualTo("{\"v\":1,\"writes\":[[\"message\",{\"type\":\"remove\",\"id\":\"*\"}],"
            + "[\"message\",{\"type\":\"remove\",\"id\":\"h1\"}]]}");
    assertThat(codec.decodeUpdate(bytes)).isEqualTo(update);
  }

  @Nested
  class WhenTheSchemaHasChanged {

    private final Channel<@Nullable String> a = Channel.value("a", String.class);
    private final Channel<Integer> b = Channel.value("b", Integer.class).startingAt(0);
    private final ListChannel<String> c = Channel.list("c", String.class);
    private final Channel<@Nullable Task> d = Channel.value("d", Task.class);
    private final Channel<@Nullable Boolean> e = Channel.value("e", Boolean.class);
    private final Channel<Double> score = Channel.value("score", Double.class).startingAt(0.5);
    private final ListChannel<Message> log = Channel.messages("log");

    private final StateSchema older = StateSchema.of(a, b, c, d, e);
    private final StateSchema newer = StateSchema.of(a, b, c, d, e, score, log);

    @Test
    @DisplayName("S4.20 a checkpoint written with 5 fields loads into the extended state")
    void newChannelsHoldTheirStartValue() {
      State five =
          fold(older.start(), Update.of(a, "x").and(b, 7).and(c, List.of("y")).and(e, true));

      State seven = JsonCodec.of(newer).decode(JsonCodec.of(older).encode(five));

      assertThat(seven.get(a)).isEqualTo("x");
      assertThat(seven.get(b)).isEqualTo(7);
      assertThat(seven.get(c)).containsExactly("y");
      assertThat(seven.get(d)).isNull();
      assertThat(seven.get(e)).isTrue();
      assertThat(seven.get(score)).isEqualTo(0.5);
      assertThat(seven.get(log)).isEmpty();
      assertThat(seven.version(score)).isZero();
    }

    @Test
    @DisplayName("S4.20 the reverse load preserves unknown fields")
    void unknownChannelsAreWrittenBackAsTheyWere() {
      State seven = fold(
          newer.start(),
          Update.of(a, "ä€😀")
              .and(score, -0.0)
              .and(log, List.of(Message.human("ü").withId("1"))));
      byte[] written = JsonCodec.of(newer).encode(seven);

      State five = JsonCodec.of(older).decode(written);
      State changed = fold(five, Update.of(b, 1));
      State again = JsonCodec.of(newer).decode(JsonCodec.of(older).encode(changed));

      assertThat(five.strangers()).containsOnlyKeys("score", "log");
      assertThat(five.strangers().toString()).doesNotContain("human");
      assertThat(text(JsonCodec.of(older).encode(five))).isEqualTo(text(written));
      assertThat(again).isEqualTo(fold(seven, Update.of(b, 1)));
      assertThat(again.version(score)).isEqualTo(1);
    }

    @Test
    void aStartValueThatWasDeclaredSinceTakesThePlaceOfAStoredNull() {
      byte[] written = JsonCodec.of(older).encode(older.start());

      Channel<String> started = Channel.value("a", String.class).startingAt("new");

      assertThat(JsonCodec.of(StateSchema.of(started)).decode(written).get(started))
          .isEqualTo("new");
    }

    @Test
    void aValueLargerThanTheLimitOfTodayIsStillRead() {
      State state = fold(older.start(), Update.of(a, "0123456789"));
      Channel<@Nullable String> smaller = Channel.value("a", String.class).upTo(5);

      State read =
          JsonCodec.of(StateSchema.of(smaller)).decode(JsonCodec.of(older).encode(state));

      assertThat(read.get(smaller)).isEqualTo("0123456789");
    }

    @Test
    void aPropertyThatANestedRecordDoesNotKnowIsLeftOut() {
      State read = JsonCodec.of(StateSchema.of(TASK))
          .decode(bytes("{\"v\":1,\"channels\":{\"task\":{\"title\":\"t\",\"owner\":\"o\"}}}"));

      assertThat(read.get(TASK)).isEqualTo(new Task("t", null));
    }
  }

  @Test
  void whatLivesOnlyAsLongAsARunOrATaskIsNotStored() {
    Channel<@Nullable Thread> handle = Channel.value("handle", Thread.class).runtimeOnly();
    Channel<@Nullable String> item = Channel.value("item", String.class).argument();
    Channel<@Nullable String> next = Channel.value("next", String.class).ephemeral();
    StateSchema schema = StateSchema.of(handle, item, next);
    State state = fold(schema.start(), Update.of(handle, Thread.currentThread()).and(next, "n"))
        .withArguments(Update.of(item, "i"));
    JsonCodec codec = JsonCodec.of(schema);

    byte[] bytes = codec.encode(state);

    assertThat(text(bytes))
        .isEqualTo("{\"v\":1,\"channels\":{\"next\":\"n\"},\"versions\":{\"next\":1}}");
    assertThat(codec.decode(bytes).get(next)).isEqualTo("n");
  }

  @Test
  void whatWasStoredBeforeAChannelBecameRuntimeOnlyIsLeftAlone() {
    Channel<@Nullable String> secret = Channel.value("secret", String.class).runtimeOnly();
    StateSchema schema = StateSchema.of(secret);

    State state = JsonCodec.of(schema).decode(bytes("{\"v\":1,\"channels\":{\"secret\":\"x\"}}"));

    assertThat(state).isEqualTo(schema.start());
  }

  @Test
  void versionsSurvive() {
    Channel<Integer> count = Channel.sum("count", Integer.class);
    Channel<@Nullable String> once = Channel.value("once", String.class).writeOnce();
    StateSchema schema = StateSchema.of(count, once, Channel.text("untouched"));
    State state = fold(fold(schema.start(), Update.of(count, 1)), Update.of(count, 1));

    State read = JsonCodec.of(schema).decode(JsonCodec.of(schema).encode(state));

    assertThat(read.toString()).isEqualTo("State[count@2, once@0, untouched@0]");
    assertThat(fold(read, Update.of(once, "first")).get(once)).isEqualTo("first");
  }

  @Test
  void aTextComesBackHoweverLongItsChannelAllowsItToBe() {
    Channel<@Nullable String> book =
        Channel.value("book", String.class).upTo(2 * ValueType.MAX_SIZE);
    StateSchema schema = StateSchema.of(book);
    String text = "x".repeat(25_000_000);

    State read = JsonCodec.of(schema)
        .decode(JsonCodec.of(schema).encode(fold(schema.start(), Update.of(book, text))));

    assertThat(read.get(book)).isEqualTo(text);
    // A text that Jackson refuses by default would take most of the memory of a test.
    assertThat(JsonMapping.with(List.of())
            .tokenStreamFactory()
            .streamReadConstraints()
            .getMaxStringLength())
        .isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aListIsFrozenAndCanBeAppendedTo() {
    ListChannel<String> list = Channel.list("list", String.class);
    StateSchema schema = StateSchema.of(list);
    State state = fold(schema.start(), Update.append(list, "a"));

    State read = JsonCodec.of(schema).decode(JsonCodec.of(schema).encode(state));

    assertThat(fold(read, Update.append(list, "b")).get(list)).containsExactly("a", "b");
  }
}
