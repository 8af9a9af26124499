package io.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.message.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Overwrites beside other updates of the same step. */
class OverwriteOrderTests {

  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<Integer> SUM = Channel.sum("sum", Integer.class);
  private static final Channel<String> TEXT = Channel.text("text");
  private static final Channel<Set<String>> SET = Channel.set("set", String.class);
  private static final Channel<Map<String, Integer>> MAP =
      Channel.map("map", String.class, Integer.class);
  private static final ListChannel<Message> CHAT = Channel.messages("chat");
  private static final Channel<Integer> MOST = Channel.reduced("most", Integer.class, 0, Math::max);
  private static final Channel<Integer> LAST =
      Channel.value("last", Integer.class).lastWins();
  private static final Channel<Integer> ONE = Channel.value("one", Integer.class);
  private static final StateSchema SCHEMA =
      StateSchema.of(LOG, SUM, TEXT, SET, MAP, CHAT, MOST, LAST, ONE);

  private static State start() {
    return SCHEMA.start().fold(List.of(by("input", written("old", 100)))).state();
  }

  private static Contribution by(String writer, Update... updates) {
    return new Contribution(writer, Update.all(List.of(updates)));
  }

  /** Writes to all channels with a reducer. */
  private static Update written(String text, int number) {
    return Update.append(LOG, text)
        .and(SUM, number)
        .and(TEXT, text)
        .and(SET, Set.of(text))
        .and(MAP, Map.of(text, number))
        .and(CHAT, List.of(Message.human(text).withId(text)))
        .and(MOST, number);
  }

  private static Update overwritten(String text, int number) {
    return Update.overwrite(LOG, List.of(text))
        .and(Update.overwrite(SUM, number))
        .and(Update.overwrite(TEXT, text))
        .and(Update.overwrite(SET, Set.of(text)))
        .and(Update.overwrite(MAP, Map.of(text, number)))
        .and(Update.overwrite(CHAT, List.of(Message.human(text).withId(text))))
        .and(Update.overwrite(MOST, number));
  }

  private static <T> List<List<T>> permutations(List<T> items) {
    if (items.isEmpty()) {
      return List.of(List.of());
    }
    List<List<T>> all = new ArrayList<>();
    for (int index = 0; index < items.size(); index++) {
      List<T> others = new ArrayList<>(items);
      T first = others.remove(index);
      for (List<T> tail : permutations(others)) {
        List<T> permutation = new ArrayList<>(List.of(first));
        permutation.addAll(tail);
        all.add(permutation);
      }
    }
    return all;
  }

  @Test
  @DisplayName(
      "S0.16 an overwrite beside an append is applied first, whatever the declaration order")
  void anOverwriteComesFirst() {
    Contribution append = by("append", Update.append(LOG, "a"));
    Contribution overwrite = by("overwrite", Update.overwrite(LOG, List.of("new")));

    for (List<Contribution> order : permutations(List.of(append, overwrite))) {
      Transition next = start().fold(order);
      assertThat(next.state().get(LOG)).containsExactly("new", "a");
      assertThat(start().apply(next.changes())).isEqualTo(next.state());
    }
  }

  @Test
  @DisplayName("S0.16 within a task the order of its writes counts")
  void withinATaskTheOrderCounts() {
    Contribution other = by("other", Update.append(LOG, "x").and(ONE, 1));
    Contribution chained = by(
        "chained",
        Update.append(LOG, "lost"),
        Update.overwrite(LOG, List.of("first")),
        Update.append(LOG, "lost too"),
        Update.overwrite(LOG, List.of("base")),
        Update.append(LOG, "kept"));

    assertThat(start().fold(List.of(chained)).state().get(LOG)).containsExactly("base", "kept");
    assertThat(start().fold(List.of(other, chained)).state().get(LOG))
        .containsExactly("base", "x", "kept");
    assertThat(start().fold(List.of(chained, other)).state().get(LOG))
        .containsExactly("base", "kept", "x");
  }

  @RepeatedTest(40)
  @DisplayName("S0.16 in all declaration orders an overwrite is the base of all other updates")
  void everyOrder(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<Contribution> tasks = new ArrayList<>();
    int others = 1 + random.nextInt(3);
    for (int task = 0; task < others; task++) {
      tasks.add(by("task" + task, written("t" + task, task + 1)));
    }
    List<Update> chain = new ArrayList<>();
    for (int before = random.nextInt(2); before > 0; before--) {
      chain.add(written("before", 50));
    }
    chain.add(overwritten("base", 10));
    boolean writesAfter = random.nextBoolean();
    if (writesAfter) {
      chain.add(written("after", 5));
    }
    tasks.add(new Contribution("overwriter", Update.all(chain)));
    State base =
        start().fold(List.of(by("overwriter", overwritten("base", 10)))).state();

    for (List<Contribution> order : permutations(tasks)) {
      List<Contribution> rest = new ArrayList<>();
      order.forEach(each -> {
        if (!each.writer().equals("overwriter")) {
          rest.add(each);
        } else if (writesAfter) {
          rest.add(by("overwriter", written("after", 5)));
        }
      });
      Transition next = start().fold(order);
      assertThat(next.state().asMap()).isEqualTo(base.fold(rest).state().asMap());
      assertThat(start().apply(next.changes())).isEqualTo(next.state());
      Update one = Update.all(
          SCHEMA.inFoldOrder(order).stream().map(Contribution::update).toList());
      assertThat(start().fold(by("one", one)).state()).isEqualTo(next.state());
      assertThat(next.state().get(LOG)).hasSize(1 + rest.size()).startsWith("base");
      assertThat(next.state().get(SUM))
          .isEqualTo(10 + others * (others + 1) / 2 + (writesAfter ? 5 : 0));
    }
  }

  @Test
  @DisplayName(
      "S0.16 two tasks that overwrite one channel are a conflict in every declaration order")
  void twoOverwritesConflict() {
    List<Contribution> tasks = List.of(
        by("a", Update.overwrite(LOG, List.of("a"))),
        by("b", Update.overwrite(LOG, List.of("b"))),
        by("c", Update.append(LOG, "c")));

    for (List<Contribution> order : permutations(tasks)) {
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> start().fold(order))
          .satisfies(refused -> {
            assertThat(refused.code()).isEqualTo("SG-212");
            assertThat(refused.channel()).contains("log");
            assertThat(refused).hasMessageContaining("'a'").hasMessageContaining("'b'");
          });
    }
  }

  @Test
  @DisplayName("S0.16 two tasks of one node that overwrite one channel are a conflict")
  void twoTasksOfOneNodeConflict() {
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> start()
            .fold(List.of(
                by("work", Update.overwrite("sum", 1)), by("work", Update.overwrite("sum", 1)))))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo("SG-212"));
  }

  @Test
  @DisplayName("S0.16 a channel without a reducer treats an overwrite as any other write")
  void withoutAReducer() {
    List<Contribution> tasks = new ArrayList<>(List.of(
        by("a", Update.overwrite(LAST, 1)), by("b", Update.of(LAST, 2).and(LOG, List.of("b")))));
    assertThat(start().fold(tasks).state().get(LAST)).isEqualTo(2);
    Collections.reverse(tasks);
    assertThat(start().fold(tasks).state().get(LAST)).isEqualTo(1);

    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() ->
            start().fold(List.of(by("a", Update.overwrite(ONE, 1)), by("b", Update.of(ONE, 2)))))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo("SG-212"));
  }
}
