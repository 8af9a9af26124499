package io.superstep.state;

import static io.superstep.state.StateTests.fold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.error.Problem;
import io.superstep.message.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * State as the debate platform needs it: a conversation, a round, a topic that sticks, a status out
 * of three.
 */
class DebateStateTests {

  private static final Set<String> STATUSES = Set.of("running", "completed", "error");

  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  private static final Channel<Integer> ROUND =
      Channel.value("round", Integer.class).startingAt(0);
  private static final Channel<Integer> MAX_ROUNDS = Channel.value("maxRounds", Integer.class)
      .startingAt(3)
      .validated("1 to 10 rounds are allowed.", max -> max <= 10);
  private static final Channel<@Nullable String> TOPIC =
      Channel.value("topic", String.class).writeOnce();
  private static final Channel<String> STATUS = Channel.value("status", String.class)
      .startingAt("running")
      .refusing(status -> STATUSES.contains(status) ? null : "Invalid status: " + status);
  private static final StateSchema SCHEMA = StateSchema.builder()
      .channels(MESSAGES, ROUND, MAX_ROUNDS, TOPIC, STATUS)
      .check("round", "A round is not negative.", state -> state.get(ROUND) >= 0)
      .check(
          "topic",
          "A topic is not blank.",
          state -> state.get(TOPIC) == null || !state.get(TOPIC).isBlank())
      .check(
          "round, maxRounds",
          "No round after the last.",
          state -> state.get(ROUND) <= state.get(MAX_ROUNDS))
      .build();

  private final State running = fold(SCHEMA.start(), request("AI?"));

  private static Update request(String topic) {
    return Update.of(TOPIC, topic)
        .and(Update.append(MESSAGES, Message.human("Debate topic: " + topic)));
  }

  @Test
  @DisplayName("S4.1 typed state with initial values; the request fills the topic")
  void startsWithItsInitialValues() {
    assertThat(running.get(MESSAGES)).containsExactly(Message.human("Debate topic: AI?"));
    assertThat(running.get(ROUND)).isZero();
    assertThat(running.get(MAX_ROUNDS)).isEqualTo(3);
    assertThat(running.get(STATUS)).isEqualTo("running");
    assertThat(fold(SCHEMA.start(), request("AI?").and(MAX_ROUNDS, 5)).get(MAX_ROUNDS))
        .isEqualTo(5);
  }

  @Test
  @DisplayName("S4.2 a default supplier is called for each run")
  void asksForDefaultsAnew() {
    List<List<String>> given = new ArrayList<>();
    ListChannel<String> list = Channel.list("list", String.class).startingWith(() -> {
      given.add(new ArrayList<>(List.of("first")));
      return given.get(given.size() - 1);
    });
    StateSchema schema = StateSchema.of(list);

    List<String> one = schema.start().get(list);
    List<String> two = schema.start().get(list);

    assertThat(given).hasSize(2);
    assertThat(one).isEqualTo(two).isNotSameAs(two);
  }

  @Test
  @DisplayName("S4.3 messages: append")
  void appendsMessages() {
    Message m1 = Message.human("1").withId("1");
    Message m2 = Message.ai("2").withId("2");
    Message m3 = Message.ai("3").withId("3");

    State two = fold(SCHEMA.start(), Update.append(MESSAGES, m1, m2));

    assertThat(fold(two, Update.append(MESSAGES, m3)).get(MESSAGES)).containsExactly(m1, m2, m3);
  }

  @Test
  @DisplayName("S4.4 round: overwritten by the update")
  void overwritesTheRound() {
    State second = fold(running, Update.of(ROUND, 2));

    assertThat(fold(second, Update.of(ROUND, 3)).get(ROUND)).isEqualTo(3);
  }

  @Nested
  class WriteOnce {

