package io.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.message.Message;
import io.superstep.value.InvalidValueException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The reducers that have a name, called by hand. */
class NamedReducersTests {

  @Nested
  class Add {

    @Test
    @DisplayName("S0.8 ADD concatenates lists, adds numbers, joins texts")
    void combinesWhatIsAlike() {
      assertThat(Reducers.ADD.reduce(List.of(1), List.of(2))).isEqualTo(List.of(1, 2));
      assertThat(Reducers.ADD.reduce(2, 3)).isEqualTo(5);
      assertThat(Reducers.ADD.reduce(2L, 3L)).isEqualTo(5L);
      assertThat(Reducers.ADD.reduce(0.5, 0.25)).isEqualTo(0.75);
      assertThat(Reducers.ADD.reduce(new BigDecimal("1.10"), new BigDecimal("2.2")))
          .isEqualTo(new BigDecimal("3.30"));
      assertThat(Reducers.ADD.reduce("a", "b")).isEqualTo("ab");
      assertThat(Reducers.ADD.reduce(null, "b")).isEqualTo("b");
    }

    @Test
    @DisplayName("S0.8 ADD refuses what is not alike with a typed error, never a silent cast")
    void refusesWhatIsNotAlike() {
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> Reducers.ADD.reduce(List.of(1), 2))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-207"))
          .withMessageContaining("cannot combine List with Integer");
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> Reducers.ADD.reduce(1, 2L));
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> Reducers.ADD.reduce("1", 2));
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> Reducers.ADD.reduce(Map.of(), Map.of()));
    }

    @Test
    void refusesToOverflow() {
      assertThatExceptionOfType(ArithmeticException.class)
          .isThrownBy(() -> Reducers.ADD.reduce(Integer.MAX_VALUE, 1));
    }
  }

  @Test
  @DisplayName("S0.9 APPEND wraps both sides as lists, then concatenates")
  void appendWrapsBothSides() {
    assertThat(Reducers.APPEND.reduce(null, "x")).isEqualTo(List.of("x"));
    assertThat(Reducers.APPEND.reduce("a", List.of("b", "c"))).isEqualTo(List.of("a", "b", "c"));
    assertThat(Reducers.APPEND.reduce(List.of("a"), null)).isEqualTo(List.of("a"));
    assertThat(Reducers.APPEND.reduce(List.of("a"), List.of("b"))).isEqualTo(List.of("a", "b"));
  }

  @Test
  @DisplayName("S0.10 MERGE is shallow; REPLACE keeps the new value")
  void mergeIsShallow() {
    assertThat(
            Reducers.MERGE.reduce(Map.of("a", 1, "n", Map.of("x", 1)), Map.of("n", Map.of("y", 2))))
        .isEqualTo(Map.of("a", 1, "n", Map.of("y", 2)));
    assertThat(Reducers.REPLACE.reduce(5, 7)).isEqualTo(7);
  }

  @Test
  void mergeRefusesWhatIsNotAMap() {
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Reducers.MERGE.reduce(Map.of(), 1));
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Reducers.MERGE.reduce(1, Map.of()));
  }

  @Test
  void deepMergeGoesDown() {
    assertThat(Reducers.MERGE_DEEP.reduce(
            Map.of("a", 1, "n", Map.of("x", 1, "y", 2)),
            Map.of("b", 2, "n", Map.of("y", 3, "z", 4))))
        .isEqualTo(Map.of("a", 1, "b", 2, "n", Map.of("x", 1, "y", 3, "z", 4)));
  }

  @Nested
  class AddMessages {

    private final List<Message> existing =
        List.of(Message.human("Hi").withId("1"), Message.ai("Hello").withId("2"));

    @Test
    @DisplayName("S0.11 addMessages replaces by id in place and appends unknown ids")
    void replacesInPlace() {
      Message better = Message.ai("Hello! How can I help?").withId("2");
      Message joke = Message.human("Tell me a joke").withId("3");

      assertThat(Reducers.addMessages(existing, List.of(better, joke)))
          .containsExactly(existing.get(0), better, joke);
    }

    @Test
    @DisplayName("S0.12 messages without an id are always appended")
    void appendsMessagesWithoutId() {
      List<Message> once = Reducers.addMessages(List.of(), List.of(Message.human("a")));

      assertThat(Reducers.addMessages(once, List.of(Message.human("a")))).hasSize(2);
      assertThat(Reducers.addMessages(List.of(), List.of(Message.human("a"), Message.human("a"))))
          .hasSize(2);
    }

    @Test
    @DisplayName("S0.13 of several messages with one id in an update the last one counts")
    void collapsesDuplicates() {
      Message a = Message.human("a").withId("3");
      Message b = Message.human("b").withId("3");

      assertThat(Reducers.addMessages(List.of(), List.of(a, b))).containsExactly(b);
      assertThat(Reducers.addMessages(List.of(a), List.of(b, a, b))).containsExactly(b);
    }

    @Test
    void removesById() {
      assertThat(Reducers.addMessages(existing, List.of(Message.remove("1"))))
          .containsExactly(existing.get(1));
      assertThat(Reducers.addMessages(existing, List.of(Message.remove("9")))).isEqualTo(existing);
    }

    @Test
    void removesThenAppendsWhatComesBack() {
      Message again = Message.human("Hi again").withId("1");

      assertThat(Reducers.addMessages(existing, List.of(Message.remove("1"), again)))
          .containsExactly(existing.get(1), again);
      assertThat(Reducers.addMessages(existing, List.of(again, Message.remove("1"))))
          .containsExactly(existing.get(1));
    }

    @Test
    void keepsPositionsRightWhileRemovingAndReplacing() {
      List<Message> five = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        five.add(Message.human("m" + i).withId("" + i));
      }
      Message three = Message.human("three").withId("3");

      assertThat(
              Reducers.addMessages(five, List.of(Message.remove("1"), three, Message.remove("0"))))
          .containsExactly(five.get(2), three, five.get(4));
    }

    @Test
    void startsAnew() {
      Message first = Message.human("fresh").withId("1");

      assertThat(Reducers.addMessages(
              existing, List.of(Message.human("gone"), Message.removeAll(), first)))
          .containsExactly(first);
      assertThat(Reducers.addMessages(existing, List.of(Message.removeAll()))).isEmpty();
    }

    @Test
    void forgetsWhatIsRemovedAgainInTheSameUpdate() {
      Message noId = Message.human("n");

      assertThat(Reducers.addMessages(
              List.of(),
              List.of(
                  Message.human("x").withId("x"), noId, Message.remove("x"), Message.human("m"))))
          .containsExactly(noId, Message.human("m"));
    }
  }
}
