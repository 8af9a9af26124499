package io.superstep.state;

import static io.superstep.state.StateTests.fold;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.message.Message;
import io.superstep.value.Seeds;
import io.superstep.value.TypeRef;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What every way of folding promises, for steps that nobody thought of. */
class ReducerLawsTests {

  /** How often code that a user could have written was called. */
  private static int userCalls;

  private static <T extends @Nullable Object> T called(T result) {
    userCalls++;
    return result;
  }

  /** An item that is known by its id and knows its own time. */
  private record Source(String id, int collectedAt, String content, Map<String, Object> metadata) {

    static Source of(String id, int collectedAt, String content) {
      return new Source(id, collectedAt, content, Map.of("by", content));
    }

    @Override
    public String toString() {
      return called(id + "@" + collectedAt + ":" + content);
    }
  }

  /**
   * One channel with the values that are written to it and an independent account of what it has to
   * hold then.
   */
  private record Kind(
      Channel<?> channel,
      Function<Generated, @Nullable Object> writes,
      BinaryOperator<@Nullable Object> oracle,
      boolean oneWriter,
      boolean overwritten) {

    static Kind of(
        Channel<?> channel,
        Function<Generated, @Nullable Object> writes,
        BinaryOperator<@Nullable Object> oracle) {
      return new Kind(channel, writes, oracle, false, true);
    }

    Kind withOneWriter() {
      return new Kind(channel, writes, oracle, true, overwritten);
    }

    Kind neverOverwritten() {
      return new Kind(channel, writes, oracle, oneWriter, false);
    }

    @SuppressWarnings("unchecked")
    Update update(Generated generated, @Nullable Object value, boolean overwrite) {
      if (generated.onceIn(2)) {
        return overwrite
            ? Update.overwrite(channel.name(), value)
            : Update.of(channel.name(), value);
      }
      Channel<@Nullable Object> key = (Channel<@Nullable Object>) channel;
      return overwrite ? Update.overwrite(key, value) : Update.of(key, value);
    }
  }

  private static final ListChannel<Source> NEWEST = Channel.newestByKey(
      "newest",
      Source.class,
      source -> called(source.id()),
      source -> called(source.collectedAt()));

