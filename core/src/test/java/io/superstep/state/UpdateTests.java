package io.superstep.state;

import static io.superstep.state.GraphAgentRowsTests.fold;
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
    assertThat(Update.of(NOTE, "secret").and(LOG, List.of("secret")))
        .hasToString("Update[note, log]");
    assertThat(fold(StateSchema.of(NOTE, LOG).start(), Update.of(NOTE, "secret")))
        .hasToString("State[note@1, log@0]");
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
    void areLeftAloneWhereTheyExist() {
      Update update = Update.append(MESSAGES, Message.human("a").withId("1")).and(NOTE, "n");

      assertThat(update.withMessageIds("task")).isEqualTo(update);
    }
  }
}
