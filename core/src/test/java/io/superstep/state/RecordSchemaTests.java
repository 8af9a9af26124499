package io.superstep.state;

import static io.superstep.state.StateTests.fold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A record as the schema, and a state as that record. */
class RecordSchemaTests {

  record Debate(
      @Reduced(Reduced.By.MESSAGES) List<Message> messages,
      @Reduced(Reduced.By.ADD) int tokens,
      @Reduced(Reduced.By.ADD) String draft,
      @Reduced(Reduced.By.ADD) List<String> log,
      @Reduced(Reduced.By.UNION) Set<String> tags,
      @Reduced(Reduced.By.MERGE_DEEP) Map<String, Object> facts,
      @Reduced(Reduced.By.WRITE_ONCE) String topic,
      @Reduced(Reduced.By.LAST_WINS) String status,
      int round) {}

  private static final StateSchema SCHEMA = StateSchema.of(Debate.class);

  @Test
  void startsEmptyWherePartsAreFolded() {
    assertThat(SCHEMA.start().view(Debate.class))
        .isEqualTo(new Debate(List.of(), 0, "", List.of(), Set.of(), Map.of(), null, null, 0));
  }

  @Test
  void foldsAsItsAnnotationsSay() {
    State state = fold(
        SCHEMA.start(),
        Update.of(Map.of(
            "tokens", 1, "draft", "a", "log", List.of("x"), "tags", Set.of("t"), "status", "A")),
        Update.of(Map.of(
                "tokens",
                2,
                "draft",
                "b",
                "log",
                List.of("y"),
                "tags",
                Set.of("t", "u"),
                "status",
                "B"))
            .and(Update.of(Map.of("facts", Map.of("n", Map.of("x", 1)))))
            .and(
                Update.of(Map.of("facts", Map.of("n", Map.of("y", 2)), "topic", "AI?", "round", 1)))
            .and(Update.of("messages", List.of(Message.human("hi").withId("1")))));

    assertThat(state.view(Debate.class))
        .isEqualTo(new Debate(
            List.of(Message.human("hi").withId("1")),
            3,
            "ab",
            List.of("x", "y"),
            Set.of("t", "u"),
            Map.of("n", Map.of("x", 1, "y", 2)),
            "AI?",
            "B",
            1));
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> fold(state, Update.of("topic", "Other")));
  }

  @Test
  void givesTypedKeys() {
    Channel<Integer> round = SCHEMA.channel("round", Integer.class);

    assertThat(fold(SCHEMA.start(), Update.of(round, 2)).get(round)).isEqualTo(2);
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> SCHEMA.channel("round", String.class));
  }

  record Mutable(
      ArrayList<String> list, @Reduced(Reduced.By.UNION) List<String> notASet) {}

  @Test
  void tellsAllComponentsThatCannotBeChannels() {
    assertThatExceptionOfType(InvalidSchemaException.class)
        .isThrownBy(() -> StateSchema.of(Mutable.class))
        .satisfies(error -> assertThat(error.problems()).hasSize(2))
        .withMessageContaining("Mutable.list")
        .withMessageContaining("Mutable.notASet");
  }

  record Part(int round, String topic) {}

  record Wrong(String round) {}

  record Unknown(int rund) {}

  record Picky(int round) {
    Picky {
      throw new IllegalStateException("never");
    }
  }

  record Primitive(int maybe) {}

  @Test
  void aViewMayShowAPart() {
    assertThat(SCHEMA.start().view(Part.class)).isEqualTo(new Part(0, null));
  }

  @Test
  void aViewThatDoesNotFitIsATypedError() {
    assertThatExceptionOfType(InvalidViewException.class)
        .isThrownBy(() -> SCHEMA.start().view(Wrong.class))
        .withMessageContaining("'round' does not have the type of its channel, Integer.");
    assertThatExceptionOfType(InvalidViewException.class)
        .isThrownBy(() -> SCHEMA.start().view(Unknown.class))
        .withMessageContaining("Did you mean 'round'?");
    assertThatExceptionOfType(InvalidViewException.class)
        .isThrownBy(() -> SCHEMA.start().view(Picky.class))
        .withCauseInstanceOf(IllegalStateException.class);
    assertThatExceptionOfType(InvalidViewException.class)
        .isThrownBy(() ->
            StateSchema.of(Channel.value("maybe", Integer.class)).start().view(Primitive.class))
        .withMessageContaining("has a primitive type, but its channel has no value");
  }
}
