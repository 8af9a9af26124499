package io.superstep.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.superstep.value.TypeRef;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HostileAnswerTests {

  record Review(Grade grade, List<Integer> pages, @Nullable String remark, double weight) {}

  enum Grade {
    GOOD,
    BAD
  }

  private static List<Question<?>> questions() {
    List<Question<?>> questions = new ArrayList<>(List.of(
        Question.yesNo("?"),
        Question.text("?"),
        Question.wholeNumber("?"),
        Question.decimal("?"),
        Question.oneOf("?", "a", "b"),
        Question.someOf("?", "a", "b"),
        Question.nextNode("?", "a", "b"),
        Question.open("?"),
        Question.of("?", Review.class),
        Question.of("?", Grade.class),
        Question.of("?", Integer.class),
        Question.of("?", Double.class),
        Question.of("?", new TypeRef<List<Grade>>() {}),
        Question.of("?", new TypeRef<List<List<Review>>>() {})));
    List.copyOf(questions).forEach(question -> questions.add(question.orNothing()));
    return questions;
  }

  private static List<@Nullable Object> answers() {
    Map<Object, @Nullable Object> nullKey = new HashMap<>();
    nullKey.put(null, 1);
    Map<String, @Nullable Object> nulls = new HashMap<>();
    for (String name : List.of("grade", "pages", "remark", "weight")) {
      nulls.put(name, null);
    }
    List<Object> itself = new ArrayList<>();
    itself.add(itself);
    return Arrays.asList(
        null,
        true,
        "a",
        "GOOD",
        "",
        1,
        1L << 40,
        1.5,
        Double.NaN,
        Float.POSITIVE_INFINITY,
        new BigDecimal("1e999999999"),
        new AtomicLong(1),
        Collections.singletonList(null),
        List.of(Collections.singletonList(null)),
        Arrays.asList("a", null),
        List.of("a", "a"),
        List.of(List.of("a")),
        List.of(1),
        List.of(Map.of()),
        Set.of("a"),
        Map.of(),
        Map.of("grade", "GOOD", "pages", Collections.singletonList(null), "weight", 1),
        Map.of("grade", List.of("GOOD"), "pages", "1", "weight", Map.of()),
        Map.of("x".repeat(1_000_000), 1),
        Map.of(1, 1),
        nullKey,
        nulls,
        List.of(nulls),
        itself,
        new String[] {"a"},
        new byte[] {1},
        new Object());
  }

  @Test
  @DisplayName("every answer to every kind of question is accepted, or refused with a typed error")
  void accepted() {
    for (Question<?> question : questions()) {
      for (Object answer : answers()) {
        Throwable refused =
            catchThrowable(() -> question.read("q", question.prompt().accept("q", answer)));
        if (refused != null) {
          assertThat(refused).isInstanceOf(InvalidAnswerException.class);
          assertThat(refused.getMessage().length()).isLessThan(2_000);
        }
      }
    }
  }

  @Test
  @DisplayName("null inside of an answer to someOf is refused with a typed error")
  void nullChoices() {
    Throwable refused = catchThrowable(
        () -> Question.someOf("?", "a", "b").prompt().accept("q", Collections.singletonList(null)));

    assertThat(refused).isInstanceOf(InvalidAnswerException.class).hasMessageContaining("SG-441");
  }

  @Test
  @DisplayName("the forms themselves refuse raw data with a typed error, too")
  void forms() {
    for (Question<?> question : questions()) {
      for (Object answer : answers()) {
        Throwable refused = catchThrowable(() -> question.prompt().form().accept(answer, "answer"));
        if (refused != null) {
          assertThat(refused).isInstanceOf(AnswerForm.Misfit.class);
        }
      }
    }
  }
}