  private static List<Kind> kinds() {
    return List.of(
        Kind.of(Channel.value("value", Object.class), g -> g.anything(3), (old, now) -> now)
            .withOneWriter(),
        Kind.of(
                Channel.value("checked", Integer.class)
                    .startingWith(() -> called(7))
                    .validated("is positive", number -> called(number >= 0)),
                g -> g.upTo(100),
                (old, now) -> now)
            .withOneWriter(),
        Kind.of(
            Channel.value("last", Object.class).lastWins(), g -> g.anything(2), (old, now) -> now),
        Kind.of(
            Channel.value("bytes", byte[].class).lastWins(), Generated::bytes, (old, now) -> now),
        Kind.of(
            Channel.list("list", Object.class),
            g -> g.list(2).stream()
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(ArrayList::new)),
            ReducerLawsTests::concatenated),
        Kind.of(
            Channel.list("words", String.class).startingWith(() -> called(List.of("start"))),
            Generated::words,
            ReducerLawsTests::concatenated),
        Kind.of(Channel.messages("messages"), Generated::messages, ReducerLawsTests::conversation)
            .neverOverwritten(),
        Kind.of(NEWEST, ReducerLawsTests::sources, ReducerLawsTests::newest).neverOverwritten(),
        Kind.of(Channel.set("set", Object.class), Generated::set, ReducerLawsTests::united),
        Kind.of(
            Channel.map("map", String.class, Object.class),
            g -> withoutNull(g.tree(1)),
            ReducerLawsTests::merged),
        Kind.of(Channel.deepMap("deep"), g -> g.tree(4), ReducerLawsTests::deeplyMerged),
        Kind.of(
            Channel.sum("sum", Integer.class),
            g -> g.upTo(100) - 50,
            (old, now) -> (Integer) old + (Integer) now),
        Kind.of(
            Channel.sum("exact", BigDecimal.class),
            g -> BigDecimal.valueOf(g.upTo(100), 1),
            (old, now) -> ((BigDecimal) old).add((BigDecimal) now)),
        Kind.of(
            Channel.text("text"), g -> g.onceIn(4) ? "" : g.word(), (old, now) -> old + "" + now),
        Kind.of(
                Channel.value("first", Object.class).writeOnce(Channel.Rewrite.IGNORE),
                g -> g.anything(2),
                (old, now) -> old == null ? now : old)
            .neverOverwritten(),
        Kind.of(
                Channel.value("once", Object.class).writeOnce(),
                g -> new ArrayList<>(List.of("the only one")),
                (old, now) -> now)
            .neverOverwritten(),
        Kind.of(
            Channel.reduced(
                "custom",
                new TypeRef<List<Integer>>() {},
                List.of(1),
                (current, update) -> called(lastFive(current, update))),
            Generated::numbers,
            (old, now) -> lastFive(numbers(old), numbers(now))),
        Kind.of(
            Channel.reduced(
                "declared",
                new TypeRef<List<Integer>>() {},
                List.of(),
                Reducer.declaring((current, update) -> called(rolled(current, update)))),
            Generated::numbers,
            (old, now) -> rolledByHand(numbers(old), numbers(now))),
        Kind.of(
                Channel.value("hint", String.class)
                    .startingWith(() -> called("none"))
                    .ephemeral(),
                Generated::word,
                (old, now) -> now)
            .withOneWriter(),
        Kind.of(
            Channel.list("topic", Integer.class).ephemeral(),
            Generated::numbers,
            ReducerLawsTests::concatenated));
  }

  /** The kinds of a schema that is described by a map, without any type. */
  private static List<Kind> describedKinds() {
    Map<String, Object> description = new LinkedHashMap<>();
    description.put("numbers", Map.of("reducer", Reducers.ADD, "default", 0));
    description.put("lists", Map.of("reducer", Reducers.ADD, "default", List.of()));
    description.put("texts", Map.of("reducer", "ADD"));
    description.put("append", Map.of("reducer", Reducers.APPEND));
    description.put("appendOne", Map.of("reducer", Reducers.APPEND, "default", "zero"));
    description.put("merge", Map.of("reducer", Reducers.MERGE));
    description.put("mergeDeep", Map.of("reducer", Reducers.MERGE_DEEP, "default", Map.of()));
    description.put("replace", Map.of("reducer", Reducers.REPLACE));
    description.put("messages", Map.of("reducer", "ADD_MESSAGES", "default", List.of()));
    StateSchema schema = StateSchema.of(description);
    return List.of(
        Kind.of(
            schema.channel("numbers"), g -> g.upTo(9), (old, now) -> (Integer) old + (Integer) now),
        Kind.of(schema.channel("lists"), g -> g.list(2), ReducerLawsTests::concatenated),
        Kind.of(
            schema.channel("texts"),
            Generated::word,
            (old, now) -> old == null ? now : old + "" + now),
        Kind.of(
                schema.channel("append"),
                g -> g.onceIn(3) ? g.word() : g.list(1),
                ReducerLawsTests::appended)
            .neverOverwritten(),
        Kind.of(
                schema.channel("appendOne"),
                g -> g.onceIn(3) ? g.word() : g.list(1),
                ReducerLawsTests::appended)
            .neverOverwritten(),
        Kind.of(schema.channel("merge"), g -> g.tree(2), ReducerLawsTests::merged),
        Kind.of(schema.channel("mergeDeep"), g -> g.tree(4), ReducerLawsTests::deeplyMerged),
        Kind.of(schema.channel("replace"), g -> g.anything(2), (old, now) -> now),
        Kind.of(schema.channel("messages"), Generated::messages, ReducerLawsTests::conversation)
            .neverOverwritten());
  }

  @Test
  void everyKindOfChannelFoldsAsItSaysAndItsChangesLeadToTheSameState() {
    Seeds.each(250, random -> new Play(kinds(), new Generated(random)).play(8));
  }

  @Test
  void everyNamedReducerFoldsAsItSaysAndItsChangesLeadToTheSameState() {
    Seeds.each(250, random -> new Play(describedKinds(), new Generated(random)).play(8));
  }

  private record Snapshot(State state, @Nullable Object seen) {

    void check() {
      assertThat(Generated.seen(state.asMap())).as("an older snapshot").isEqualTo(seen);
    }
  }

  /** A few steps with generated contributions, all laws checked after each of them. */
  private static final class Play {

    private final List<Kind> kinds;
    private final Generated generated;
    private final StateSchema schema;
    private final Map<String, @Nullable Object> expected = new LinkedHashMap<>();
    private final List<Snapshot> snapshots = new ArrayList<>();

    /** What is written in a step, by channel. */
    private final Map<String, List<Written>> writes = new LinkedHashMap<>();

    private State live;
    private State rebuilt;

    Play(List<Kind> kinds, Generated generated) {
      this.kinds = kinds;
      this.generated = generated;
      this.schema = StateSchema.of(kinds.stream().map(Kind::channel).toArray(Channel<?>[]::new));
      this.live = schema.start();
      this.rebuilt = schema.start();
      live.asMap().forEach(expected::put);
    }

    void play(int steps) {
      for (int step = 0; step < steps; step++) {
        step();
      }
      snapshots.forEach(Snapshot::check);
    }

    private void step() {
      snapshots.add(new Snapshot(live, Generated.seen(live.asMap())));
      if (expected.containsKey("hint")) {
        expected.put("hint", "none");
        expected.put("topic", List.of());
      }
      List<@Nullable Object> arguments = new ArrayList<>();
      List<Contribution> contributions = contributions(arguments);
      Object argumentsSeen = Generated.seen(arguments);

      Transition transition = live.fold(contributions);

      assertThat(Generated.seen(arguments)).as("the arguments").isEqualTo(argumentsSeen);
      Object seen = Generated.seen(transition.state().asMap());
      assertThat(seen).as("the folded state").isEqualTo(Generated.seen(expected));
      expected.replaceAll((name, value) -> transition.state().get(name));
      arguments.forEach(Generated::spoil);
      assertThat(Generated.seen(transition.state().asMap()))
          .as("the folded state, after its arguments were spoilt")
          .isEqualTo(seen);
      checkApplied(transition);
      live = transition.state();
    }

    private void checkApplied(Transition transition) {
      int callsBefore = userCalls;
      State applied = live.apply(transition.changes());
      rebuilt = rebuilt.apply(transition.changes());
      assertThat(userCalls).as("calls of user code").isEqualTo(callsBefore);

      for (State other : List.of(applied, rebuilt)) {
        assertThat(other.equals(transition.state())).as("equal").isTrue();
        assertThat(Generated.seen(other.asMap()))
            .isEqualTo(Generated.seen(transition.state().asMap()));
        assertThat(versions(other)).as("versions").isEqualTo(versions(transition.state()));
      }
      List<Integer> expectedVersions = schema.channels().stream()
          .map(channel -> live.version(channel)
              + (transition.changes().effects().containsKey(channel.name()) ? 1 : 0))
          .toList();
      assertThat(versions(transition.state())).isEqualTo(expectedVersions);
    }

    private List<Integer> versions(State state) {
      return schema.channels().stream().map(state::version).toList();
    }

    /** What one writer writes to one channel. */
    private record Written(Kind kind, int writer, @Nullable Object value, boolean overwrite) {}

    private List<Contribution> contributions(List<@Nullable Object> arguments) {
      List<Contribution> contributions = new ArrayList<>();
      int writers = 1 + generated.upTo(4);
      for (int writer = 0; writer < writers; writer++) {
        Update update = Update.NOTHING;
        for (int write = generated.upTo(10); write > 0; write--) {
          Kind kind = kinds.get(generated.upTo(kinds.size()));
          if (!kind.oneWriter() || writer == 0) {
            update = update.and(written(kind, writer, arguments));
          }
        }
        contributions.add(new Contribution("writer" + writer, update));
      }
      writes.values().forEach(this::expect);
      writes.clear();
      return contributions;
    }

    /** An overwrite precedes what other writers write, with what its own writer wrote before it. */
    private void expect(List<Written> all) {
      int writer = -1;
      int last = -1;
      for (int index = 0; index < all.size(); index++) {
        if (all.get(index).overwrite()
            && all.get(index).kind().channel().reducer().isPresent()) {
          writer = all.get(index).writer();
          last = index;
        }
      }
      for (boolean early : List.of(true, false)) {
        for (int index = 0; index < all.size(); index++) {
          if (early == (all.get(index).writer() == writer && index <= last)) {
            expect(all.get(index));
          }
        }
      }
    }

    private void expect(Written written) {
      String name = written.kind().channel().name();
      expected.put(
          name,
          written.overwrite()
              ? written.value()
              : written.kind().oracle().apply(expected.get(name), written.value()));
      if (Generated.seen(expected.get(name)) != expected.get(name)) {
        expected.put(name, copied(expected.get(name)));
      }
    }

    private Update written(Kind kind, int writer, List<@Nullable Object> arguments) {
      Object value = kind.writes().apply(generated);
      if (value instanceof Map<?, ?> map && generated.onceIn(4)) {
        // A part that the engine froze before, and for a narrower type.
        put(map, "ape", live.get(kinds.get(generated.upTo(kinds.size())).channel()));
      }
      arguments.add(value);
      String name = kind.channel().name();
      List<Written> before = writes.computeIfAbsent(name, any -> new ArrayList<>());
      boolean overwrite = kind.overwritten()
          && generated.onceIn(10)
          && before.stream().noneMatch(each -> each.overwrite() && each.writer() != writer);
      before.add(new Written(kind, writer, copied(value), overwrite));
      return kind.update(generated, value, overwrite);
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<?, ?> map, String key, @Nullable Object value) {
      if (value != null && !(value instanceof byte[])) {
        ((Map<Object, Object>) map).put(key, value);
      }
    }
  }

  /** Containers as new ones, so that the oracle does not see what their owner does to them. */
  private static @Nullable Object copied(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((key, entry) -> copy.put(copied(key), copied(entry)));
      return copy;
    }
    if (value instanceof Set<?> set) {
      Set<@Nullable Object> copy = new LinkedHashSet<>();
      set.forEach(element -> copy.add(copied(element)));
      return copy;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(element -> copy.add(copied(element)));
      return copy;
    }
    return value instanceof byte[] bytes ? bytes.clone() : value;
  }

  private static @Nullable Object concatenated(@Nullable Object old, @Nullable Object now) {
    List<@Nullable Object> all = new ArrayList<>((List<?>) old);
    all.addAll((List<?>) now);
    return all;
  }

  private static @Nullable Object appended(@Nullable Object old, @Nullable Object now) {
    List<@Nullable Object> all = new ArrayList<>();
    for (Object side : Arrays.asList(old, now)) {
      if (side instanceof List<?> list) {
        all.addAll(list);
      } else if (side != null) {
        all.add(side);
      }
    }
    return all;
  }

  private static @Nullable Object united(@Nullable Object old, @Nullable Object now) {
    Set<@Nullable Object> all = new LinkedHashSet<>((Set<?>) old);
    all.addAll((Set<?>) now);
    return all;
  }

  private static @Nullable Object merged(@Nullable Object old, @Nullable Object now) {
    Map<@Nullable Object, @Nullable Object> all = new LinkedHashMap<>();
    if (old != null) {
      all.putAll((Map<?, ?>) old);
    }
    all.putAll((Map<?, ?>) now);
    return all;
  }

  private static @Nullable Object deeplyMerged(@Nullable Object old, @Nullable Object now) {
    if (!(old instanceof Map<?, ?> left) || !(now instanceof Map<?, ?> right)) {
      return now;
    }
    Map<@Nullable Object, @Nullable Object> all = new LinkedHashMap<>(left);
    right.forEach((key, value) -> all.put(key, deeplyMerged(left.get(key), value)));
    return all;
  }

  private static @Nullable Object conversation(@Nullable Object old, @Nullable Object now) {
    List<Message> all = new ArrayList<>();
    ((List<?>) old).forEach(message -> all.add((Message) message));
    for (Object each : (List<?>) now) {
      Message message = (Message) each;
      int known = -1;
      for (int i = 0; i < all.size(); i++) {
        if (message.id() != null && message.id().equals(all.get(i).id())) {
          known = i;
        }
      }
      if (message instanceof Message.Remove remove) {
        all.removeIf(other -> remove.isAll() || remove.id().equals(other.id()));
      } else if (known >= 0) {
        all.set(known, message);
      } else {
        all.add(message);
      }
    }
    return all;
  }

  private static List<Source> sources(Generated generated) {
    List<Source> sources = new ArrayList<>();
    for (int i = generated.upTo(4); i > 0; i--) {
      sources.add(Source.of("s" + generated.upTo(6), generated.upTo(5), generated.word()));
    }
    return sources;
  }

  private static @Nullable Object newest(@Nullable Object old, @Nullable Object now) {
    Map<String, Source> byId = new TreeMap<>();
    for (Object side : Arrays.asList(old, now)) {
      for (Object each : (List<?>) side) {
        Source source = (Source) each;
        byId.merge(source.id(), source, (one, other) -> {
          int order = Integer.compare(one.collectedAt(), other.collectedAt());
          int byText = one.content().compareTo(other.content());
          return order > 0 || (order == 0 && byText >= 0) ? one : other;
        });
      }
    }
    List<Source> all = new ArrayList<>(byId.values());
    all.sort(Comparator.comparingInt(Source::collectedAt));
    return all;
  }

  private static Map<String, Object> withoutNull(Map<String, @Nullable Object> map) {
    map.values().removeIf(Objects::isNull);
    return map;
  }

  @SuppressWarnings("unchecked")
  private static List<Integer> numbers(@Nullable Object list) {
    return (List<Integer>) list;
  }

  private static List<Integer> lastFive(List<Integer> current, List<Integer> update) {
    List<Integer> all = new ArrayList<>(current);
    all.addAll(update);
    return all.subList(Math.max(0, all.size() - 5), all.size());
  }

  /** Appends; then, of more than three, takes out the first, negates the next, puts a 0 between. */
  private static Effect<List<Integer>> rolled(List<Integer> current, List<Integer> update) {
    if (update.isEmpty()) {
      return Effect.nothing();
    }
    if (current.size() <= 3) {
      return Effect.append(update);
    }
    return new Effect.Sequence<>(List.of(
        new Effect.Edit<>(
            new TreeSet<>(Set.of(0)),
            new TreeMap<>(Map.of(0, -current.get(1))),
            new TreeMap<>(Map.of(1, 0))),
        Effect.append(update)));
  }

  private static List<Integer> rolledByHand(List<Integer> current, List<Integer> update) {
    List<Integer> all = new ArrayList<>(current);
    if (current.size() > 3 && !update.isEmpty()) {
      all.subList(0, 1).clear();
      all.set(0, -all.get(0));
      all.add(1, 0);
    }
    all.addAll(update);
    return all;
  }

  @Nested
  class NewestByKey {

    private final StateSchema schema = StateSchema.of(NEWEST);

    private List<Source> folded(List<Source> start, List<List<Source>> batches) {
      State state = fold(schema.start(), Update.overwrite(NEWEST, start));
      for (List<Source> batch : batches) {
        state = fold(state, Update.of(NEWEST, batch));
      }
      return state.get(NEWEST);
    }

    private List<Source> folded(Source... items) {
      return folded(List.of(), List.of(List.of(items)));
    }

    @Test
    @DisplayName("S2.16 a keyed reducer de-duplicates by source id")
    void keepsOnePerKey() {
      Source one = Source.of("1", 1, "one");
      Source two = Source.of("2", 2, "two");
      Source three = Source.of("3", 3, "three");
      Source better = Source.of("1", 4, "one, updated");

      List<Source> merged = folded(List.of(one, two), List.of(List.of(three, better)));

      assertThat(merged).hasSize(3).containsExactly(two, three, better);
    }

    @Test
    @DisplayName("S2.17 newest means newest by its own time, not last to arrive")
    void keepsTheNewestByItsOwnTime() {
      Source current = Source.of("s1", 10, "new");

      assertThat(folded(List.of(current), List.of(List.of(Source.of("s1", 5, "old")))))
          .containsExactly(current);
      assertThat(folded(Source.of("s1", 5, "old"), current)).containsExactly(current);
      assertThat(folded(current, Source.of("s1", 5, "old"))).containsExactly(current);
    }

    @Test
    @DisplayName("S2.18 the result is in chronological order, ties by id")
    void sortsByTime() {
      Source at1 = Source.of("x", 1, "1");
      Source at2 = Source.of("y", 2, "2");
      Source at3 = Source.of("z", 3, "3");
      Source tie = Source.of("a", 2, "tie");

      assertThat(folded(at3, at1, at2)).containsExactly(at1, at2, at3);
      assertThat(folded(at2, tie)).containsExactly(tie, at2);
      assertThat(folded(List.of(), List.of(List.of(at2), List.of(at3), List.of(tie), List.of(at1))))
          .containsExactly(at1, tie, at2, at3);
    }

    @Test
    @DisplayName("S2.19 the merge is the same for any order of writers: all 6 orders of 3 workers")
    void doesNotDependOnTheOrderOfWriters() {
      Seeds.each(200, random -> {
        Generated generated = new Generated(random);
        List<List<Source>> workers =
            List.of(sources(generated), sources(generated), sources(generated));
        List<Source> start = folded(List.of(), List.of(sources(generated)));
        Set<List<Source>> results = new LinkedHashSet<>();

        for (int[] order :
            new int[][] {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
          List<List<Source>> batches =
              Arrays.stream(order).mapToObj(workers::get).toList();
          results.add(folded(start, batches));
          State oneStep = fold(
              fold(schema.start(), Update.overwrite(NEWEST, start)),
              Update.of(NEWEST, batches.get(0)),
              Update.of(NEWEST, batches.get(1)),
              Update.of(NEWEST, batches.get(2)));
          results.add(oneStep.get(NEWEST));
        }

        assertThat(results).hasSize(1);
      });
    }

    @Test
    @DisplayName("S2.19 from a null start too: null + [s1, s1'] is 1 entry")
    @SuppressWarnings("NullAway")
    void startsFromNull() {
      Source first = Source.of("s1", 1, "first");
      Source second = Source.of("s1", 1, "second");
      Reducer<List<Source>> reducer = NEWEST.reducer().orElseThrow();

      assertThat(reducer.reduce(null, List.of(first, second))).containsExactly(second);
      assertThat(reducer.reduce(null, List.of(second, first))).containsExactly(second);
      assertThat(reducer.reduce(reducer.reduce(null, List.of(second)), List.of(first)))
          .containsExactly(second);
    }

    @Test
    @DisplayName("S2.20 the same batch twice changes nothing, field by field, metadata included")
    void isIdempotent() {
      Seeds.each(300, random -> {
        Generated generated = new Generated(random);
        State x = fold(schema.start(), Update.of(NEWEST, sources(generated)));
        List<Source> batch = sources(generated);

        State once = fold(x, Update.of(NEWEST, batch));
        Collections.shuffle(batch, random);
        Transition twice = once.fold(List.of(new Contribution("again", Update.of(NEWEST, batch))));

        assertThat(twice.state().get(NEWEST)).isEqualTo(once.get(NEWEST));
        assertThat(twice.state().get(NEWEST))
            .extracting(Source::metadata)
            .isEqualTo(once.get(NEWEST).stream().map(Source::metadata).toList());
        assertThat(twice.changes().isEmpty()).isTrue();
      });
    }
  }

  @Nested
  class Sets {

    private final Channel<Set<String>> seen = Channel.set("seen", String.class);
    private final StateSchema schema = StateSchema.of(seen);

    @Test
    void takeInABatchOnceHoweverOftenItComes() {
      Seeds.each(200, random -> {
        Generated generated = new Generated(random);
        Set<String> batch = new LinkedHashSet<>(generated.words());
        State before =
            fold(schema.start(), Update.of(seen, new LinkedHashSet<>(generated.words())));

        State once = fold(before, Update.of(seen, batch));
        Transition twice = once.fold(List.of(new Contribution("again", Update.of(seen, batch))));

        assertThat(twice.state()).isEqualTo(once);
        assertThat(twice.changes().isEmpty()).isTrue();
        assertThat(twice.state().version(seen)).isEqualTo(once.version(seen));
      });
    }

    @Test
    void holdTheSameWhateverTheOrderOfWriters() {
      Seeds.each(100, random -> {
        Generated generated = new Generated(random);
        Update one = Update.of(seen, new LinkedHashSet<>(generated.words()));
        Update other = Update.of(seen, new LinkedHashSet<>(generated.words()));

        assertThat(fold(schema.start(), one, other)).isEqualTo(fold(schema.start(), other, one));
      });
    }
  }

  @Nested
  class Merges {

    private final Channel<Map<String, @Nullable Object>> deep = Channel.deepMap("deep");
    private final Channel<Map<String, Object>> shallow =
        Channel.map("shallow", String.class, Object.class);
    private final StateSchema schema = StateSchema.of(deep, shallow);

    @Test
    void areIdempotent() {
      Seeds.each(200, random -> {
        Generated generated = new Generated(random);
        Update update =
            Update.of(deep, generated.tree(3)).and(shallow, withoutNull(generated.tree(2)));
        State before = fold(
            schema.start(),
            Update.of(deep, generated.tree(3)).and(shallow, withoutNull(generated.tree(2))));

        State once = fold(before, update);

        assertThat(fold(once, update)).isEqualTo(once);
      });
    }

    @Test
    void meetPartsThatWereFrozenForANarrowerType() {
      Channel<@Nullable Map<String, Map<String, Map<String, Integer>>>> narrow =
          Channel.value("narrow", new TypeRef<Map<String, Map<String, Map<String, Integer>>>>() {});
      State state = StateSchema.of(deep, narrow).start();
      State held = fold(state, Update.of(narrow, Map.of("a", Map.of("b", Map.of("c", 1)))));
      State copied = fold(held, Update.of(deep, Map.of("root", held.get(narrow))));

      State after = fold(
          copied,
          Update.of(
              deep, Map.of("root", Map.of("a", Map.of("b", Map.of("d", "a text", "c", "too"))))));

      assertThat(after.get(deep))
          .isEqualTo(Map.of("root", Map.of("a", Map.of("b", Map.of("c", "too", "d", "a text")))));
    }
  }

  @Nested
  class ArraysInContainers {

    private final ListChannel<byte[]> blobs = Channel.list("blobs", byte[].class);
    private final Channel<Map<String, byte[]>> byName =
        Channel.map("byName", String.class, byte[].class);
    private final StateSchema schema = StateSchema.of(blobs, byName);

    @Test
    void areTheSameAfterApplying() {
      State before = fold(schema.start(), Update.append(blobs, new byte[] {1}));

      Transition transition = before.fold(List.of(new Contribution(
          "w", Update.append(blobs, new byte[] {2}).and(byName, Map.of("a", new byte[] {3})))));

      assertThat(Generated.seen(before.apply(transition.changes()).asMap()))
          .isEqualTo(Generated.seen(transition.state().asMap()));
    }
  }

  @Test
  @DisplayName("S4.11 a scalar or text that is the very object there is folded all the same")
  void foldsAScalarThatIsThereAlready() {
    StateSchema schema = StateSchema.of(Map.of(
        "count", Map.of("reducer", Reducers.ADD, "default", 1),
        "text", Map.of("reducer", Reducers.ADD, "default", "a"),
        "list", Map.of("reducer", Reducers.ADD, "default", List.of("a"))));
    State before = schema.start();

    Transition transition =
        before.fold(List.of(new Contribution("whole state", Update.of(before.asMap()))));

    assertThat(transition.state().asMap())
        .isEqualTo(Map.of("count", 2, "text", "aa", "list", List.of("a")));
    assertThat(transition.handedBack())
        .containsExactly(new Transition.HandedBack("list", "whole state"));
  }

  @Test
  void aReducerCannotChangeAnArrayItIsGiven() {
    Channel<byte[]> bits =
        Channel.reduced("bits", byte[].class, new byte[] {1, 1}, (current, update) -> {
          Arrays.fill(current, (byte) 9);
          Arrays.fill(update, (byte) 9);
          return new byte[] {5};
        });
    State before = StateSchema.of(bits).start();
    Update update = Update.of(bits, new byte[] {2});

    State after = fold(before, update);

    assertThat(before.get(bits)).containsExactly(1, 1);
    assertThat(after.get(bits)).containsExactly(5);
    assertThat((byte[]) update.writes().get(0).value()).containsExactly(2);
  }

  @Test
  void aValidatorCannotChangeAnArrayItIsGiven() {
    Channel<byte @Nullable []> bits = Channel.value("bits", byte[].class)
        .validated("never said", bytes -> {
          Arrays.fill(bytes, (byte) 9);
          return true;
        });

    State after = fold(StateSchema.of(bits).start(), Update.of(bits, new byte[] {1}));

    assertThat(after.get(bits)).containsExactly(1);
  }

  @Test
  void aChannelThatLivesForOneStepHoldsWhatThisStepWroteAndNothingElse() {
    ListChannel<Integer> topic = Channel.list("topic", Integer.class).ephemeral();
    State one = fold(StateSchema.of(topic).start(), Update.append(topic, 1));

    State two = fold(one, Update.append(topic, 2), Update.append(topic, 3));

    assertThat(two.get(topic)).containsExactly(2, 3);
    assertThat(fold(two, Update.of(topic, List.of())).get(topic)).isEmpty();
  }
}
