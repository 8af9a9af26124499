package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.golden;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.message.Message;
import io.superstep.message.ToolCall;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What was written once can be read for ever: these files are never changed, only added to. */
class JsonGoldenTests {

  enum Tone {
    DRY,
    WARM
  }

  sealed interface Verdict {
    record Accepted(Instant at) implements Verdict {}

    record SentBack(List<String> reasons) implements Verdict {}
  }

  record Budget(
      BigDecimal limit, Map<Tone, Duration> time, @Nullable UUID owner) {}

  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  private static final Channel<Integer> ROUND = Channel.sum("round", Integer.class);
  private static final Channel<@Nullable String> TOPIC =
      Channel.value("topic", String.class).writeOnce();
  private static final Channel<@Nullable Budget> BUDGET = Channel.value("budget", Budget.class);
  private static final ListChannel<Verdict> VERDICTS = Channel.list("verdicts", Verdict.class);
  private static final Channel<Set<String>> TAGS = Channel.set("tags", String.class);
  private static final Channel<Map<Integer, LocalDate>> DAYS =
      Channel.map("days", Integer.class, LocalDate.class);
  private static final Channel<Map<String, @Nullable Object>> NOTES = Channel.deepMap("notes");
  private static final Channel<String> DRAFT = Channel.text("draft");
  private static final Channel<byte @Nullable []> SCAN = Channel.value("scan", byte[].class);

  private static final StateSchema SCHEMA =
      StateSchema.of(MESSAGES, ROUND, TOPIC, BUDGET, VERDICTS, TAGS, DAYS, NOTES, DRAFT, SCAN);
  private static final JsonCodec CODEC = JsonCodec.of(SCHEMA);

  private static State state() {
    Map<String, @Nullable Object> notes = new LinkedHashMap<>();
    notes.put("count", 5L);
    notes.put("nothing", null);
    notes.put("ratio", 0.5);
    notes.put("seen", new LinkedHashSet<>(List.of("b", "a")));
    notes.put("by number", Map.of(1, "one"));
    notes.put("like a tag", Map.of("$long", 1));
    notes.put("at", Instant.parse("2025-12-11T10:00:00Z"));
    notes.put("list", Arrays.asList(1, "two", true, new BigDecimal("3.10")));
    Update first = Update.append(
            MESSAGES,
            Message.system("Be brief.").withId("m-0"),
            Message.human("Grüße 😀").withId("m-1"),
            new Message.Ai(
                "m-2",
                "optimist",
                "",
                List.of(new ToolCall("c-1", "search", Map.of("query", "x"))),
                Map.of("tokens", 12)),
            Message.toolError("c-1", "no \"luck\"").withId("m-3"))
        .and(TOPIC, "Should AI be regulated?")
        .and(
            BUDGET,
            new Budget(new BigDecimal("10.00"), Map.of(Tone.WARM, Duration.ofMinutes(90)), null))
        .and(VERDICTS, List.of(new Verdict.SentBack(List.of("too long"))))
        .and(TAGS, new LinkedHashSet<>(List.of("z", "a")))
        .and(DAYS, Map.of(7, LocalDate.of(2025, 12, 11)))
        .and(NOTES, notes)
        .and(SCAN, new byte[] {1, 2, -1});
    return Texts.fold(Texts.fold(SCHEMA.start(), first), Update.of(ROUND, 1));
  }

  private static Transition step() {
    return state()
        .fold(new Contribution(
            "skeptic",
            Update.append(MESSAGES, Message.remove("m-1"), Message.ai("Yes.").withId("m-4"))
                .and(ROUND, 1)
                .and(DRAFT, "One.")
                .and(TAGS, Set.of("b"))
                .and(DAYS, Map.of(8, LocalDate.of(2025, 12, 12)))
                .and(NOTES, Map.of("by number", Map.of(2, "two")))
                .and(Update.overwrite(SCAN, null))
                .and(Update.append(VERDICTS, new Verdict.Accepted(Instant.EPOCH)))
                .and(Update.overwrite(TAGS, Set.of()))
                .and(TAGS, Set.of("c"))
                .and(DRAFT, " Two.")));
  }

  @Test
  @DisplayName("S2.10 the state of the golden file is read, and written as it stands there")
  void theStateOfFormatOne() {
    String golden = golden("state-v1.json");

    assertThat(CODEC.decode(bytes(golden))).isEqualTo(state());
    assertThat(text(CODEC.encode(state()))).isEqualTo(golden);
  }

  @Test
  @DisplayName("S2.10 the changes of the golden file are read, and written as they stand there")
  void theChangesOfFormatOne() {
    String golden = golden("changes-v1.json");

    Changes read = CODEC.decodeChanges(bytes(golden));

    assertThat(read).isEqualTo(step().changes());
    assertThat(state().apply(read)).isEqualTo(step().state());
    assertThat(text(CODEC.encode(step().changes()))).isEqualTo(golden);
  }
}
