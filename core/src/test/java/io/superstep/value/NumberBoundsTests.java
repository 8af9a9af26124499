package io.superstep.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.json.InvalidJsonException;
import io.superstep.json.JsonCodec;
import io.superstep.json.MemoryCodec;
import io.superstep.memory.InvalidMemoryException;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.question.InvalidAnswerException;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(20)
class NumberBoundsTests {

  private static final BigInteger LONGEST =
      BigInteger.TEN.pow(NumberBounds.MAX_DIGITS).subtract(BigInteger.ONE);

  private static final Channel<BigDecimal> TOTAL = Channel.sum("total", BigDecimal.class);
  private static final Channel<BigInteger> COUNT = Channel.sum("count", BigInteger.class);
  private static final Channel<@Nullable Object> ANY = Channel.value("any", Object.class);
  private static final ListChannel<BigDecimal> PRICES = Channel.list("prices", BigDecimal.class);
  private static final Channel<@Nullable Price> PRICE = Channel.value("price", Price.class);
  private static final Channel<@Nullable BigDecimal> SENT =
      Channel.value("sent", BigDecimal.class).argument();
  private static final StateSchema SCHEMA = StateSchema.of(TOTAL, COUNT, ANY, PRICES, PRICE, SENT);

  record Price(BigDecimal amount) {}

  static List<Number> outOfBounds() {
    return List.of(
        new BigDecimal("1e300000000"),
        new BigDecimal("1e999999999"),
        new BigDecimal("-1e-999999999"),
        BigDecimal.valueOf(1, NumberBounds.MAX_SCALE + 1),
        BigDecimal.valueOf(1, -NumberBounds.MAX_SCALE - 1),
        new BigDecimal(LONGEST.add(BigInteger.ONE)),
        BigInteger.ONE.shiftLeft(1_000_000),
        LONGEST.add(BigInteger.ONE),
        LONGEST.add(BigInteger.ONE).negate());
  }

  static List<Number> withinBounds() {
    return List.of(
        0,
        Double.MAX_VALUE,
        BigDecimal.valueOf(1, NumberBounds.MAX_SCALE),
        BigDecimal.valueOf(1, -NumberBounds.MAX_SCALE),
        new BigDecimal(LONGEST.negate(), NumberBounds.MAX_SCALE),
        LONGEST,
        LONGEST.negate());
  }

  private static State fold(State state, Update... updates) {
    List<Contribution> contributions = new ArrayList<>();
    for (Update update : updates) {
      contributions.add(new Contribution("adder", update));
    }
    return state.fold(contributions).state();
  }

