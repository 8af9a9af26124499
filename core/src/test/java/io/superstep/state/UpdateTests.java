package io.superstep.state;

import static io.superstep.state.StateTests.fold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class UpdateTests {

  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  private static final Channel<@Nullable String> NOTE = Channel.value("note", String.class);

  @Test
  void isFrozenWhereItIsMade() {
    List<String> lines = new ArrayList<>(List.of("a"));
    Update typed = Update.of(LOG, lines);
    Update named = Update.of("log", lines);

    lines.add("b");

    assertThat(fold(StateSchema.of(LOG).start(), typed).get(LOG)).containsExactly("a");
    assertThat(fold(StateSchema.of(LOG).start(), named).get(LOG)).containsExactly("a");
  }

  @Test
  void tellsAMistakeInTheLineThatMadeIt() {
    @SuppressWarnings({"unchecked", "rawtypes"})
    Channel<Object> untyped = (Channel) LOG;

    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> Update.of(untyped, List.of("a", 1)))
        .withMessageContaining("channel 'log'[1]");
  }

  @Test
  void aTypedListStaysOpenWhereTypesAreNotDeclared() {
    StateSchema untyped = StateSchema.of(Map.of("all", Map.of("reducer", "ADD")));
    List<String> typed =
        fold(StateSchema.of(LOG).start(), Update.append(LOG, "a")).get(LOG);

    State state =
        fold(fold(untyped.start(), Update.of("all", typed)), Update.of("all", List.of(1)));

    assertThat(state.get("all")).isEqualTo(List.of("a", 1));
  }

  @Test
  void toldApartByWhatItWrites() {
    assertThat(Update.of(NOTE, "a"))
        .isEqualTo(Update.of(NOTE, "a"))
        .hasSameHashCodeAs(Update.of(NOTE, "a"));
    assertThat(Update.of(NOTE, "a")).isNotEqualTo(Update.of(NOTE, "b"));
    assertThat(Update.of(NOTE, "a")).isNotEqualTo(Update.overwrite(NOTE, "a"));
  }

  @Test
  void neverShowsWhatItWrites() {
    Channel<Map<String, String>> map = Channel.map("map", String.class, String.class);
    Channel<String> text = Channel.text("text");
    Channel<java.util.Set<String>> set = Channel.set("set", String.class);
    State start = StateSchema.of(NOTE, LOG, map, text, set, MESSAGES).start();
    Update update = Update.of(NOTE, "secret")
        .and(LOG, List.of("secret"))
        .and(map, Map.of("k", "secret"))
        .and(text, "secret")
        .and(set, java.util.Set.of("secret"))
        .and(Update.append(MESSAGES, Message.ai("secret").withId("1")))
        .and(Update.append(MESSAGES, Message.ai("secret too").withId("1")));

    Transition transition = start.fold(List.of(new Contribution("node", update)));

    assertThat(update).hasToString("Update[note, log, map, text, set, messages, messages]");
    assertThat(transition.state().toString()).contains("note@1").doesNotContain("secret");
    assertThat(transition.toString()).contains("append 1").doesNotContain("secret");
    assertThat(update.writes().toString()).contains("write note").doesNotContain("secret");
  }

  @Test
  void noArrayLeavesByAnyDoor() {
    Channel<byte[]> bytes = Channel.value("bytes", byte[].class).startingAt(new byte[] {0});
    Update update = Update.of(bytes, new byte[] {1});
    Transition transition =
        StateSchema.of(bytes).start().fold(List.of(new Contribution("node", update)));

    ((byte[]) update.writes().get(0).value())[0] = 9;
    ((byte[]) ((Effect.Replace<?>) transition.changes().effects().get("bytes")).value())[0] = 9;
    transition.state().get(bytes)[0] = 9;

    assertThat(transition.state().get(bytes)).containsExactly(1);
    assertThat(update).isEqualTo(Update.of(bytes, new byte[] {1}));
  }

  @Test
  void mayBeAsLargeAsItsChannelAllows() {
    Channel<byte[]> scan =
        Channel.value("scan", byte[].class).startingAt(new byte[0]).upTo(64L << 20);

    State state = fold(StateSchema.of(scan).start(), Update.of("scan", new byte[20 << 20]));

    assertThat(state.get(scan)).hasSize(20 << 20);
  }

  @Test
  void twoNodesMayMixTypesInOneStepWhereTypesAreNotDeclared() {
    StateSchema untyped =
        StateSchema.of(Map.of("all", Map.of("reducer", "ADD", "default", List.of())));
    List<String> typed =
        fold(StateSchema.of(LOG).start(), Update.append(LOG, "a")).get(LOG);

    State state = fold(untyped.start(), Update.of("all", typed), Update.of("all", List.of(1)));

    assertThat(state.get("all")).isEqualTo(List.of("a", 1));
  }

  @Test
  void anOverwriteLeavesAConversationInOrder() {
    Message first = Message.human("1").withId("1");
    List<Message> untidy = List.of(Message.human("0").withId("1"), Message.remove("9"), first);

    State state = fold(StateSchema.of(MESSAGES).start(), Update.overwrite(MESSAGES, untidy));

    assertThat(state.get(MESSAGES)).containsExactly(first);
  }

  @Test
  void absentIsNotEmpty() {
    State state =
        fold(StateSchema.of(LOG, NOTE).start(), Update.append(LOG, "a").and(NOTE, "n"));

    assertThat(fold(state, Update.of(LOG, List.of())).get(LOG)).containsExactly("a");
    assertThat(fold(state, Update.overwrite(LOG, List.of())).get(LOG)).isEmpty();
    assertThat(fold(state, Update.of(NOTE, null)).get(NOTE)).isNull();
    assertThat(fold(state, Update.NOTHING).get(NOTE)).isEqualTo("n");
    assertThat(Update.NOTHING.isEmpty()).isTrue();
  }

  @Test
  void namesItsWriterOnceKnown() {
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> {
          try {
            Update.of(LOG, null);
          } catch (InvalidUpdateException refused) {
            throw refused.by("node");
          }
        })
        .satisfies(error -> assertThat(error.writer()).contains("node"))
        .withMessageContaining("channel 'log', written by 'node'");
  }

  @Nested
  class MessageIds {

    @Test
    void areDerivedFromWhoRunsTheTask() {
      Update update = Update.append(
              MESSAGES, Message.human("a"), Message.human("b").withId("mine"), Message.ai("c"))
          .and(Update.of(Map.of("messages", List.of(Message.ai("d")))));

      State state =
          fold(StateSchema.of(MESSAGES).start(), update.withMessageIds("t1/3-1/optimist/0"));

      assertThat(state.get(MESSAGES))
          .extracting(Message::id)
          .containsExactly(
              "t1/3-1/optimist/0-0", "mine", "t1/3-1/optimist/0-2", "t1/3-1/optimist/0-3");
    }

    @Test
    void areTheSameInAReplay() {
      Update update = Update.append(MESSAGES, Message.human("a"));

      assertThat(update.withMessageIds("task")).isEqualTo(update.withMessageIds("task"));
    }

    @Test
    void areFilledInWhereTheTypeSaysLess() {
      ListChannel<Record> records = Channel.list("records", Record.class);
      Update update = Update.append(records, Message.human("a"));

      assertThat(update.withMessageIds("task"))
          .isEqualTo(Update.append(records, Message.human("a").withId("task-0")));
    }

    @Test
    void areLeftAloneWhereTheyExist() {
      Update update = Update.append(MESSAGES, Message.human("a").withId("1")).and(NOTE, "n");

      assertThat(update.withMessageIds("task")).isEqualTo(update);
    }
  }
}
