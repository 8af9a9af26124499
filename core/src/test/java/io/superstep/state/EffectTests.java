package io.superstep.state;

import static io.superstep.state.StateTests.fold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.message.Message;
import io.superstep.value.FrozenList;
import io.superstep.value.InvalidValueException;
import io.superstep.value.TypeRef;
import io.superstep.value.ValueType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Effects as data: what each one does to a value, and what a step leaves behind. */
class EffectTests {

  private static final ValueType<List<String>> TEXTS = ValueType.of(new TypeRef<>() {});
  private static final ValueType<Set<String>> SET = ValueType.of(new TypeRef<>() {});
  private static final ValueType<Map<String, @Nullable Object>> MAP =
      ValueType.of(new TypeRef<>() {});
  private static final ListChannel<String> LOG = Channel.list("log", String.class);

  private static SortedSet<Integer> at(Integer... positions) {
    return new TreeSet<>(List.of(positions));
  }

  private static SortedMap<Integer, String> at(Map<Integer, String> byPosition) {
    return new TreeMap<>(byPosition);
  }

  private static Contribution by(String writer, Update update) {
    return new Contribution(writer, update);
  }

  @Nested
  class ByHand {

    @Test
    void replaceTakesTheOthersPlace() {
      assertThat(Effect.replace("b").on("a", ValueType.of(String.class))).isEqualTo("b");
      assertThat(Effect.<@Nullable String>replace(null).on("a", ValueType.of(String.class)))
          .isNull();
    }

    @Test
    void nothingLeavesWhatIsThere() {
      List<String> current = TEXTS.freeze(List.of("a"));

      assertThat(Effect.<List<String>>nothing().on(current, TEXTS)).isSameAs(current);
      assertThat(Effect.append(List.<String>of())).isInstanceOf(Effect.Nothing.class);
    }

    @Test
    void joinWritesBehind() {
      assertThat(new Effect.Join("b").on("a", ValueType.of(String.class))).isEqualTo("ab");
      assertThat(new Effect.Join("b").on(null, ValueType.of(String.class))).isEqualTo("b");
    }

    @Test
    void appendStandsBehind() {
      assertThat(new Effect.Append<>(List.of("b", "c")).on(List.of("a"), TEXTS))
          .containsExactly("a", "b", "c");
      assertThat(new Effect.Append<>(List.of("b")).on(null, TEXTS)).containsExactly("b");
    }

    @Test
    void unionBringsWhatIsNew() {
      assertThat(new Effect.Union<>(linked("b", "c")).on(linked("a", "b"), SET))
          .containsExactly("a", "b", "c");
      assertThat(new Effect.Union<>(linked("b")).on(null, SET)).containsExactly("b");
    }

    private Set<String> linked(String... elements) {
      return new LinkedHashSet<>(List.of(elements));
    }

    @Test
    void mergePutsEntries() {
      Map<String, @Nullable Object> current = Map.of("a", 1, "n", Map.of("x", 1));
      Map<String, @Nullable Object> entries = Map.of("n", Map.of("y", 2));

      assertThat(new Effect.Merge<>(entries, false).on(current, MAP))
          .isEqualTo(Map.of("a", 1, "n", Map.of("y", 2)));
      assertThat(new Effect.Merge<>(entries, true).on(current, MAP))
          .isEqualTo(Map.of("a", 1, "n", Map.of("x", 1, "y", 2)));
      assertThat(new Effect.Merge<>(entries, true).on(null, MAP)).isEqualTo(entries);
    }

    @Test
    void deepMergeReplacesWhereOneSideIsNoMap() {
      assertThat(new Effect.Merge<>(Map.of("a", Map.of("x", 1), "b", 2), true)
              .on(Map.of("a", 1, "b", Map.of("y", 1)), MAP))
          .isEqualTo(Map.of("a", Map.of("x", 1), "b", 2));
    }

    @Test
    void sequenceDoesOneAfterTheOther() {
      Effect<List<String>> sequence = new Effect.Sequence<>(List.of(
          Effect.replace(List.of("x")),
          new Effect.Append<>(List.of("y", "z")),
          new Effect.Edit<>(at(0), at(Map.of()), at(Map.of())),
          Effect.nothing()));

      assertThat(sequence.frozen(TEXTS, ValueType.MAX_SIZE).on(List.of("a"), TEXTS))
          .containsExactly("y", "z");
      assertThat(new Effect.Sequence<List<String>>(List.of()).on(TEXTS.freeze(List.of("a")), TEXTS))
          .containsExactly("a");
    }