  @ParameterizedTest
  @MethodSource("withinBounds")
  @DisplayName("numbers within the bounds are kept, and come back from JSON")
  void kept(Number number) {
    JsonCodec codec = JsonCodec.of(SCHEMA);
    State state = fold(SCHEMA.start(), Update.of(ANY, List.of(number)));

    assertThat(codec.decode(codec.encode(state)).get(ANY)).isEqualTo(List.of(number));
    assertThat(NumberBounds.contain(number)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("outOfBounds")
  @DisplayName("an update with a number out of bounds is refused by channel, without the number")
  void updates(Number number) {
    List<Throwable> refusals = new ArrayList<>();
    refusals.add(catchThrowable(() -> Update.of(ANY, Map.of("deep", List.of(number)))));
    refusals.add(catchThrowable(() -> SCHEMA.accept(Update.of(Map.of("any", List.of(number))))));
    if (number instanceof BigDecimal decimal) {
      refusals.add(catchThrowable(() -> Update.of(TOTAL, decimal)));
      refusals.add(catchThrowable(() -> Update.append(PRICES, decimal)));
      refusals.add(catchThrowable(() -> Update.of(SENT, decimal)));
      refusals.add(catchThrowable(
          () -> SCHEMA.checkArguments(Update.of(Map.of("sent", decimal)), "sender")));
    } else {
      refusals.add(catchThrowable(() -> Update.of(COUNT, (BigInteger) number)));
    }

    assertThat(refusals).allSatisfy(refused -> {
      assertThat(refused).isInstanceOf(InvalidUpdateException.class);
      assertThat(((InvalidUpdateException) refused).code()).isEqualTo("SG-208");
      assertThat(((InvalidUpdateException) refused).channel()).isPresent();
      assertThat(refused).hasMessageContaining("5000");
      assertThat(refused.getMessage().length()).isLessThan(1_000);
    });
  }

  @Test
  @DisplayName("a sum that leaves the bounds is refused by channel and writer")
  void sums() {
    State state = fold(SCHEMA.start(), Update.of(COUNT, LONGEST));

    InvalidUpdateException refused = catchThrowableOfType(
        InvalidUpdateException.class, () -> fold(state, Update.of(COUNT, BigInteger.ONE)));

    assertThat(refused.code()).isEqualTo("SG-208");
    assertThat(refused.channel()).contains("count");
    assertThat(refused.writer()).contains("adder");
    assertThat(fold(state, Update.of(COUNT, BigInteger.ONE.negate())).get(COUNT))
        .isEqualTo(LONGEST.subtract(BigInteger.ONE));
  }

  @Test
  @DisplayName("amounts of one step that are out of bounds together are stored one by one")
  void amountsOfOneStep() {
    JsonCodec codec = JsonCodec.of(SCHEMA);
    State state = fold(SCHEMA.start(), Update.of(COUNT, LONGEST.negate()));

    var step = state.fold(List.of(
        new Contribution("a", Update.of(COUNT, LONGEST)),
        new Contribution("b", Update.of(COUNT, LONGEST))));

    assertThat(step.state().get(COUNT)).isEqualTo(LONGEST);
    assertThat(state.apply(codec.decodeChanges(codec.encode(step.changes()))).get(COUNT))
        .isEqualTo(LONGEST);
  }

  @ParameterizedTest
  @MethodSource("outOfBounds")
  @DisplayName("an answer with a number out of bounds is refused")
  void answers(Number number) {
    for (Question<?> question : List.of(
        Question.open("?"),
        Question.of("?", BigDecimal.class),
        Question.of("?", Double.class),
        Question.of("?", Long.class),
        Question.of("?", Price.class))) {
      for (Object answer : List.of(number, List.of(number), Map.of("amount", number))) {
        assertThat(catchThrowable(() -> question.prompt().accept("q", answer)))
            .isInstanceOf(InvalidAnswerException.class);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("outOfBounds")
  @DisplayName("memory with a number out of bounds is refused")
  void memory(Number number) {
    InvalidMemoryException refused = catchThrowableOfType(
        InvalidMemoryException.class,
        () -> MemoryWrite.put(Namespace.of("users"), "k", Map.of("n", List.of(number))));

    assertThat(refused.code()).isEqualTo("SG-432");
  }

  @ParameterizedTest
  @MethodSource("outOfBounds")
  @DisplayName("a record with a number out of bounds is not written as JSON")
  void records(Number number) {
    if (number instanceof BigDecimal decimal) {
      State state = fold(SCHEMA.start(), Update.of(PRICE, new Price(decimal)));

      InvalidJsonException refused = catchThrowableOfType(
          InvalidJsonException.class, () -> JsonCodec.of(SCHEMA).encode(state));

      assertThat(refused.code()).isEqualTo("SG-301");
      assertThat(refused.channel()).contains("price");
    }
  }

  @Test
  @DisplayName("stored numbers out of bounds are refused, wherever they stand")
  void stored() {
    for (String number : List.of("1e300000000", "1e-999999999", "9".repeat(300_000), "1e5001")) {
      for (String channel : List.of(
          "\"total\":" + number,
          "\"count\":" + number,
          "\"any\":{\"a\":[{\"$decimal\":" + number + "}]}",
          "\"any\":{\"a\":[{\"$integer\":" + number + "}]}",
          "\"prices\":[" + number + "]",
          "\"price\":{\"amount\":" + number + "}")) {
        byte[] document =
            ("{\"v\":1,\"channels\":{" + channel + "}}").getBytes(StandardCharsets.UTF_8);
        InvalidJsonException refused = catchThrowableOfType(
            InvalidJsonException.class, () -> JsonCodec.of(SCHEMA).decode(document));
        assertThat(refused.code()).isEqualTo("SG-302");
        assertThat(refused.getMessage().length()).isLessThan(1_000);
      }
    }
    byte[] item = ("{\"v\":1,\"namespace\":\"users/\",\"key\":\"k\",\"value\":{\"n\":{\"$decimal\":"
            + "1e999999999}},\"written\":\"2026-01-02T03:04:05Z\"}")
        .getBytes(StandardCharsets.UTF_8);
    assertThat(catchThrowable(() -> MemoryCodec.of().decode(item)))
        .isInstanceOf(InvalidJsonException.class);
  }
}