    @Test
    @DisplayName(
        "S4.5 the first real value sticks, a later different one is refused, an equal one accepted")
    void rejects() {
      assertThat(running.get(TOPIC)).isEqualTo("AI?");
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> fold(running, Update.of(TOPIC, "Other")))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-213"))
          .withMessageNotContaining("Other");
      State again = fold(running, Update.of(TOPIC, "AI?"));
      assertThat(again.get(TOPIC)).isEqualTo("AI?");
      assertThat(again.version(TOPIC)).isEqualTo(running.version(TOPIC));
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> fold(running, Update.overwrite(TOPIC, "Other")));
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> fold(SCHEMA.start(), Update.of(TOPIC, "one"), Update.of(TOPIC, "two")));
    }

    @Test
    @DisplayName("S4.5 IGNORE keeps the first value and drops later ones")
    void ignores() {
      Channel<@Nullable String> topic =
          Channel.value("topic", String.class).writeOnce(Channel.Rewrite.IGNORE);

      State first = fold(StateSchema.of(topic).start(), Update.of(topic, "AI?"));

      assertThat(fold(first, Update.of(topic, "Other")).get(topic)).isEqualTo("AI?");
    }

    @Test
    @DisplayName("S4.5 a start value does not count, and neither does null")
    void passesOverStartValues() {
      Channel<String> topic =
          Channel.value("topic", String.class).startingAt("none yet").writeOnce();

      State first = fold(StateSchema.of(topic).start(), Update.of(topic, "AI?"));

      assertThat(first.get(topic)).isEqualTo("AI?");
      assertThat(fold(fold(SCHEMA.start(), Update.of(TOPIC, null)), Update.of(TOPIC, "t"))
              .get(TOPIC))
          .isEqualTo("t");
    }
  }

  @Test
  @DisplayName("S4.6 status: only running, completed, error")
  void refusesAnUnknownStatus() {
    assertThat(fold(running, Update.of(STATUS, "completed")).get(STATUS)).isEqualTo("completed");
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> fold(running, Update.of(STATUS, "paused")))
        .satisfies(error -> assertThat(error.code()).isEqualTo("SG-214"))
        .withMessageContaining("Invalid status: paused");
    assertThat(running.get(STATUS)).isEqualTo("running");
  }

  @Test
  @DisplayName("S4.7 nodes return partial updates; missing fields stay")
  void leavesOtherChannelsAlone() {
    State second = fold(running, Update.of(ROUND, 2));

    State after = fold(second, Update.append(MESSAGES, Message.ai("yes")));

    assertThat(after.get(ROUND)).isEqualTo(2);
    assertThat(after.version(ROUND)).isEqualTo(second.version(ROUND));
    assertThat(fold(after, Update.NOTHING)).isEqualTo(after);
  }

  @Test
  @DisplayName("S4.9 partial updates are type-safe: by map they fail at the boundary")
  void refusesATextAsRound() {
    // Update.of(ROUND, "one") does not compile.
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> SCHEMA.check(Update.of(Map.of("round", "one")), "optimist"))
        .satisfies(error -> assertThat(error.writer()).contains("optimist"));
  }

  @Test
  @DisplayName("S4.10 direct mutation of the state is impossible")
  void cannotBeMutated() {
    List<Message> messages = running.get(MESSAGES);

    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> messages.add(Message.ai("sneaky")));
    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(messages::clear);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> running.asMap().put("round", 9));
    assertThat(running).isEqualTo(fold(SCHEMA.start(), request("AI?")));
  }

  @Nested
  class WhenTheWholeStateIsHandedBack {

    private Update wholeStateWithNextRound(State state) {
      Map<String, @Nullable Object> copy = new HashMap<>(state.asMap());
      copy.put("round", state.get(ROUND) + 1);
      return Update.of(copy);
    }

    @Test
    @DisplayName("S4.11 list channels are not duplicated, and the transition says who did it")
    void listsAreNotDuplicated() {
      ListChannel<String> log = Channel.list("log", String.class);
      StateSchema schema = StateSchema.of(log, ROUND);
      State before = fold(schema.start(), Update.append(log, "a", "b"));

      Transition transition =
          before.fold(List.of(new Contribution("optimist", wholeStateWithNextRound(before))));

      assertThat(transition.state().get(log)).containsExactly("a", "b");
      assertThat(transition.state().get(ROUND)).isEqualTo(1);
      assertThat(transition.handedBack())
          .containsExactly(new Transition.HandedBack("log", "optimist"));
      assertThat(transition.changes().effects()).containsOnlyKeys("round");
    }

    @Test
    @DisplayName("S4.11 also when another node appended in the same step")
    void itIsTheSnapshotThatCounts() {
      ListChannel<String> log = Channel.list("log", String.class);
      State before = fold(StateSchema.of(log, ROUND).start(), Update.append(log, "a"));

      State after = fold(before, Update.append(log, "b"), wholeStateWithNextRound(before));

      assertThat(after.get(log)).containsExactly("a", "b");
    }

    @Test
    @DisplayName("S4.11 scalars and text always count")
    void scalarsCount() {
      Channel<Integer> sum = Channel.sum("sum", Integer.class);
      Channel<String> text = Channel.text("text");
      State before =
          fold(StateSchema.of(sum, text, ROUND).start(), Update.of(sum, 500).and(text, "x"));

      State after = fold(before, wholeStateWithNextRound(before));

      assertThat(after.get(sum)).isEqualTo(1000);
      assertThat(after.get(text)).isEqualTo("xx");
    }

    @Test
    @DisplayName("S4.11 also a list that only holds the last value, and one that holds nothing yet")
    void everyContainerCounts() {
      Channel<@Nullable List<String>> plan =
          Channel.value("plan", new io.superstep.value.TypeRef<List<String>>() {});
      StateSchema schema = StateSchema.of(plan, ROUND);
      State before = fold(schema.start(), Update.of(plan, List.of("a")));

      State after = fold(before, Update.of(plan, List.of("b")), wholeStateWithNextRound(before));

      assertThat(after.get(plan)).containsExactly("b");
      StateSchema untyped =
          StateSchema.of(Map.of("log", Map.of("reducer", "ADD"), "round", Map.of("default", 0)));
      assertThat(fold(untyped.start(), Update.of(untyped.start().asMap())).get("log"))
          .isNull();
    }

    @Test
    void overwritingIsNotHandingBack() {
      ListChannel<String> log = Channel.list("log", String.class);
      State before = fold(StateSchema.of(log).start(), Update.append(log, "a"));

      State after =
          fold(before, Update.append(log, "b").and(Update.overwrite(log, before.get(log))));

      assertThat(after.get(log)).containsExactly("a");
    }
  }

  @Test
  @DisplayName(
      "S4.15 the whole state is validated before it is committed, each problem with its path")
  void validatesTheWholeState() {
    refused(Update.of(ROUND, -1), "round");
    refused(Update.of(MAX_ROUNDS, 11), "channel 'maxRounds', written by 'a'");
    refused(Update.of(STATUS, "x"), "channel 'status', written by 'a'");
    refused(Update.of(ROUND, 4), "round, maxRounds");
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> fold(SCHEMA.start(), Update.of(TOPIC, "")))
        .satisfies(error ->
            assertThat(error.problems()).extracting(Problem::where).containsExactly("topic"));
  }

  @Test
  void blamesWhoWroteLast() {
    Channel<@Nullable Integer> shared = Channel.value("shared", Integer.class)
        .lastWins()
        .validated("It is not negative.", value -> value >= 0);

    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(
            () -> fold(StateSchema.of(shared).start(), Update.of(shared, 1), Update.of(shared, -1)))
        .satisfies(error -> assertThat(error.writer()).contains("b"));
  }

  @Test
  void validatesStartValuesToo() {
    Channel<Integer> round = Channel.value("round", Integer.class)
        .startingAt(-1)
        .validated("A round is not negative.", value -> value >= 0);

    assertThatExceptionOfType(InvalidSchemaException.class)
        .isThrownBy(() -> StateSchema.of(round).start())
        .satisfies(error -> assertThat(error.code()).isEqualTo("SG-233"));
  }

  private void refused(Update update, String path) {
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> fold(running, update))
        .satisfies(
            error -> assertThat(error.problems()).extracting(Problem::where).containsExactly(path));
  }
}