    @Test
    void areValues() {
      assertThat(new Effect.Append<>(List.of("a"))).isEqualTo(new Effect.Append<>(List.of("a")));
      assertThat(Effect.nothing()).isEqualTo(Effect.nothing());
      assertThat(new Effect.Join("a")).isNotEqualTo(new Effect.Join("b"));
    }
  }

  @Nested
  class Edits {

    private final List<String> letters = List.of("a", "b", "c", "d", "e");

    private List<String> edited(
        SortedSet<Integer> removed,
        SortedMap<Integer, String> replaced,
        SortedMap<Integer, String> inserted) {
      return new Effect.Edit<>(removed, replaced, inserted)
          .frozen(TEXTS, ValueType.MAX_SIZE)
          .on(letters, TEXTS);
    }

    @Test
    void removeByOldPositions() {
      assertThat(edited(at(0, 2, 4), at(Map.of()), at(Map.of()))).containsExactly("b", "d");
    }

    @Test
    void replaceByThePositionsAfterTheRemovals() {
      assertThat(edited(at(0, 1), at(Map.of(0, "C")), at(Map.of()))).containsExactly("C", "d", "e");
    }

    @Test
    void insertByThePositionsInTheEnd() {
      assertThat(edited(at(), at(Map.of()), at(Map.of(0, "start", 3, "mid", 7, "end"))))
          .containsExactly("start", "a", "b", "mid", "c", "d", "e", "end");
    }

    @Test
    void doAllAtOnce() {
      assertThat(edited(at(1, 3), at(Map.of(1, "C")), at(Map.of(1, "x", 4, "y"))))
          .containsExactly("a", "x", "C", "e", "y");
    }

    @Test
    void appendWhereAllComeLast() {
      assertThat(edited(at(4), at(Map.of(0, "A")), at(Map.of(4, "x", 5, "y"))))
          .containsExactly("A", "b", "c", "d", "x", "y");
    }

