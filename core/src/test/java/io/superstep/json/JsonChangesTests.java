package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.Effect;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonChangesTests {

  private static final Channel<@Nullable LocalDate> DAY = Channel.value("day", LocalDate.class);
  private static final Channel<String> TEXT = Channel.text("text");
  private static final ListChannel<LocalDate> DAYS = Channel.list("days", LocalDate.class);
  private static final Channel<Set<LocalDate>> SET = Channel.set("set", LocalDate.class);
  private static final Channel<Map<LocalDate, Long>> MAP =
      Channel.map("map", LocalDate.class, Long.class);
  private static final Channel<Map<String, @Nullable Object>> DEEP = Channel.deepMap("deep");
  private static final Channel<@Nullable Object> ANY = Channel.value("any", Object.class);
  private static final Channel<@Nullable String> RUN =
      Channel.value("run", String.class).runtimeOnly();

  private static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);
  private static final Channel<BigDecimal> COST = Channel.sum("cost", BigDecimal.class);

  private static final StateSchema SCHEMA =
      StateSchema.of(DAY, TEXT, DAYS, SET, MAP, DEEP, ANY, RUN, COUNT, COST);
  private static final JsonCodec CODEC = JsonCodec.of(SCHEMA);

  private static final LocalDate ONE = LocalDate.of(2025, 1, 1);
  private static final LocalDate TWO = LocalDate.of(2025, 1, 2);
  private static final LocalDate THREE = LocalDate.of(2025, 1, 3);

  private static final State BEFORE = Texts.fold(
      SCHEMA.start(),
      Update.of(DAY, ONE)
          .and(TEXT, "a")
          .and(DAYS, List.of(ONE, TWO))
          .and(SET, Set.of(ONE))
          .and(MAP, Map.of(ONE, 1L))
          .and(DEEP, Map.of("m", Map.of("x", 1L)))
          .and(ANY, List.of(1L)));

  private static Effect<LocalDate> none() {
    return Effect.nothing();
  }

  /** Writes and reads {@code effect}, and checks that it does the same. */
  private static String roundTrip(Channel<?> channel, Effect<?> effect) {
    Changes changes = new Changes(Map.of(channel.name(), effect));

    byte[] bytes = CODEC.encode(changes);
    Changes read = CODEC.decodeChanges(bytes);

    assertThat(read).isEqualTo(changes);
    assertThat(BEFORE.apply(read)).isEqualTo(BEFORE.apply(changes));
    assertThat(text(CODEC.encode(read))).isEqualTo(text(bytes));
    String prefix = "{\"v\":1,\"changes\":{\"" + channel.name() + "\":";
    assertThat(text(bytes)).startsWith(prefix).endsWith("}}");
    return text(bytes).substring(prefix.length(), bytes.length - 2);
  }

  @Test
  void aReplacedValue() {
    assertThat(roundTrip(DAY, Effect.replace(TWO))).isEqualTo("{\"set\":\"2025-01-02\"}");
    assertThat(roundTrip(DAY, new Effect.Replace<>(null))).isEqualTo("{\"set\":null}");
    assertThat(roundTrip(ANY, Effect.replace(5L))).isEqualTo("{\"set\":{\"$long\":5}}");
  }

  @Test
  void nothing() {
    assertThat(roundTrip(DAY, none())).isEqualTo("{\"nothing\":true}");
  }

  @Test
  void anAmountThatWasAdded() {
    assertThat(roundTrip(COUNT, new Effect.Add<>(5))).isEqualTo("{\"add\":5}");
    roundTrip(COST, new Effect.Add<>(new BigDecimal("0.10")));
    assertThatExceptionOfType(InvalidJsonException.class)
        .isThrownBy(
            () -> CODEC.decodeChanges(bytes("{\"v\":1,\"changes\":{\"text\":{\"add\":\"5\"}}}")));
    assertThatExceptionOfType(InvalidJsonException.class)
        .isThrownBy(
            () -> CODEC.decodeChanges(bytes("{\"v\":1,\"changes\":{\"count\":{\"add\":null}}}")));
  }

  @Test
  void joinedText() {
    assertThat(roundTrip(TEXT, new Effect.Join("b"))).isEqualTo("{\"join\":\"b\"}");
  }

  @Test
  void appendedElements() {
    assertThat(roundTrip(DAYS, new Effect.Append<>(List.of(THREE))))
        .isEqualTo("{\"append\":[\"2025-01-03\"]}");
    assertThat(roundTrip(ANY, new Effect.Append<>(Arrays.asList(2L, null))))
        .isEqualTo("{\"append\":[{\"$long\":2},null]}");
  }

  @Test
  void anEditedList() {
    Effect<List<LocalDate>> edit = new Effect.Edit<>(
        new TreeSet<>(Set.of(0)), new TreeMap<>(Map.of(0, THREE)), new TreeMap<>(Map.of(1, ONE)));

    assertThat(roundTrip(DAYS, edit))
        .isEqualTo("{\"edit\":{\"removed\":[0],\"replaced\":{\"0\":\"2025-01-03\"},"
            + "\"inserted\":{\"1\":\"2025-01-01\"}}}");
    roundTrip(
        ANY,
        new Effect.Edit<Object>(
            new TreeSet<>(), new TreeMap<>(Map.of(0, 7L)), new TreeMap<>(Map.of(1, 8.0))));
  }

  @Test
  void aUnion() {
    assertThat(roundTrip(SET, new Effect.Union<>(Set.of(TWO))))
        .isEqualTo("{\"union\":[\"2025-01-02\"]}");
  }

  @Test
  void mergedEntries() {
    assertThat(roundTrip(MAP, new Effect.Merge<>(Map.of(TWO, 2L), false)))
        .isEqualTo("{\"merge\":{\"2025-01-02\":2}}");
    assertThat(roundTrip(DEEP, new Effect.Merge<>(Map.of("m", Map.of("y", 2L)), true)))
        .isEqualTo("{\"merge-deep\":{\"m\":{\"y\":{\"$long\":2}}}}");
  }

  @Test
  void oneAfterTheOther() {
    assertThat(roundTrip(
            DAYS,
            new Effect.Sequence<>(List.of(
                Effect.replace(List.of()),
                new Effect.Append<>(List.of(ONE)),
                new Effect.Sequence<>(List.of(new Effect.Append<>(List.of(TWO))))))))
        .isEqualTo("[{\"set\":[]},{\"append\":[\"2025-01-01\"]},[{\"append\":[\"2025-01-02\"]}]]");
  }

  @Test
  void theOrderOfChannelsIsThatOfTheChanges() {
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    effects.put("text", new Effect.Join("x"));
    effects.put("day", Effect.replace(ONE));

    Changes read = CODEC.decodeChanges(CODEC.encode(new Changes(effects)));

    assertThat(read.effects().keySet()).containsExactly("text", "day");
  }

  @Test
  void whatAFoldReportsLeadsToTheSameStateAndStoresNothingOfTheRun() {
    Transition step = BEFORE.fold(List.of(
        new Contribution("a", Update.append(DAYS, THREE).and(RUN, "secret")),
        new Contribution("b", Update.append(DAYS, ONE).and(TEXT, "z"))));

    byte[] bytes = CODEC.encode(step.changes());

    assertThat(text(bytes)).doesNotContain("secret");
    assertThat(Texts.fold(BEFORE.apply(CODEC.decodeChanges(bytes)), Update.of(RUN, "secret")))
        .isEqualTo(step.state());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"days\":{\"union\":[]}}",
        "{\"set\":{\"append\":[]}}",
        "{\"day\":{\"join\":\"2025-01-01\"}}",
        "{\"set\":{\"edit\":{}}}",
        "{\"days\":{\"edit\":{\"removed\":[-1]}}}",
        "{\"days\":{\"edit\":{\"inserted\":{\"x\":\"2025-01-01\"}}}}",
        "{\"days\":{\"edit\":{\"inserted\":{\"0\":null}}}}",
        "{\"days\":{\"append\":null}}",
        "{\"days\":{}}",
        "{\"days\":{\"set\":[],\"append\":[]}}",
        "{\"days\":{\"explode\":1}}",
        "{\"days\":[1]}",
        "[]"
      })
  void anEffectThatCannotHappenToTheChannelIsRefused(String changes) {
    InvalidJsonException refused = catchThrowableOfType(
        InvalidJsonException.class,
        () -> CODEC.decodeChanges(bytes("{\"v\":1,\"changes\":" + changes + "}")));

    assertThat(refused.code()).isEqualTo("SG-302");
  }

  @Test
  void aChannelThatTheSchemaDoesNotKnowIsNamed() {
    InvalidJsonException refused = catchThrowableOfType(
        InvalidJsonException.class,
        () -> CODEC.decodeChanges(bytes("{\"v\":1,\"changes\":{\"texts\":{\"set\":1}}}")));

    assertThat(refused.code()).isEqualTo("SG-304");
    assertThat(refused.channel()).contains("texts");
    assertThat(refused).hasMessageContaining("Did you mean 'text'?");
  }

  @Test
  void aStateIsNotTakenForChanges() {
    byte[] state = CODEC.encode(BEFORE);

    assertThat(catchThrowableOfType(InvalidJsonException.class, () -> CODEC.decodeChanges(state))
            .code())
        .isEqualTo("SG-302");
  }
}
