package io.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.message.Message;
import io.superstep.state.Merge.Line;
import io.superstep.state.Merge.Winner;
import io.superstep.value.TypeRef;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MergeTests {

  private record Item(String key, int time, String text) {}

  private static final Channel<@Nullable String> TITLE = Channel.value("title", String.class);
  private static final Channel<@Nullable String> TOPIC =
      Channel.value("topic", String.class).writeOnce();
  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<String> TEXT = Channel.text("text");
  private static final Channel<Set<String>> TAGS = Channel.set("tags", String.class);
  private static final Channel<Map<String, Integer>> SCORES =
      Channel.map("scores", String.class, Integer.class);
  private static final Channel<Map<String, @Nullable Object>> FACTS = Channel.deepMap("facts");
  private static final ListChannel<Message> TALK = Channel.messages("talk");
  private static final ListChannel<Item> ITEMS =
      Channel.newestByKey("items", Item.class, Item::key, Item::time);
  private static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);
  private static final Channel<Integer> MOST = Channel.reduced("most", Integer.class, 0, Math::max);
  private static final Channel<@Nullable String> NOTE =
      Channel.value("note", String.class).ephemeral();
  private static final StateSchema SCHEMA =
      StateSchema.of(TITLE, TOPIC, LOG, TEXT, TAGS, SCORES, FACTS, TALK, ITEMS, COUNT, MOST, NOTE);

  private State base = SCHEMA.start();

  private void base(Update update) {
    base = fold(base, update).state();
  }

  private static Transition fold(State state, Update update) {
    return state.fold(List.of(new Contribution("node", update)));
  }

  private Line line(Update... updates) {
    State state = base;
    List<Changes> changes = new ArrayList<>();
    for (Update update : updates) {
      Transition next = fold(state, update);
      state = next.state();
      changes.add(next.changes());
    }
    return new Line(state, changes);
  }

  private static Merge merge(State base, Line ours, Line theirs) {
    return Merge.of(base, ours, theirs, Map.of());
  }

  /** What both come to; there must be no conflict. */
  private State both(Line ours, Line theirs) {
    Merge merge = merge(base, ours, theirs);
    assertThat(merge.conflicts()).isEmpty();
    return ours.state().apply(merge.changes());
  }

  private List<String> conflicts(Line ours, Line theirs) {
    return merge(base, ours, theirs).conflicts();
  }

  @Nested
  class WhatOneSideChanged {

    @Test
    @DisplayName("S2.35 what only they have changed is taken, what only we have changed stays")
    void isTaken() {
      base(Update.of(TITLE, "old").and(Update.append(LOG, "a")));
      Line ours = line(Update.append(LOG, "b"));
      Line theirs = line(Update.of(TITLE, "new"), Update.of(COUNT, 2), Update.of(COUNT, 3));

      State both = both(ours, theirs);

      assertThat(both.get(TITLE)).isEqualTo("new");
      assertThat(both.get(COUNT)).isEqualTo(5);
      assertThat(both.get(LOG)).containsExactly("a", "b");
      assertThat(merge(base, ours, theirs).changes().effects()).containsOnlyKeys("title", "count");
    }

    @Test
    @DisplayName("S2.35 whatever they did to it, also where they have overwritten or removed")
    void whateverItWas() {
      base(Update.append(TALK, Message.human("hi").withId("1"), Message.ai("ho").withId("2"))
          .and(Update.append(LOG, "a", "b"))
          .and(ITEMS, List.of(new Item("x", 1, "one")))
          .and(TITLE, "old")
          .and(SCORES, Map.of("ada", 1)));
      Line theirs =
          line(Update.append(TALK, Message.remove("1"), Message.ai("hey").withId("2"))
              .and(Update.overwrite(LOG, List.of("c")))
              .and(ITEMS, List.of(new Item("x", 2, "two")))
              .and(TITLE, null)
              .and(SCORES, Map.of("ada", 2, "bob", 3))
              .and(TAGS, Set.of("t"))
              .and(TEXT, "text")
              .and(MOST, 7));

      assertThat(both(line(), theirs)).isEqualTo(theirs.state());
    }

    @Test
    @DisplayName("S2.36 what was only added is told as what was added")
    void isToldAsAdded() {
      base(Update.append(LOG, "a").and(TEXT, "one"));
      Line theirs = line(
          Update.append(LOG, "b").and(TEXT, " two"), Update.append(LOG, "c").and(TEXT, " three"));

      Changes changes = merge(base, line(), theirs).changes();

      assertThat(changes.effects())
          .isEqualTo(Map.of(
              "log",
              new Effect.Append<>(List.of("b", "c")),
              "text",
              new Effect.Join(" two three")));
    }
  }

  @Nested
  class Values {

    @Test
    @DisplayName("S2.35 two edits of a last-value field are a conflict, all of them told in order")
    void clash() {
      Line ours = line(Update.of(TOPIC, "a").and(TITLE, "a").and(MOST, 1));
      Line theirs = line(Update.of(MOST, 2).and(TITLE, "b"), Update.of(TOPIC, "b"));

      assertThat(conflicts(ours, theirs)).containsExactly("title", "topic", "most");
    }

    @Test
    @DisplayName("S2.35 two edits to the same value are none, but of a reducer they prove nothing")
    void agree() {
      Update same = Update.of(TITLE, "a").and(TOPIC, "a");

      assertThat(both(line(same), line(same)).get(TITLE)).isEqualTo("a");
      assertThat(merge(base, line(same), line(same)).changes().isEmpty()).isTrue();
      assertThat(conflicts(line(Update.of(MOST, 1)), line(Update.of(MOST, 1))))
          .containsExactly("most");
    }

    @Test
    @DisplayName("S2.35 a value that was set and set back counts as set")
    void setBack() {
      base(Update.of(TITLE, "old"));
      Line theirs = line(Update.of(TITLE, "new"), Update.of(TITLE, "old"));

      assertThat(conflicts(line(Update.of(TITLE, "ours")), theirs)).containsExactly("title");
      assertThat(both(line(), theirs).get(TITLE)).isEqualTo("old");
    }

    @Test
    @DisplayName(
        "S2.35 who is told to win a channel wins it where it is in conflict, and only there")
    void winners() {
      Line ours = line(Update.of(TITLE, "a").and(TOPIC, "a").and(Update.append(LOG, "a")));
      Line theirs = line(Update.of(TITLE, "b").and(TOPIC, "b").and(Update.append(LOG, "b")));
      Map<String, Winner> decided =
          Map.of("title", Winner.THEIRS, "topic", Winner.OURS, "log", Winner.THEIRS);

      Merge merge = Merge.of(base, ours, theirs, decided);

      assertThat(merge.conflicts()).isEmpty();
      State state = ours.state().apply(merge.changes());
      assertThat(state.get(TITLE)).isEqualTo("b");
      assertThat(state.get(TOPIC)).isEqualTo("a");
      assertThat(state.get(LOG)).containsExactly("a", "b");
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> Merge.of(base, ours, theirs, Map.of("titel", Winner.OURS)))
          .withMessageContaining("SG-211")
          .withMessageContaining("'title'");
    }

    @Test
    @DisplayName("S2.35 what lives for a step stays ours")
    void ephemeral() {
      Line ours = line(Update.of(NOTE, "ours"));
      Line theirs = line(Update.of(NOTE, "theirs"));

      assertThat(both(ours, theirs).get(NOTE)).isEqualTo("ours");
      assertThat(both(line(), theirs).get(NOTE)).isNull();
    }
  }

  @Nested
  class WhatGrows {

    @Test
    @DisplayName("S2.35 appends on both sides give both, ours first, equal ones too")
    void lists() {
      base(Update.append(LOG, "base").and(TEXT, "base"));
      Line ours = line(Update.append(LOG, "x").and(TEXT, " ours"), Update.append(LOG, "ours"));
      Line theirs =
          line(Update.append(LOG, "x"), Update.append(LOG, "theirs").and(TEXT, " theirs"));

      State both = both(ours, theirs);

      assertThat(both.get(LOG)).containsExactly("base", "x", "ours", "x", "theirs");
      assertThat(both.get(TEXT)).isEqualTo("base ours theirs");
    }

    @Test
    @DisplayName("S2.35 an append and an overwritten list are a conflict")
    void overwrittenLists() {
      base(Update.append(LOG, "base"));
      Line appended = line(Update.append(LOG, "more"));
      Line overwritten = line(Update.overwrite(LOG, List.of("less")));

      assertThat(conflicts(appended, overwritten)).containsExactly("log");
      assertThat(conflicts(overwritten, appended)).containsExactly("log");
      assertThat(conflicts(overwritten, overwritten)).containsExactly("log");
    }

    @Test
    @DisplayName("S2.35 sets have the elements of both, in the order in which they were seen")
    void sets() {
      base(Update.of(TAGS, Set.of("base")));
      Line ours = line(Update.of(TAGS, Set.of("x")), Update.of(TAGS, Set.of("ours")));
      Line theirs = line(Update.of(TAGS, Set.of("x")), Update.of(TAGS, Set.of("theirs")));

      assertThat(both(ours, theirs).get(TAGS)).containsExactly("base", "x", "ours", "theirs");
      assertThat(merge(base, ours, line(Update.of(TAGS, Set.of("x")))).changes().isEmpty())
          .isTrue();
    }

    @Test
    @DisplayName("S2.35 sums have what either side has added, whatever the type")
    void sums() {
      Channel<Long> longs = Channel.sum("longs", Long.class);
      Channel<Double> doubles = Channel.sum("doubles", Double.class);
      Channel<Float> floats = Channel.sum("floats", Float.class);
      Channel<BigDecimal> decimals = Channel.sum("decimals", BigDecimal.class);
      Channel<BigInteger> integers = Channel.sum("integers", BigInteger.class);
      base = StateSchema.of(COUNT, longs, doubles, floats, decimals, integers).start();
      base(Update.of(COUNT, 10)
          .and(longs, 10L)
          .and(doubles, 10.0)
          .and(floats, 10f)
          .and(decimals, BigDecimal.TEN)
          .and(integers, BigInteger.TEN));
      Update one = Update.of(COUNT, 1)
          .and(longs, 1L)
          .and(doubles, 0.5)
          .and(floats, 0.5f)
          .and(decimals, BigDecimal.ONE)
          .and(integers, BigInteger.ONE);

      State both = both(line(one), line(one, one));

      assertThat(both.get(COUNT)).isEqualTo(13);
      assertThat(both.get(longs)).isEqualTo(13L);
      assertThat(both.get(doubles)).isEqualTo(11.5);
      assertThat(both.get(floats)).isEqualTo(11.5f);
      assertThat(both.get(decimals)).isEqualTo(BigDecimal.valueOf(13));
      assertThat(both.get(integers)).isEqualTo(BigInteger.valueOf(13));
      assertThat(merge(base, line(), line(one, one)).changes().effects())
          .containsEntry("count", new Effect.Add<>(2))
          .containsEntry("doubles", new Effect.Add<>(1.0));
    }

    @Test
    @DisplayName("S2.35 a sum that one side has overwritten is a conflict, and so are two")
    void overwrittenSums() {
      base(Update.of(COUNT, 10));
      Line reset = line(Update.overwrite(COUNT, 0));
      Line added = line(Update.of(COUNT, 1));

      assertThat(conflicts(reset, reset)).containsExactly("count");
      assertThat(conflicts(reset, added)).containsExactly("count");
      assertThat(conflicts(added, line(Update.overwrite(COUNT, 3), Update.of(COUNT, 1))))
          .containsExactly("count");
      assertThat(both(line(), reset).get(COUNT)).isZero();
    }

    @Test
    @DisplayName("S2.35 what they have added may be larger than any number of its type")
    void wideSums() {
      base(Update.of(COUNT, -2_000_000_000));
      Update much = Update.of(COUNT, 2_000_000_000);

      assertThat(both(line(Update.of(COUNT, 1)), line(much, much)).get(COUNT))
          .isEqualTo(2_000_000_001);
      assertThat(both(line(), line(much, much)).get(COUNT)).isEqualTo(2_000_000_000);
    }

    @Test
    @DisplayName("S2.35 of sums that are rounded theirs is taken to the last digit")
    void roundedSums() {
      Channel<Double> doubles = Channel.sum("doubles", Double.class);
      base = StateSchema.of(doubles).start();
      base(Update.of(doubles, 0.1));
      Line theirs = line(Update.of(doubles, 0.2), Update.of(doubles, 0.3));

      assertThat(both(line(), theirs)).isEqualTo(theirs.state());
    }

    /** A branch that has taken over what is the base now, and so has it behind its own. */
    private Line behindOwn(Update taken, Update... own) {
      Line feature = line(own);
      Transition main = fold(base, taken);
      Merge merge = merge(base, feature, new Line(main.state(), List.of(main.changes())));
      base = main.state();
      return new Line(feature.state().apply(merge.changes()), feature.changes());
    }

    @Test
    @DisplayName("S2.35 a branch that has merged the base brings what is its own, each item once")
    void branchesThatMerged() {
      base(Update.append(LOG, "base").and(TEXT, "base."));
      Line theirs = behindOwn(
          Update.append(LOG, "x1").and(TEXT, "x1."),
          Update.append(LOG, "y1", "y2").and(TEXT, "y1.y2."));
      assertThat(theirs.state().get(LOG)).containsExactly("base", "y1", "y2", "x1");

      State both = both(line(Update.append(LOG, "x2").and(TEXT, "x2.")), theirs);

      assertThat(both.get(LOG)).containsExactly("base", "x1", "x2", "y1", "y2");
      assertThat(both.get(TEXT)).isEqualTo("base.x1.x2.y1.y2.");
      assertThat(both(line(), theirs)).isEqualTo(theirs.state());
    }

    @Test
    @DisplayName("S2.35 a branch that has lost what the base holds is a conflict, no crash")
    void branchesThatLost() {
      base(Update.append(LOG, "x1", "x2", "x3").and(TEXT, "xxxxxx"));
      Line more = line(Update.append(LOG, "more").and(TEXT, "more"));
      Line own = line(Update.append(LOG, "q").and(TEXT, "q"));
      State less =
          fold(SCHEMA.start(), Update.append(LOG, "base", "q").and(TEXT, "q")).state();
      Line theirs = new Line(less, own.changes());

      assertThat(conflicts(more, theirs)).containsExactly("log", "text");
      assertThat(both(line(), theirs)).isEqualTo(less);
    }

    @Test
    @DisplayName("S2.35 sums that become too large together are refused")
    void largeSums() {
      Line large = line(Update.of(COUNT, Integer.MAX_VALUE));

      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> merge(base, large, large))
          .withMessageContaining("SG-215")
          .withMessageContaining("'count'");
    }
  }

  @Nested
  class Maps {

    @Test
    @DisplayName("S2.35 maps have the entries of both; one key with two values is a conflict")
    void byKey() {
      base(Update.of(SCORES, Map.of("base", 0, "ours", 0)));
      Line ours = line(Update.of(SCORES, Map.of("ours", 1, "same", 5)));
      Line theirs = line(Update.of(SCORES, Map.of("theirs", 2, "same", 5, "base", 3)));

      assertThat(both(ours, theirs).get(SCORES))
          .isEqualTo(Map.of("base", 3, "ours", 1, "theirs", 2, "same", 5));
      assertThat(conflicts(ours, line(Update.of(SCORES, Map.of("ours", 2)))))
          .containsExactly("scores");
      assertThat(conflicts(ours, line(Update.of(SCORES, Map.of("same", 6)))))
          .containsExactly("scores");
      assertThat(conflicts(ours, line(Update.overwrite(SCORES, Map.of("x", 1)))))
          .containsExactly("scores");
    }

    @Test
    @DisplayName("S2.35 deep maps are compared inside")
    void inside() {
      base(Update.of(FACTS, Map.of("a", Map.of("base", 1))));
      Line ours = line(Update.of(FACTS, Map.of("a", Map.of("ours", 1), "n", Map.of("o", 1))));
      Line theirs = line(Update.of(
          FACTS, Map.of("a", Map.of("theirs", 2, "base", 3), "n", Map.of("t", 1), "b", 4)));

      assertThat(both(ours, theirs).get(FACTS))
          .isEqualTo(Map.of(
              "a", Map.of("base", 3, "ours", 1, "theirs", 2), "n", Map.of("o", 1, "t", 1), "b", 4));
      assertThat(conflicts(ours, line(Update.of(FACTS, Map.of("a", Map.of("ours", 2))))))
          .containsExactly("facts");
      assertThat(conflicts(ours, line(Update.of(FACTS, Map.of("a", "flat")))))
          .containsExactly("facts");
    }

    @Test
    @DisplayName("S2.35 what they have dropped inside a deep map does not come back")
    void dropped() {
      base(Update.of(FACTS, Map.of("k", Map.of("x", 1), "in", Map.of("k", Map.of("x", 1)))));
      Line theirs = line(
          Update.of(FACTS, Map.of("k", "gone")), Update.of(FACTS, Map.of("k", Map.of("y", 2))));
      Line inside = line(
          Update.of(FACTS, Map.of("in", Map.of("k", "gone"))),
          Update.of(FACTS, Map.of("in", Map.of("k", Map.of("y", 2)))));
      Line ours = line(Update.of(FACTS, Map.of("other", 1)));

      assertThat(both(line(), theirs)).isEqualTo(theirs.state());
      assertThat(both(line(), inside)).isEqualTo(inside.state());
      assertThat(conflicts(ours, theirs)).containsExactly("facts");
      assertThat(conflicts(ours, inside)).containsExactly("facts");
      assertThat(both(theirs, ours).get(FACTS))
          .as("what we have dropped stays so")
          .isEqualTo(Map.of("k", Map.of("y", 2), "in", Map.of("k", Map.of("x", 1)), "other", 1));
    }

    @Test
    @DisplayName("S2.35 maps inside a flat map are one value each")
    void flat() {
      Channel<Map<String, Object>> flat = Channel.map("flat", String.class, Object.class);
      base = StateSchema.of(flat).start();
      Line ours = line(Update.of(flat, Map.of("a", Map.of("x", 1))));

      assertThat(conflicts(ours, line(Update.of(flat, Map.of("a", Map.of("y", 1))))))
          .containsExactly("flat");
    }
  }

  @Nested
  class Items {

    private Message message(String id, String text) {
      return Message.ai(text).withId(id);
    }

    @Test
    @DisplayName("S2.35 messages of different ids give both, whatever was done to them")
    void messages() {
      base(Update.append(TALK, message("1", "a"), message("2", "b"), message("3", "c")));
      Line ours = line(Update.append(TALK, message("1", "ours"), message("o", "new")));
      Line theirs = line(
          Update.append(TALK, message("2", "theirs"), Message.remove("3")),
          Update.append(TALK, message("t", "new")));

      assertThat(both(ours, theirs).get(TALK))
          .containsExactly(
              message("1", "ours"),
              message("2", "theirs"),
              message("o", "new"),
              message("t", "new"));
    }

    @Test
    @DisplayName("S2.35 one message changed on both sides is a conflict, unless they agree")
    void sameMessage() {
      base(Update.append(TALK, message("1", "a")));
      Line changed = line(Update.append(TALK, message("1", "ours")));
      Line added = line(Update.append(TALK, message("n", "ours")));

      assertThat(conflicts(changed, line(Update.append(TALK, message("1", "theirs")))))
          .containsExactly("talk");
      assertThat(conflicts(changed, line(Update.append(TALK, Message.remove("1")))))
          .containsExactly("talk");
      assertThat(conflicts(line(Update.append(TALK, Message.remove("1"))), changed))
          .containsExactly("talk");
      assertThat(conflicts(added, line(Update.append(TALK, message("n", "theirs")))))
          .containsExactly("talk");
      assertThat(both(changed, changed).get(TALK)).containsExactly(message("1", "ours"));
      assertThat(both(added, added).get(TALK)).hasSize(2);
    }

    @Test
    @DisplayName("S2.35 messages without ids are appended by both")
    void namelessMessages() {
      base(Update.append(TALK, Message.ai("base")));
      Line ours = line(Update.append(TALK, Message.ai("base")));
      Line theirs = line(Update.append(TALK, Message.ai("theirs")));

      assertThat(both(ours, theirs).get(TALK))
          .containsExactly(Message.ai("base"), Message.ai("base"), Message.ai("theirs"));
    }

    @Test
    @DisplayName("S2.35 messages without ids that they have removed or replaced are a conflict")
    void namelessMessagesThatWent() {
      base(Update.append(TALK, Message.system("prompt"), message("1", "a")));
      Line ours = line(Update.append(TALK, message("2", "b")));
      Line emptied = line(Update.append(TALK, Message.removeAll()));
      Line replaced =
          line(Update.overwrite(TALK, List.of(Message.system("new"), message("1", "a"))));

      assertThat(conflicts(ours, emptied)).containsExactly("talk");
      assertThat(conflicts(ours, replaced)).containsExactly("talk");
      assertThat(both(line(), emptied).get(TALK)).isEmpty();
      assertThat(both(replaced, ours).get(TALK))
          .as("what we have removed stays so")
          .containsExactly(Message.system("new"), message("1", "a"), message("2", "b"));
    }

    @Test
    @DisplayName("S2.35 what they have said comes in the order in which they said it")
    void orderOfMessages() {
      base(Update.append(TALK, message("1", "a")));
      Line theirs = line(Update.append(TALK, message("q", "question"), Message.ai("nameless")));

      assertThat(both(line(Update.append(TALK, message("2", "b"))), theirs).get(TALK))
          .containsExactly(
              message("1", "a"),
              message("2", "b"),
              message("q", "question"),
              Message.ai("nameless"));
    }

    @Test
    @DisplayName("S2.35 the newest item of each key stays, in order of time")
    void newest() {
      base(Update.of(ITEMS, List.of(new Item("x", 1, "base"))));
      Line ours = line(Update.of(ITEMS, List.of(new Item("x", 3, "ours"), new Item("y", 5, "o"))));
      Line theirs =
          line(Update.of(ITEMS, List.of(new Item("x", 2, "theirs"), new Item("z", 4, "t"))));

      assertThat(both(ours, theirs).get(ITEMS))
          .containsExactly(new Item("x", 3, "ours"), new Item("z", 4, "t"), new Item("y", 5, "o"))
          .isEqualTo(both(theirs, ours).get(ITEMS));
      assertThat(conflicts(ours, line(Update.overwrite(ITEMS, List.of()))))
          .containsExactly("items");
      assertThat(conflicts(line(Update.overwrite(ITEMS, List.of())), ours))
          .containsExactly("items");
    }
  }

  @Nested
  class ReducersThatSayWhatTheyDo {

    @Test
    @DisplayName("S2.35 a reducer of one's own is merged by the effects it declares")
    void declared() {
      Channel<List<String>> own = Channel.reduced(
          "own",
          new TypeRef<List<String>>() {},
          List.of(),
          Reducer.declaring((current, update) -> Effect.append(update)));
      base = StateSchema.of(own).start();
      Line ours = line(Update.of(own, List.of("a")), Update.of(own, List.of("b")));

      assertThat(both(ours, line(Update.of(own, List.of("c")))).get(own))
          .containsExactly("a", "b", "c");
    }

    @Test
    @DisplayName("S2.35 all that one step did to a channel counts, not what it did first")
    void severalEffectsOfAStep() {
      Channel<List<String>> own = Channel.reduced(
          "own",
          new TypeRef<List<String>>() {},
          List.of(),
          Reducer.declaring((current, update) -> update.isEmpty()
              ? new Effect.Edit<>(new TreeSet<>(Set.of(0)), new TreeMap<>(), new TreeMap<>())
              : Effect.append(update)));
      base = StateSchema.of(own).start();
      base(Update.of(own, List.of("base")));
      Line shifted = line(Update.of(own, List.of("a")).and(own, List.of()));

      assertThat(shifted.changes().get(0).effects().get("own")).isInstanceOf(Effect.Sequence.class);
      assertThat(conflicts(line(Update.of(own, List.of("b"))), shifted)).containsExactly("own");
      assertThat(both(line(), shifted).get(own)).containsExactly("a");
    }

    @Test
    @DisplayName("S2.35 an untyped channel without a start is merged by what was done since")
    void untyped() {
      base = StateSchema.of(Map.of("any", Map.of("reducer", "APPEND"))).start();
      Update one = Update.of("any", List.of("a"));

      assertThat(conflicts(line(one), line(one))).as("both made a list").containsExactly("any");
      base(one);
      assertThat(both(line(one), line(one)).get("any")).isEqualTo(List.of("a", "a", "a"));
    }
  }

  @Test
  @DisplayName("S2.35 several writes of one step to a channel are all looked at")
  void severalWritesOfAStep() {
    base(Update.append(LOG, "base"));
    Line mixed = line(Update.append(LOG, "a")
        .and(Update.overwrite(LOG, List.of("b")))
        .and(Update.append(LOG, "c")));

    assertThat(conflicts(line(Update.append(LOG, "x")), mixed)).containsExactly("log");
    assertThat(both(line(), mixed).get(LOG)).containsExactly("b", "c");
  }
}
