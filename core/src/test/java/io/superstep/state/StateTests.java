package io.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.value.TypeRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Fields, reducers, defaults, views, and how the updates of one step become one state. */
class StateTests {

  private static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);
  private static final Channel<@Nullable String> STATUS = Channel.value("status", String.class);
  private static final ListChannel<Integer> ITEMS = Channel.list("items", Integer.class);
  private static final Channel<Map<String, @Nullable Object>> METADATA =
      Channel.deepMap("metadata");
  private static final StateSchema SCHEMA = StateSchema.of(ITEMS, COUNT, STATUS, METADATA);

  static State fold(State state, Update... updates) {
    List<Contribution> contributions = new ArrayList<>();
    for (Update update : updates) {
      contributions.add(new Contribution("abcdefgh".charAt(contributions.size()) + "", update));
    }
    return state.fold(contributions).state();
  }

  @Nested
  class Schemas {

    @Test
    @DisplayName("S0.1 a schema declares named fields, each with optional type, reducer, default")
    void declaresFields() {
      assertThat(SCHEMA.channels()).hasSize(4);
      assertThat(SCHEMA.channel("status").reducer()).isEmpty();
      assertThat(SCHEMA.channel("status").hasStart()).isFalse();
      assertThat(SCHEMA.channel("count").reducer()).isPresent();
      assertThat(SCHEMA.channel("count").hasStart()).isTrue();
      assertThat(SCHEMA.channel("items").type()).hasToString("List<Integer>");
    }

    @Test
    @DisplayName("S0.2 a field name has one identity whatever form it is given in")
    void hasOneIdentityPerName() {
      State one = fold(SCHEMA.start(), Update.of("count", 1));
      State two = fold(one, Update.of(COUNT, 1));
      State three = fold(two, Update.of(Channel.sum("count", Integer.class), 1));

      assertThat(List.of(one.get(COUNT), two.get("count"), three.get(COUNT)))
          .isEqualTo(List.of(1, 2, 3));
    }

    @Test
    @DisplayName("S0.7 a schema may be given as a plain map")
    void readsAPlainMap() {
      StateSchema schema = StateSchema.of(Map.of(
          "count",
          Map.of("reducer", Reducers.ADD, "default", 0),
          "status",
          Map.of(),
          "note",
          true));

      assertThat(schema.channels())
          .extracting(Channel::name)
          .containsExactlyInAnyOrder("count", "status", "note");
      assertThat(schema.channel("note").reducer()).isEmpty();
      assertThat(schema.channel("note").hasStart()).isFalse();
      State state =
          fold(schema.start(), Update.of("count", 2), Update.of(Map.of("count", 3, "note", "n")));
      assertThat(state.get("count")).isEqualTo(5);
      assertThat(state.get("note")).isEqualTo("n");
      assertThat(state.get("status")).isNull();
    }

    @Test
    @DisplayName("S0.7 a map names its reducers and types, and all its mistakes are told at once")
    void tellsAllMistakesOfAMap() {
      StateSchema schema =
          StateSchema.of(Map.of("log", Map.of("reducer", "APPEND", "type", List.class)));
      assertThat(fold(schema.start(), Update.of("log", List.of("a"))).get("log"))
          .isEqualTo(List.of("a"));

      assertThatExceptionOfType(InvalidSchemaException.class)
          .isThrownBy(() -> StateSchema.of(Map.of(
              "a", Map.of("reducr", Reducers.ADD),
              "b", Map.of("reducer", "APEND"),
              "c", Map.of("type", "int"),
              "d", Map.of("type", Integer.class, "default", "zero"))))
          .satisfies(error -> assertThat(error.problems()).hasSize(4))
          .withMessageContaining("Did you mean 'reducer'?")
          .withMessageContaining("Did you mean 'APPEND'?");
    }

    @Test
    void namesTheKnownReducersOfAMap() {
      assertThatExceptionOfType(InvalidSchemaException.class)
          .isThrownBy(() -> StateSchema.of(Map.of("a", Map.of("reducer", "somethingElse"))))
          .satisfies(error -> assertThat(error.problems().get(0).fix())
              .isEqualTo("Use one of [ADD, ADD_MESSAGES, APPEND, MERGE, MERGE_DEEP, REPLACE]."));
    }
  }

  @Nested
  class Defaults {

    @Test
    @DisplayName("S0.5 the default is fresh for each run")
    void areFreshForEachRun() {
      State first = fold(SCHEMA.start(), Update.append(ITEMS, 1));

      assertThat(first.get(ITEMS)).containsExactly(1);
      assertThat(SCHEMA.start().get(ITEMS)).isEmpty();
    }

    @Test
    @DisplayName("S0.6 a default cannot be changed through any run, however deep")
    void areDeeplyFrozen() {
      List<String> tags = new ArrayList<>();
      Channel<Map<String, List<String>>> channel = Channel.value(
              "meta", new TypeRef<Map<String, List<String>>>() {})
          .startingAt(Map.of("tags", tags));
      StateSchema schema = StateSchema.of(channel);

      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> schema.start().get(channel).get("tags").add("x"));
      tags.add("y");
      assertThat(schema.start().get(channel)).isEqualTo(Map.of("tags", List.of()));
    }

    @Test
    @DisplayName("S0.15 initial state = defaults, null without one, input folded on top")
    void makeTheInitialState() {
      State start = SCHEMA.start();
      assertThat(start.get(ITEMS)).isEmpty();
      assertThat(start.get(COUNT)).isZero();
      assertThat(start.get(STATUS)).isNull();

      assertThat(fold(start, SCHEMA.accept(Update.of(STATUS, "go"))).get(STATUS))
          .isEqualTo("go");
    }

    @Test
    @DisplayName("S0.16 input passes through the reducer; overwrite replaces")
    void inputIsReducedUnlessItOverwrites() {
      Channel<Integer> ten = Channel.reduced("count", Integer.class, 10, Integer::sum);
      State start = StateSchema.of(ten).start();

      assertThat(fold(start, Update.of(ten, 5)).get(ten)).isEqualTo(15);
      assertThat(fold(start, Update.overwrite(ten, 5)).get(ten)).isEqualTo(5);
      assertThat(fold(start, Update.overwrite("count", 6)).get(ten)).isEqualTo(6);
    }
  }

  @Nested
  class Writes {

    @Test
    @DisplayName("S0.3 declared types are enforced at every write")
    void areTyped() {
      State before = SCHEMA.start();

      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(
              () -> before.fold(List.of(new Contribution("counter", Update.of("count", "two")))))
          .satisfies(error -> {
            assertThat(error.code()).isEqualTo("SG-201");
            assertThat(error.channel()).contains("count");
            assertThat(error.writer()).contains("counter");
          })
          .withMessageContaining("Integer")
          .withMessageContaining("String")
          .withMessageNotContaining("two");
      assertThat(before).isEqualTo(SCHEMA.start());
    }

    @Test
    @DisplayName("S0.4 a reducer is (current, update) -> merged; no reducer means the last value")
    void areReduced() {
      State a = fold(SCHEMA.start(), Update.of(STATUS, "a").and(COUNT, 2));
      State b = fold(a, Update.of(STATUS, "b").and(COUNT, 3));

      assertThat(List.of(a.get(STATUS), b.get(STATUS))).isEqualTo(List.of("a", "b"));
      assertThat(b.get(COUNT)).isEqualTo(5);
    }

    @Test
    @DisplayName("S0.14 any two-argument function is a reducer")
    void canBeFoldedByAnyFunction() {
      Channel<List<Integer>> lastTen = Channel.reduced(
          "window",
          new TypeRef<List<Integer>>() {},
          List.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
          (current, update) -> {
            List<Integer> all = new ArrayList<>(current);
            all.addAll(update);
            return all.subList(Math.max(0, all.size() - 10), all.size());
          });
      Channel<java.util.Set<String>> seen = Channel.set("seen", String.class);
      State state = StateSchema.of(lastTen, seen).start();

      State after = fold(
          state,
          Update.of(lastTen, List.of(10, 11, 12))
              .and(seen, linked("a", "b"))
              .and(seen, linked("b", "c")));

      assertThat(after.get(lastTen)).containsExactly(3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
      assertThat(after.get(seen)).containsExactly("a", "b", "c");
    }

    private java.util.Set<String> linked(String... elements) {
      return new java.util.LinkedHashSet<>(Arrays.asList(elements));
    }

    @Test
    @DisplayName("S0.21 unknown keys are refused, with a hint")
    void toUnknownChannelsAreRefused() {
      State before = SCHEMA.start();

      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> before.fold(
              List.of(new Contribution("n", Update.of(STATUS, "x").and(Update.of("cuont", 1))))))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-211"))
          .withMessageContaining("Did you mean 'count'?");
      assertThat(before).isEqualTo(SCHEMA.start());
    }
  }

  @Nested
  class Supersteps {

    @Test
    @DisplayName("S0.17 all nodes of a superstep read the same frozen snapshot")
    void readOneSnapshot() {
      State snapshot = fold(SCHEMA.start(), Update.append(ITEMS, 7));

      Update a = Update.of(COUNT, snapshot.get(COUNT) + 1);
      int seenByB = snapshot.get(COUNT);
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> snapshot.get(ITEMS).add(8));
      State after = fold(snapshot, a, Update.of(STATUS, "b saw " + seenByB));

      assertThat(after.get(STATUS)).isEqualTo("b saw 0");
      assertThat(snapshot.get(ITEMS)).containsExactly(7);
    }

    @Test
    @DisplayName("S0.18 updates of a superstep are applied all or not at all")
    void areAtomic() {
      State before = SCHEMA.start();
      Update fits = Update.of(COUNT, 1).and(Update.append(ITEMS, 1));

      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> fold(before, fits, Update.of("count", "x")));

      State again = fold(before, fits);
      assertThat(again.get(COUNT)).isEqualTo(1);
      assertThat(again.get(ITEMS)).containsExactly(1);
      assertThat(again.version(ITEMS)).isEqualTo(1);
      assertThat(before).isEqualTo(SCHEMA.start());
    }

    @Test
    @DisplayName("S0.19 two writers with a reducer fold in")
    void foldTwoWriters() {
      assertThat(fold(SCHEMA.start(), Update.of(COUNT, 1), Update.of(COUNT, 2)).get(COUNT))
          .isEqualTo(3);
    }

    @Test
    @DisplayName("S0.20 two writers without a reducer are an error that names them and both fixes")
    void refuseTwoWriters() {
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> fold(SCHEMA.start(), Update.of(STATUS, "A"), Update.of(STATUS, "B")))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-212"))
          .withMessageContaining("'a' and 'b'")
          .withMessageContaining("reducer")
          .withMessageContaining("lastWins()");
    }

    @Test
    @DisplayName("S0.20 with lastWins() the last in plan order wins, 1,000 of 1,000 times")
    void takeTheLastInPlanOrder() {
      Channel<@Nullable String> status = Channel.value("status", String.class).lastWins();
      State start = StateSchema.of(status).start();
      Random order = new Random(20);

      for (int run = 0; run < 1_000; run++) {
        List<String> plan = Arrays.asList("a", "b", "c", "d", "e");
        Collections.shuffle(plan, order);

        State state = start
            .fold(plan.stream()
                .map(node -> new Contribution(node, Update.of(status, node)))
                .toList())
            .state();

        assertThat(state.get(status)).isEqualTo(plan.get(4));
      }
    }

    @Test
    void letOneTaskWriteTwice() {
      Update both = Update.of(STATUS, "1").and(STATUS, "2");

      assertThat(fold(SCHEMA.start(), both).get(STATUS)).isEqualTo("2");
    }

    @Test
    @DisplayName("S0.20 two tasks of one node are two writers")
    void refuseTwoTasksOfOneNode() {
      List<Contribution> sends = List.of(
          new Contribution("worker", Update.of(STATUS, "1")),
          new Contribution("worker", Update.of(STATUS, "2")));

      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> SCHEMA.start().fold(sends))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-212"));
    }
  }

  @Nested
  class Views {

    private final Channel<@Nullable String> query = Channel.value("query", String.class);
    private final Channel<@Nullable String> answer = Channel.value("answer", String.class);
    private final Channel<@Nullable String> scratch = Channel.value("scratch", String.class);

    @Test
    @DisplayName("S0.22 the input schema is enforced before any node runs")
    void refuseInputThatIsNotForCallers() {
      StateSchema schema =
          StateSchema.builder().channels(query, answer, scratch).input("query").build();

      assertThat(schema.accept(Update.of(query, "q"))).isEqualTo(Update.of(query, "q"));
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> schema.accept(Update.of(Map.of("query", "q", "scratch", "s"))))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-219"));
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> schema.accept(Update.of(Map.of("query", "q", "secret", 1))))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-211"));
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> schema.accept(Update.of("query", 1)))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-201"));
    }

    @Test
    @DisplayName("S0.23 the output schema filters results; fields in neither view are private")
    void filterOutput() {
      StateSchema schema = StateSchema.builder()
          .channels(query, answer, scratch)
          .input("query")
          .output("answer")
          .build();

      State state = fold(schema.start(), Update.of(answer, "42").and(scratch, "s"));

      assertThat(schema.output(state)).isEqualTo(Map.of("answer", "42"));
      assertThat(state.get(scratch)).isEqualTo("s");
      assertThat(schema.isPrivate(scratch)).isTrue();
      assertThat(schema.isPrivate(answer)).isFalse();
    }

    @Test
    @DisplayName("S0.23 a view that names an unknown field is a build error, told with all others")
    void mustNameKnownChannels() {
      assertThatExceptionOfType(InvalidSchemaException.class)
          .isThrownBy(() -> StateSchema.builder()
              .channels(query, answer, scratch, Channel.value("query", Integer.class))
              .input("qurey")
              .output("answr")
              .output("scratch")
              .build())
          .satisfies(error -> assertThat(error.problems())
              .extracting(problem -> problem.code())
              .containsExactlyInAnyOrder("SG-232", "SG-234", "SG-235"))
          .withMessageContaining("Did you mean 'query'?");
    }
  }
}
