package io.superstep.json;

import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.json.RandomValues.Everything;
import io.superstep.json.RandomValues.Mood;
import io.superstep.json.RandomValues.Point;
import io.superstep.json.RandomValues.Shape;
import io.superstep.message.Message;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import io.superstep.value.TypeRef;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JsonRoundTripTests {

  private static final int STATES = 600;

  /** Each channel with what can be written to it. */
  private static final Map<Channel<?>, Function<RandomValues, @Nullable Object>> CHANNELS =
      new LinkedHashMap<>();

  static {
    CHANNELS.put(Channel.value("string", String.class), RandomValues::text);
    CHANNELS.put(Channel.text("text"), RandomValues::text);
    CHANNELS.put(Channel.value("bool", Boolean.class), RandomValues::flip);
    CHANNELS.put(Channel.value("int", Integer.class), RandomValues::integer);
    CHANNELS.put(Channel.value("long", Long.class).startingAt(1L), RandomValues::longer);
    CHANNELS.put(Channel.value("double", Double.class), RandomValues::number);
    CHANNELS.put(Channel.value("float", Float.class), RandomValues::smaller);
    CHANNELS.put(Channel.value("integer", BigInteger.class), RandomValues::bigInteger);
    CHANNELS.put(Channel.value("decimal", BigDecimal.class), RandomValues::decimal);
    CHANNELS.put(Channel.value("number", Number.class), RandomValues::longer);
    CHANNELS.put(Channel.value("mood", Mood.class), RandomValues::mood);
    CHANNELS.put(Channel.value("instant", Instant.class), RandomValues::instant);
    CHANNELS.put(Channel.value("duration", Duration.class), RandomValues::duration);
    CHANNELS.put(Channel.value("date", LocalDate.class), RandomValues::date);
    CHANNELS.put(Channel.value("offset", OffsetDateTime.class), RandomValues::offsetDateTime);
    CHANNELS.put(Channel.value("zoned", ZonedDateTime.class), RandomValues::zonedDateTime);
    CHANNELS.put(Channel.value("zone", ZoneId.class), RandomValues::zone);
    CHANNELS.put(Channel.value("uuid", UUID.class), RandomValues::uuid);
    CHANNELS.put(Channel.value("bytes", byte[].class), RandomValues::bytes);
    CHANNELS.put(Channel.value("floats", float[].class), RandomValues::floats);
    CHANNELS.put(Channel.value("shape", Shape.class), RandomValues::shape);
    CHANNELS.put(Channel.value("record", Everything.class), RandomValues::everything);
    CHANNELS.put(Channel.value("any", Object.class), RandomValues::any);
    CHANNELS.put(Channel.deepMap("deep"), RandomValues::anything);
    CHANNELS.put(Channel.messages("messages"), values -> values.list(values::message));
    CHANNELS.put(Channel.list("points", Point.class), values -> values.list(values::point));
    CHANNELS.put(Channel.set("names", String.class), values -> values.set(values::text));
    CHANNELS.put(
        Channel.map("counts", Integer.class, Instant.class),
        values -> values.map(values::integer, values::instant));
    CHANNELS.put(
        Channel.map("moods", Mood.class, Double.class),
        values -> values.map(values::mood, values::number));
    CHANNELS.put(
        Channel.value("nested", new TypeRef<Map<Point, List<Set<Object>>>>() {}),
        values -> values.map(values::point, () -> values.list(() -> values.set(values::any))));
  }

  private static final StateSchema SCHEMA =
      StateSchema.of(CHANNELS.keySet().toArray(new Channel<?>[0]));

  private static final JsonCodec CODEC = JsonCodec.of(SCHEMA);

  @Test
  @DisplayName("S2.11 any state, and any step to it, is read back equal and written the same again")
  void statesAndChangesComeBackEqual() {
    for (long seed = 0; seed < STATES; seed++) {
      RandomValues values = new RandomValues(seed);
      Transition first = step(SCHEMA.start(), values);
      Transition second = step(first.state(), values);

      assertComesBack(seed, first.state());
      assertComesBack(seed, second.state());
      assertThat(CODEC.decodeChanges(CODEC.encode(second.changes())))
          .as("changes of seed %d", seed)
          .satisfies(changes -> assertThat(first.state().apply(changes)).isEqualTo(second.state()));
    }
  }

  private static Transition step(State state, RandomValues values) {
    Update update = Update.NOTHING;
    for (Map.Entry<Channel<?>, Function<RandomValues, @Nullable Object>> entry :
        CHANNELS.entrySet()) {
      if (values.flip()) {
        update = update.and(Update.of(entry.getKey().name(), entry.getValue().apply(values)));
      }
    }
    return state.fold(List.of(new Contribution("seeded", update)));
  }

  private static void assertComesBack(long seed, State state) {
    byte[] bytes = CODEC.encode(state);
    State read = CODEC.decode(bytes);

    assertThat(read).as("state of seed %d", seed).isEqualTo(state);
    assertThat(read.toString()).as("versions of seed %d", seed).isEqualTo(state.toString());
    // Also proves the order of sets and maps, which equality does not look at.
    assertThat(text(CODEC.encode(read))).as("text of seed %d", seed).isEqualTo(text(bytes));
  }

  @Test
  void aMessageComesOutTheSameWhereverItStands() {
    Message message = new RandomValues(7).message();
    Channel<@Nullable Object> any = Channel.value("any", Object.class);
    StateSchema schema = StateSchema.of(any);
    State state = Texts.fold(schema.start(), Update.of(any, List.of(message)));

    assertThat(JsonCodec.of(schema).decode(JsonCodec.of(schema).encode(state)).get(any))
        .isEqualTo(List.of(message));
  }
}
