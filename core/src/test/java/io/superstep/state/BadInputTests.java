package io.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.superstep.error.SuperstepException;
import io.superstep.message.Message;
import io.superstep.value.TypeRef;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What goes wrong gets a typed error that names the place and the fix, shows no value, and leaves
 * the state alone.
 */
@Timeout(30)
class BadInputTests {

  /** Stands in every value here, and must stand in no message. */
  private static final String SECRET = "s3cret";

  private static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);
  private static final Channel<@Nullable String> STATUS = Channel.value("status", String.class);
  private static final Channel<String> MOOD =
      Channel.value("mood", String.class).startingAt("calm");
  private static final Channel<@Nullable Object> ANY = Channel.value("any", Object.class);
  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<Map<String, @Nullable Object>> TREE = Channel.deepMap("tree");
  private static final State START =
      StateSchema.of(COUNT, STATUS, MOOD, ANY, LOG, TREE).start();

  private static Refusal refused(ThrowingCallable call) {
    try {
      call.call();
    } catch (SuperstepException typed) {
      return new Refusal(typed);
    } catch (Throwable untyped) {
      throw new AssertionError("An untyped error escaped: " + untyped, untyped);
    }
    throw new AssertionError("Nothing was refused.");
  }

  /** The refusal of {@code update}, written by the node "writer" beside one that fits. */
  private static Refusal refusedBy(State state, Update update) {
    Object before = Generated.seen(state.asMap());
    Refusal refusal = refused(() -> state.fold(List.of(new Contribution("writer", update))));
    assertThat(Generated.seen(state.asMap())).as("the state").isEqualTo(before);
    assertThat(refusal.error).isInstanceOf(InvalidUpdateException.class);
    return refusal;
  }

  private static <T extends @Nullable Object> State startOf(Channel<T> channel) {
    return StateSchema.of(channel).start();
  }

  /** An error and what can be asked of every one. */
  private record Refusal(SuperstepException error) {

    Refusal {
      assertThat(error).message().doesNotContain(SECRET);
      assertThat(error.getMessage().length()).as("length of the message").isLessThan(1_500);
      assertThat(error.problems()).isNotEmpty();
      for (Throwable cause = error.getCause();
          cause instanceof SuperstepException;
          cause = cause.getCause()) {
        assertThat(cause).message().doesNotContain(SECRET);
      }
    }

    Refusal with(String code, String... parts) {
      assertThat(error.code()).isEqualTo(code);
      for (String part : parts) {
        assertThat(error).hasMessageContaining(part);
      }
      return this;
    }

    Refusal of(String channel, @Nullable String writer) {
      InvalidUpdateException refused = (InvalidUpdateException) error;
      assertThat(refused.channel()).contains(channel);
      assertThat(refused).hasMessageContaining("'" + channel + "'");
      assertThat(refused.writer().orElse(null)).isEqualTo(writer);
      if (writer != null) {
        assertThat(refused).hasMessageContaining("'" + writer + "'");
      }
      return this;
    }
  }

  @Nested
  class AWrite {

    @Test
    void ofAnotherTypeIsRefused() {
      refusedBy(START, Update.of("count", SECRET))
          .with("SG-201", "Integer", "String")
          .of("count", "writer");
      refusedBy(START, Update.overwrite("count", SECRET)).with("SG-201").of("count", "writer");
      refusedBy(START, Update.of("log", SECRET)).with("SG-201", "List<String>").of("log", "writer");
      refusedBy(START, Update.of("log", List.of("a", 1)))
          .with("SG-201", "'log'[1]", "String", "Integer")
          .of("log", "writer");
      refusedBy(START, Update.of("tree", Map.of(1, SECRET)))
          .with("SG-201", "'tree'.1")
          .of("tree", "writer");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void ofAnotherTypeIsRefusedWhereItIsMadeIfTheKeyIsTyped() {
      refused(() -> Update.of((Channel) COUNT, SECRET))
          .with("SG-201", "Integer", "String")
          .of("count", null);
      refused(() -> Update.append((ListChannel) LOG, 1))
          .with("SG-201", "'log'[0]")
          .of("log", null);
    }

    @Test
    void byAKeyThatReadsAnotherTypeIsRefused() {
      Channel<@Nullable Integer> otherStatus = Channel.value("status", Integer.class);

      refusedBy(START, Update.of(otherStatus, 1)).with("SG-201").of("status", "writer");
      refused(() -> START.get(otherStatus)).with("SG-201", "String", "Integer");
    }

    @Test
    void toAnUnknownChannelIsRefusedWithAGuess() {
      refusedBy(START, Update.of("cuont", SECRET))
          .with("SG-211", "Did you mean 'count'?")
          .of("cuont", "writer");
      refusedBy(START, Update.of("zzzzzz", 1)).with("SG-211", "count", "status", "mood");
      refused(() -> START.get("stauts")).with("SG-211", "Did you mean 'status'?");
      refused(() -> START.schema().accept(Update.of("lgo", 1)))
          .with("SG-211", "Did you mean 'log'?");
    }

    @Test
    void ofNullIsRefusedWhereNoneCanBe() {
      refusedBy(START, Update.of("mood", null)).with("SG-202", "String").of("mood", "writer");
      refusedBy(START, Update.of("count", null)).with("SG-202", "Integer").of("count", "writer");
      refusedBy(START, Update.of("log", null)).with("SG-202").of("log", "writer");
      refusedBy(START, Update.of("log", Arrays.asList("a", null)))
          .with("SG-202", "'log'[1]")
          .of("log", "writer");
      refusedBy(START, Update.overwrite("log", null)).with("SG-202").of("log", "writer");
      refused(() -> Update.of(MOOD, null)).with("SG-202").of("mood", null);
      assertThatNoException()
          .isThrownBy(
              () -> START.fold(List.of(new Contribution("writer", Update.of("status", null)))));
    }

    @Test
    void ofNullIsRefusedInAnUntypedChannelWithAStartToo() {
      State untyped = StateSchema.of(Map.of(
              "plain", Map.of("default", SECRET),
              "added", Map.of("default", 1, "reducer", "ADD"),
              "replaced", Map.of("default", SECRET, "reducer", "REPLACE")))
          .start();

      refusedBy(untyped, Update.of("plain", null)).with("SG-202").of("plain", "writer");
      refusedBy(untyped, Update.overwrite("added", null)).with("SG-202").of("added", "writer");
      refusedBy(untyped, Update.of("added", null)).with("SG-207").of("added", "writer");
      refusedBy(untyped, Update.of("replaced", null)).with("SG-202").of("replaced", "writer");
    }

    @Test
    void ofSomethingCyclicIsRefused() {
      Map<String, Object> cyclic = new HashMap<>();
      cyclic.put(SECRET.substring(1), new ArrayList<>(List.of(cyclic)));

      refused(() -> Update.of("any", cyclic)).with("SG-203").of("any", null);
      refused(() -> Update.of(ANY, cyclic)).with("SG-203").of("any", null);
      refused(() -> Update.of(TREE, cyclic)).with("SG-203").of("tree", null);
      refused(() -> Update.of(Map.of("tree", cyclic))).with("SG-203").of("tree", null);
    }

    @Test
    void ofSomethingTenThousandLevelsDeepIsRefused() {
      Object deep = SECRET;
      for (int i = 0; i < 10_000; i++) {
        deep = Collections.singletonList(deep);
      }
      Object value = deep;

      refused(() -> Update.of("any", value)).with("SG-204").of("any", null);
      refused(() -> Update.of(ANY, value)).with("SG-204").of("any", null);
    }

    @Test
    void ofSomethingTooLargeIsRefusedUnlessTheChannelTakesMore() {
      String large = SECRET + "x".repeat((int) ValueType.MAX_SIZE);
      Channel<@Nullable String> roomy = Channel.value("roomy", String.class).upTo(20 << 20);
      Channel<@Nullable String> narrow = Channel.value("narrow", String.class).upTo(5);

      refusedBy(START, Update.of("any", large)).with("SG-205", "upTo(bytes)").of("any", "writer");
      refused(() -> Update.of(STATUS, large)).with("SG-205", "upTo(bytes)").of("status", null);
      refused(() -> Update.of(narrow, SECRET)).with("SG-205", "5 bytes").of("narrow", null);
      refusedBy(startOf(narrow), Update.of("narrow", SECRET))
          .with("SG-205", "5 bytes")
          .of("narrow", "writer");
      for (Update update : List.of(Update.of(roomy, large), Update.of("roomy", large))) {
        State state =
            startOf(roomy).fold(List.of(new Contribution("w", update))).state();
        assertThat(state.get(roomy)).hasSameSizeAs(large);
      }
    }

    @Test
    void ofALargePartFitsAChannelThatTakesMoreWhateverItsKind() {
      String large = "x".repeat((int) ValueType.MAX_SIZE + 1);
      Channel<Map<String, String>> map =
          Channel.map("map", String.class, String.class).upTo(64 << 20);
      Channel<Set<String>> set = Channel.set("set", String.class).upTo(64 << 20);
      ListChannel<String> newest = Channel.newestByKey(
              "newest", String.class, text -> text.length() % 10, String::length)
          .upTo(64 << 20);
      State start = StateSchema.of(map, set, newest).start();
      Update update =
          Update.of(map, Map.of("k", large)).and(set, Set.of(large)).and(newest, List.of(large));

      Transition transition =
          start.fold(List.of(new Contribution("a", update), new Contribution("b", update)));

      assertThat(transition.state().get(map)).containsOnlyKeys("k");
      assertThat(start.apply(transition.changes())).isEqualTo(transition.state());
    }

    @Test
    void ofAnArrayOfObjectsIsRefused() {
      refused(() -> Update.of("any", new String[] {SECRET})).with("SG-206").of("any", null);
      refused(() -> Update.of(ANY, List.of(new Object[] {SECRET}, 1)))
          .with("SG-206", "'any'[0]")
          .of("any", null);
    }

    @Test
    void byTwoNodesIsRefused() {
      refused(() -> START.fold(List.of(
              new Contribution("one", Update.of(STATUS, SECRET)),
              new Contribution("two", Update.of(STATUS, SECRET)))))
          .with("SG-212", "'one'", "'two'", "lastWins()")
          .of("status", "two");
    }

    @Test
    void ofASecondValueIsRefusedWhereOneIsKept() {
      Channel<@Nullable String> topic = Channel.value("topic", String.class).writeOnce();
      State written = startOf(topic)
          .fold(List.of(new Contribution("w", Update.of(topic, "first " + SECRET))))
          .state();

      refusedBy(written, Update.of(topic, SECRET)).with("SG-213").of("topic", "writer");
      refusedBy(written, Update.of(topic, null)).with("SG-213").of("topic", "writer");
      refusedBy(written, Update.overwrite(topic, SECRET)).with("SG-213").of("topic", "writer");
    }

    @Test
    void thatIsRefusedTakesAllOthersWithIt() {
      Refusal refusal = refused(() -> START.fold(List.of(
          new Contribution("good", Update.of(COUNT, 1).and(LOG, List.of("kept?"))),
          new Contribution("bad", Update.of("count", SECRET)))));

      refusal.with("SG-201").of("count", "bad");
      assertThat(START.get(COUNT)).isZero();
      assertThat(START.get(LOG)).isEmpty();
      assertThat(START.version(COUNT)).isZero();
    }
  }

  @Nested
  class AReducer {

    private <T> State reduced(Class<T> type, T start, Reducer<T> reducer) {
      return startOf(Channel.reduced("r", type, start, reducer));
    }

    @Test
    void thatThrowsIsToldWithItsCause() {
      IllegalStateException failure = new IllegalStateException("has seen " + SECRET);
      State state = reduced(String.class, SECRET, (current, update) -> {
        throw failure;
      });

      Refusal refusal = refusedBy(state, Update.of("r", SECRET))
          .with("SG-215", "reducer", "IllegalStateException")
          .of("r", "writer");

      assertThat(refusal.error()).hasCause(failure);
    }

    @Test
    void thatReturnsNullIsRefused() {
      refusedBy(reduced(String.class, SECRET, (current, update) -> null), Update.of("r", SECRET))
          .with("SG-202", "null")
          .of("r", "writer");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void thatReturnsAnotherTypeIsRefused() {
      State state = reduced(Integer.class, 1, (Reducer) (current, update) -> SECRET);

      refusedBy(state, Update.of("r", 1)).with("SG-201", "Integer", "String").of("r", "writer");
    }

    @Test
    void thatChangesItsArgumentIsRefused() {
      Channel<List<String>> list = Channel.reduced(
          "r", new TypeRef<List<String>>() {}, List.of(SECRET), (current, update) -> {
            current.addAll(update);
            return current;
          });

      refusedBy(startOf(list), Update.of(list, List.of("x")))
          .with("SG-215", "UnsupportedOperationException")
          .of("r", "writer");
    }

    @Test
    void thatReturnsSomethingCyclicOrTooLargeIsRefused() {
      List<Object> cyclic = new ArrayList<>();
      cyclic.add(cyclic);

      refusedBy(reduced(Object.class, 1, (current, update) -> cyclic), Update.of("r", 1))
          .with("SG-203")
          .of("r", "writer");
      refusedBy(
              reduced(Object.class, 1, (current, update) -> "x".repeat(17 << 20)),
              Update.of("r", 1))
          .with("SG-205")
          .of("r", "writer");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes", "NullAway"})
    void thatDeclaresAnEffectThatCannotBeIsRefused() {
      Channel<List<String>> gap = Channel.reduced(
          "r",
          new TypeRef<List<String>>() {},
          List.of(SECRET),
          Reducer.declaring((current, update) ->
              new Effect.Edit<>(new TreeSet<>(Set.of(7)), new TreeMap<>(), new TreeMap<>())));
      Channel<List<String>> union = Channel.reduced(
          "r", new TypeRef<List<String>>() {}, List.of(SECRET), Reducer.declaring((Reducer.Delta)
              (current, update) -> new Effect.Union<>(Set.of("a"))));
      Channel<@Nullable Object> mergeIntoText =
          Channel.reduced("r", Object.class, SECRET, Reducer.declaring((Reducer.Delta)
              (current, update) -> new Effect.Merge<>(Map.of("a", 1), true)));
      Channel<@Nullable Object> joinToNumber =
          Channel.reduced("r", Object.class, 1, Reducer.declaring((Reducer.Delta)
              (current, update) -> new Effect.Join("a")));
      Channel<@Nullable Object> nothing =
          Channel.reduced("r", Object.class, SECRET, Reducer.declaring((current, update) -> null));

      refusedBy(startOf(gap), Update.of("r", List.of("x"))).with("SG-215").of("r", "writer");
      refusedBy(startOf(union), Update.of("r", List.of("x"))).with("SG-201").of("r", "writer");
      refusedBy(startOf(mergeIntoText), Update.of("r", "x")).with("SG-215").of("r", "writer");
      refusedBy(startOf(joinToNumber), Update.of("r", "x")).with("SG-215").of("r", "writer");
      refusedBy(startOf(nothing), Update.of("r", "x")).with("SG-215").of("r", "writer");
    }

    @Test
    void thatOverflowsIsRefused() {
      Channel<Integer> sum = Channel.sum("r", Integer.class).startingAt(Integer.MAX_VALUE);

      refusedBy(startOf(sum), Update.of(sum, 1))
          .with("SG-215", "ArithmeticException")
          .of("r", "writer");
    }

    @Test
    @SuppressWarnings("NullAway")
    void byKeyRefusesAnItemWithoutAKeyOrATime() {
      ListChannel<String> noKey =
          Channel.newestByKey("r", String.class, text -> (String) null, String::length);
      ListChannel<String> noTime =
          Channel.newestByKey("r", String.class, text -> text, text -> (Integer) null);

      refusedBy(startOf(noKey), Update.append(noKey, SECRET, "b"))
          .with("SG-215", "NullPointerException")
          .of("r", "writer");
      refusedBy(startOf(noTime), Update.append(noTime, SECRET, "b"))
          .with("SG-215", "NullPointerException")
          .of("r", "writer");
    }

    @Test
    void withANameRefusesWhatItCannotCombine() {
      State state = StateSchema.of(Map.of(
              "add", Map.of("reducer", "ADD", "default", 1),
              "merge", Map.of("reducer", "MERGE", "default", Map.of()),
              "messages", Map.of("reducer", "ADD_MESSAGES", "default", List.of())))
          .start();

      refusedBy(state, Update.of("add", SECRET))
          .with("SG-207", "Integer", "String")
          .of("add", "writer");
      refusedBy(state, Update.of("merge", SECRET)).with("SG-207", "Map").of("merge", "writer");
      refusedBy(state, Update.of("messages", List.of(SECRET))).of("messages", "writer");
      refusedBy(state, Update.of("messages", SECRET)).of("messages", "writer");
      refusedBy(state, Update.of("messages", Message.human(SECRET))).of("messages", "writer");
    }
  }

  @Nested
  class ACheck {

    @Test
    void thatIsNotPassedRefusesTheUpdate() {
      Channel<String> status = Channel.value("status", String.class)
          .startingAt("running")
          .validated("Only running or done.", Set.of("running", "done")::contains);

      refusedBy(startOf(status), Update.of(status, SECRET))
          .with("SG-214", "Only running or done.")
          .of("status", "writer");
    }

    @Test
    void thatThrowsRefusesTheUpdate() {
      Channel<@Nullable String> broken = Channel.value("broken", String.class)
          .validated("never said", text -> {
            throw new IllegalStateException(SECRET);
          });

      Refusal refusal = refusedBy(startOf(broken), Update.of(broken, SECRET))
          .with("SG-214", "IllegalStateException")
          .of("broken", "writer");

      assertThat(refusal.error().getCause()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void ofTheWholeStateThatIsNotPassedOrThrowsRefusesTheUpdate() {
      StateSchema schema = StateSchema.builder()
          .channels(COUNT)
          .check("count", "Not more than one.", state -> state.get(COUNT) < 2)
          .check("count/odd", "never said", state -> {
            if (state.get(COUNT) > 1) {
              throw new IllegalStateException(SECRET);
            }
            return true;
          })
          .build();

      Refusal refusal = refusedBy(schema.start(), Update.of(COUNT, 2));

      refusal.with("SG-220", "Not more than one.", "IllegalStateException", "count/odd");
      assertThat(refusal.error().problems()).hasSize(2);
    }
  }

  @Nested
  class AChannel {

    private final Channel<@Nullable String> plain = Channel.value("plain", String.class);

    @Test
    @SuppressWarnings("CheckReturnValue")
    void withOptionsThatContradictIsRefused() {
      List<ThrowingCallable> contradictions = List.of(
          () -> plain.lastWins().writeOnce(),
          () -> plain.writeOnce().lastWins(),
          () -> plain.lastWins().lastWins(),
          () -> plain.writeOnce().writeOnce(),
          () -> plain.writeOnce().writeOnce(Channel.Rewrite.IGNORE),
          () -> COUNT.lastWins(),
          () -> COUNT.writeOnce(),
          () -> LOG.lastWins(),
          () -> plain.ephemeral().runtimeOnly(),
          () -> plain.runtimeOnly().argument(),
          () -> plain.argument().ephemeral(),
          () -> plain.ephemeral().ephemeral(),
          () -> plain.validated("a", text -> true).validated("b", text -> true),
          () -> plain.upTo(10).upTo(20),
          () -> plain.upTo(0),
          () -> plain.upTo(-1));

      for (ThrowingCallable contradiction : contradictions) {
        Refusal refusal = refused(contradiction).with("SG-232", "channel '");
        assertThat(refusal.error()).isInstanceOf(InvalidSchemaException.class);
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "1st", "a b", "-x", ".x", "a/b", "a'b", "a\nb", "a:b", "\0"})
    void withABadNameIsRefused(String name) {
      Refusal refusal = refused(() -> Channel.value(name, String.class)).with("SG-231", "letter");

      assertThat(refusal.error()).isInstanceOf(InvalidSchemaException.class);
      refused(() -> Channel.list(name, String.class)).with("SG-231");
      refused(() -> StateSchema.of(Map.of(name, Map.of()))).with("SG-231");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "_a", "größe", "a1", "a.b-c_d", "名前"})
    void withAGoodNameIsTaken(String name) {
      assertThat(Channel.value(name, String.class).name()).isEqualTo(name);
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void withABadStartValueIsRefused() {
      List<Object> cyclic = new ArrayList<>();
      cyclic.add(cyclic);

      refused(() -> ((Channel) plain).startingAt(1)).with("SG-233", "'plain'", "String", "Integer");
      refused(() -> ((Channel) plain).startingAt(null)).with("SG-233", "'plain'", "null");
      refused(() -> ((Channel) ANY).startingAt(null)).with("SG-233", "'any'", "null");
      refused(() -> ANY.startingAt(cyclic)).with("SG-233", "'any'", "itself");
      refused(() -> Channel.reduced("r", (Class) Integer.class, SECRET, (a, b) -> a))
          .with("SG-233", "'r'", "Integer", "String");
      refused(() -> StateSchema.of(Map.of("m", Map.of("type", Integer.class, "default", SECRET))))
          .with("SG-233", "'m'", "Integer", "String");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes", "NullAway"})
    void whoseSupplierDoesNotDeliverIsRefused() {
      List<Channel> channels = List.of(
          plain.startingWith(() -> null),
          ((Channel) plain).startingWith(() -> 1),
          ANY.startingWith(() -> null),
          plain.startingWith(() -> {
            throw new IllegalStateException(SECRET);
          }));

      for (Channel<?> channel : channels) {
        Refusal refusal = refused(() -> StateSchema.of(channel).start())
            .with("SG-233", "'" + channel.name() + "'");
        assertThat(refusal.error()).isInstanceOf(InvalidSchemaException.class);
      }
    }

    @Test
    void ofATypeThatCannotBeKeptIsRefused() {
      refused(() -> Channel.value("v", ArrayList.class)).with("SG-206", "List, Set or Map");
      refused(() -> Channel.list("v", String[].class)).with("SG-206", "Use a List");
      refused(() -> Channel.sum("v", Short.class)).with("SG-236", "'v'", "Short");
    }

    @Test
    void declaredTwiceIsRefused() {
      refused(() -> StateSchema.of(plain, Channel.value("plain", Integer.class)))
          .with("SG-234", "'plain'");
    }
  }

  @Nested
  class AStoredState {

    @Test
    void ofAnotherTypeIsRefused() {
      refused(() -> START.schema().restore(Map.of("count", SECRET), Map.of(), Map.of()))
          .with("SG-201", "Integer", "String")
          .of("count", null);
    }

    @Test
    void ofChangesThatDoNotFitIsRefused() {
      refused(() -> START.apply(new Changes(Map.of("count", Effect.replace(SECRET)))))
          .with("SG-201", "Integer", "String");
      refused(() -> START.apply(new Changes(Map.of("cuont", Effect.replace(1)))))
          .with("SG-211", "Did you mean 'count'?");
    }
  }
}
