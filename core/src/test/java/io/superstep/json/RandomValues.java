package io.superstep.json;

import io.superstep.message.Message;
import io.superstep.message.ToolCall;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Values of many types out of one seed, edge cases more often than chance would have them. */
final class RandomValues {

  enum Mood {
    CALM,
    WILD {
      @Override
      public String toString() {
        return "CALM";
      }
    }
  }

  record Point(int x, long y) {}

  record Everything(
      @Nullable String text,
      double number,
      Mood mood,
      List<Point> points,
      Set<String> names,
      Map<Mood, BigDecimal> prices,
      Map<Point, Instant> times,
      Optional<Point> maybe,
      @Nullable Object any,
      Map<String, @Nullable Object> more,
      @Nullable Shape shape) {}

  sealed interface Shape {
    record Dot() implements Shape {}

    record Circle(Point center, float radius) implements Shape {}

    record Group(List<Shape> parts) implements Shape {}
  }

  private static final String[] CHARACTERS = {
    "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u0000", "\u001f", "é", "€", "😀", "\ud83d", "$",
    "\u2028", "{", "]"
  };

  private final Random random;

  RandomValues(long seed) {
    this.random = new Random(seed);
  }

  int size(int bound) {
    return random.nextInt(bound);
  }

  boolean flip() {
    return random.nextBoolean();
  }

  @SafeVarargs
  final <T> T one(Supplier<? extends T>... choices) {
    return choices[random.nextInt(choices.length)].get();
  }

  <T> List<T> list(Supplier<T> element) {
    List<T> list = new ArrayList<>();
    for (int left = size(4); left > 0; left--) {
      list.add(element.get());
    }
    return list;
  }

  <T> Set<T> set(Supplier<T> element) {
    return new LinkedHashSet<>(list(element));
  }

  <K, V> Map<K, V> map(Supplier<K> key, Supplier<V> value) {
    Map<K, V> map = new LinkedHashMap<>();
    list(key).forEach(each -> map.put(each, value.get()));
    return map;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (int left = size(6); left > 0; left--) {
      text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
    }
    return text.toString();
  }

  /** Text that can be the name of a property. */
  String name() {
    return text().replaceAll("\ud83d(?!\ude00)", "");
  }

  int integer() {
    return one(random::nextInt, () -> 0, () -> Integer.MIN_VALUE, () -> Integer.MAX_VALUE);
  }

  long longer() {
    return one(random::nextLong, () -> 0L, () -> 1L << 53, () -> Long.MIN_VALUE);
  }

  double number() {
    return one(
        random::nextDouble,
        () -> Double.longBitsToDouble(random.nextLong()),
        () -> -0.0,
        () -> Double.NaN,
        () -> Double.NEGATIVE_INFINITY,
        () -> 5.0);
  }

  float smaller() {
    return one(random::nextFloat, () -> Float.intBitsToFloat(random.nextInt()), () -> -0.0f);
  }

  BigInteger bigInteger() {
    return new BigInteger(one(() -> 20, () -> 70, () -> random.nextInt(900)), random)
        .subtract(BigInteger.TEN);
  }

  BigDecimal decimal() {
    return new BigDecimal(bigInteger(), random.nextInt(40) - 20);
  }

  Instant instant() {
    return one(
        () -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
        () -> Instant.MIN,
        () -> Instant.MAX,
        () -> Instant.EPOCH);
  }

  Duration duration() {
    return Duration.ofSeconds(random.nextInt(), random.nextInt(1_000_000_000));
  }

  LocalDate date() {
    return LocalDate.ofEpochDay(random.nextInt());
  }

  OffsetDateTime offsetDateTime() {
    return LocalDateTime.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000), offset())
        .atOffset(offset());
  }

  ZonedDateTime zonedDateTime() {
    return Instant.ofEpochSecond(random.nextInt()).atZone(zone());
  }

  ZoneId zone() {
    return one(() -> ZoneId.of("Europe/Paris"), this::offset, () -> ZoneId.of("UTC"));
  }

  private ZoneOffset offset() {
    return ZoneOffset.ofTotalSeconds(random.nextInt(2 * 18 * 3600) - 18 * 3600);
  }

  UUID uuid() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  Mood mood() {
    return flip() ? Mood.CALM : Mood.WILD;
  }

  Point point() {
    return new Point(integer(), longer());
  }

  byte[] bytes() {
    byte[] bytes = new byte[size(20)];
    random.nextBytes(bytes);
    return bytes;
  }

  float[] floats() {
    float[] floats = new float[size(5)];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = smaller();
    }
    return floats;
  }

  Shape shape() {
    return one(
        Shape.Dot::new,
        () -> new Shape.Circle(point(), smaller()),
        () -> new Shape.Group(list(this::shape)));
  }

  /** Anything that can stand where no type is declared, and that is equal to its copy. */
  @Nullable
  Object any() {
    return this.<@Nullable Object>one(
        () -> null,
        this::text,
        this::integer,
        this::number,
        this::flip,
        this::longer,
        this::smaller,
        () -> (short) integer(),
        () -> (byte) integer(),
        () -> 'x',
        this::bigInteger,
        this::decimal,
        this::instant,
        this::duration,
        this::date,
        this::offsetDateTime,
        this::zonedDateTime,
        this::uuid,
        this::message,
        () -> list(this::any),
        () -> set(this::any),
        () -> map(this::text, this::any),
        () -> map(this::integer, this::any),
        () -> map(() -> "$" + text(), this::any));
  }

  Map<String, @Nullable Object> anything() {
    return this.<String, @Nullable Object>map(this::name, this::any);
  }

  Message message() {
    String id = text();
    return one(
        () -> new Message.Human(id, flip() ? null : text(), text(), anything()),
        () -> new Message.SystemPrompt(id, null, text(), anything()),
        () -> new Message.ToolResult(id, text(), text(), text(), flip(), anything()),
        () -> new Message.Ai(
            id, text(), text(), list(() -> new ToolCall(text(), text(), anything())), anything()));
  }

  Everything everything() {
    return new Everything(
        flip() ? null : text(),
        number(),
        mood(),
        list(this::point),
        set(this::text),
        map(this::mood, this::decimal),
        map(this::point, this::instant),
        flip() ? Optional.empty() : Optional.of(point()),
        any(),
        anything(),
        flip() ? null : shape());
  }
}