    @Test
    void refusePositionsThatAreNotThere() {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> edited(at(5), at(Map.of()), at(Map.of())));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> edited(at(), at(Map.of(5, "x")), at(Map.of())));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> edited(at(), at(Map.of()), at(Map.of(0, "x", 8, "y"))));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> edited(at(), at(Map.of()), at(Map.of(6, "leaves a gap"))));
    }

    @Test
    void keepTheirOwnCopyOfThePositions() {
      SortedSet<Integer> removed = at(0);
      SortedMap<Integer, String> replaced = at(Map.of(0, "x"));
      Effect.Edit<String> edit = new Effect.Edit<>(removed, replaced, at(Map.of()));

      removed.add(1);
      replaced.put(1, "y");

      assertThat(edit.on(letters, TEXTS)).containsExactly("x", "c", "d", "e");
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> edit.removed().clear());
    }

    @Test
    void areWhatMessagesLeaveBehind() {
      ListChannel<Message> chat = Channel.messages("chat");
      Message one = Message.human("1").withId("1");
      Message two = Message.human("2").withId("2");
      Message three = Message.human("3").withId("3");
      Message better = Message.ai("2!").withId("2");
      State before = fold(StateSchema.of(chat).start(), Update.append(chat, one, two));

      Transition transition =
          before.fold(List.of(by("n", Update.append(chat, Message.remove("1"), better, three))));

      assertThat(transition.changes().effects().get("chat"))
          .isEqualTo(new Effect.Edit<>(
              at(0), new TreeMap<>(Map.of(0, better)), new TreeMap<>(Map.of(1, three))));
      assertThat(transition.state().get(chat)).containsExactly(better, three);
    }
  }

  @Nested
  class WhatTheyCarry {

    @Test
    void isCheckedAndFrozenForItsPlace() {
      List<String> items = new ArrayList<>(List.of("a"));
      Effect<List<String>> append = new Effect.Append<>(items).frozen(TEXTS, ValueType.MAX_SIZE);

      items.add("b");

      assertThat(append.on(List.of(), TEXTS)).containsExactly("a");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void isRefusedIfItDoesNotFit() {
      List<Effect> wrong = List.of(
          new Effect.Append<>(List.of(1)),
          new Effect.Edit<>(at(), new TreeMap<>(Map.of(0, 1)), new TreeMap<>()),
          new Effect.Edit<>(at(), new TreeMap<>(), new TreeMap<>(Map.of(0, 1))),
          new Effect.Replace<>("no list"),
          new Effect.Union<>(Set.of("a")),
          new Effect.Merge<>(Map.of("a", "b"), false),
          new Effect.Sequence<>(List.of(new Effect.Append<>(List.of(1)))));

      for (Effect effect : wrong) {
        assertThatExceptionOfType(InvalidValueException.class)
            .as(effect.toString())
            .isThrownBy(() -> effect.frozen(TEXTS, ValueType.MAX_SIZE))
            .satisfies(error -> assertThat(error.code()).isEqualTo("SG-201"));
      }
    }

    @Test
    void isRefusedIfItIsTooLarge() {
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> new Effect.Append<>(List.of("x".repeat(100))).frozen(TEXTS, 99))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-205"));
    }
  }

  @Nested
  class OfAStep {

    private final Channel<Integer> count = Channel.sum("count", Integer.class);
    private final Channel<@Nullable String> status =
        Channel.value("status", String.class).lastWins();
    private final State start = StateSchema.of(LOG, count, status).start();

    @Test
    void aThousandWritersMakeOneAppend() {
      List<Contribution> contributions = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        contributions.add(by("w" + i, Update.append(LOG, "a" + i, "b" + i)));
        expected.add("a" + i);
        expected.add("b" + i);
      }

      Transition transition = start.fold(contributions);

      assertThat(transition.changes().effects())
          .isEqualTo(Map.of("log", new Effect.Append<>(expected)));
      assertThat(transition.state().get(LOG)).isEqualTo(expected);
      assertThat(transition.state().version(LOG)).isEqualTo(1);
    }

    @Test
    void aReplacementMakesWhatCameBeforeInvisible() {
      Transition transition = start.fold(List.of(
          by("b", Update.append(LOG, "gone").and(Update.overwrite(LOG, List.of("new")))),
          by("c", Update.append(LOG, "more")),
          by("d", Update.append(LOG, "and more"))));

      assertThat(transition.changes().effects().get("log"))
          .isEqualTo(new Effect.Sequence<>(List.of(
              Effect.replace(List.of("new")), new Effect.Append<>(List.of("more", "and more")))));
      assertThat(start.apply(transition.changes())).isEqualTo(transition.state());
    }

    @Test
    void manyReplacementsAreOne() {
      Transition transition = start.fold(List.of(
          by("a", Update.of(count, 1).and(status, "a")),
          by("b", Update.of(count, 2).and(status, "b")),
          by("c", Update.of(count, 3).and(status, "c"))));

      assertThat(transition.changes().effects())
          .isEqualTo(Map.of("count", new Effect.Add<>(6), "status", Effect.replace("c")));
    }

    @Test
    void amountsThatCannotBecomeOneFollowEachOther() {
      Channel<Double> rounded = Channel.sum("rounded", Double.class);
      State low = fold(StateSchema.of(count, rounded).start(), Update.of(count, -2_000_000_000));
      Update much = Update.of(count, 2_000_000_000).and(rounded, 0.1);

      Transition transition = low.fold(List.of(
          by("a", much),
          by("b", much),
          by("c", Update.of(count, -1_999_999_999).and(rounded, 0.3))));

      assertThat(transition.state().get(count)).isEqualTo(1);
      assertThat(low.apply(transition.changes())).isEqualTo(transition.state());
    }

    @Test
    void addingNothingIsNoChange() {
      Channel<BigDecimal> decimal = Channel.sum("decimal", BigDecimal.class);
      State zero = StateSchema.of(count, decimal).start();

      assertThat(zero.fold(List.of(by("a", Update.of(count, 0).and(decimal, BigDecimal.ZERO))))
              .changes()
              .isEmpty())
          .isTrue();
      assertThat(fold(zero, Update.of(decimal, new BigDecimal("0.00"))).get(decimal))
          .isEqualTo(new BigDecimal("0.00"));
    }

    @Test
    void anAmountThatDoesNotFitIsRefused() {
      for (Effect<?> misfit : List.of(
          new Effect.Add<>(1L), new Effect.Add<>(0.5), new Effect.Add<>(Integer.MAX_VALUE))) {
        State one = fold(start, Update.of(count, 1));
        Changes changes = new Changes(Map.of("count", misfit));

        assertThatExceptionOfType(InvalidUpdateException.class)
            .isThrownBy(() -> one.apply(changes))
            .withMessageContaining("'count'");
      }
    }

    @Test
    void channelsComeInTheOrderInWhichTheyWereFirstWritten() {
      Transition transition = start.fold(List.of(
          by("a", Update.of(status, "x")),
          by("b", Update.append(LOG, "l").and(status, "y").and(count, 1))));

      assertThat(transition.changes().effects().keySet()).containsExactly("status", "log", "count");
    }

    @Test
    void writingNothingIsNoChange() {
      Transition transition =
          start.fold(List.of(by("a", Update.of(LOG, List.of())), by("b", Update.NOTHING)));

      assertThat(transition.changes().isEmpty()).isTrue();
      assertThat(transition.state().version(LOG)).isZero();
      assertThat(transition.state()).isEqualTo(start);
    }

    @Test
    void aChannelThatIsNotNamedKeepsItsVersion() {
      State after = fold(start, Update.of(count, 1));

      assertThat(after.version(count)).isEqualTo(1);
      assertThat(after.version(LOG)).isZero();
      assertThat(after.get(LOG)).isSameAs(start.get(LOG));
    }
  }

  @Nested
  class OfALongList {

    private final ListChannel<Object> items = Channel.list("items", Object.class);
    private final List<Object> hundredThousand = objects(100_000);
    private final State before =
        fold(StateSchema.of(items).start(), Update.of(items, hundredThousand));

    private List<Object> objects(int count) {
      List<Object> objects = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        objects.add(new Object());
      }
      return objects;
    }

    @Test
    void anAppendCarriesTheNewItemsOnlyAndSharesTheOthers() {
      Object added = new Object();

      Transition transition = before.fold(List.of(by("w", Update.append(items, added))));

      assertThat(transition.changes().effects())
          .isEqualTo(Map.of("items", new Effect.Append<>(List.of(added))));
      List<Object> after = transition.state().get(items);
      assertThat(after).hasSize(100_001).isInstanceOf(FrozenList.class);
      for (int i = 0; i < 100_000; i += 33) {
        assertThat(after.get(i)).isSameAs(hundredThousand.get(i));
      }
      assertThat(after.get(100_000)).isSameAs(added);
      assertThat(before.get(items)).hasSize(100_000);
    }

    @Test
    void tenThousandAppendsWithAllVersionsKeptFitIntoLittleMemory() {
      List<State> kept = new ArrayList<>();
      State state = before;
      for (int i = 0; i < 10_000; i++) {
        state = fold(state, Update.append(items, i));
        kept.add(state);
      }

      // Copies would take 10,000 times 100,000 references: 4 GB at least.
      assertThat(kept.get(0).get(items)).hasSize(100_001);
      assertThat(kept.get(5_000).get(items)).hasSize(105_001).last().isEqualTo(5_000);
      assertThat(kept.get(9_999).get(items)).hasSize(110_000).last().isEqualTo(9_999);
    }

    @Test
    void aReplacedMessageCarriesItselfOnly() {
      ListChannel<Message> chat = Channel.messages("chat");
      List<Message> messages = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        messages.add(Message.human("m").withId("" + i));
      }
      State filled = fold(StateSchema.of(chat).start(), Update.of(chat, messages));
      Message better = Message.ai("better").withId("7000");

      Transition transition = filled.fold(List.of(by("w", Update.append(chat, better))));

      assertThat(transition.changes().effects())
          .isEqualTo(Map.of(
              "chat",
              new Effect.Edit<>(at(), new TreeMap<>(Map.of(7_000, better)), new TreeMap<>())));
      assertThat(transition.state().get(chat).get(6_999)).isSameAs(messages.get(6_999));
      assertThat(transition.state().get(chat).get(7_000)).isSameAs(better);
    }
  }
}
