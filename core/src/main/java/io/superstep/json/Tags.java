package io.superstep.json;

import io.superstep.message.Message;
import io.superstep.message.ToolCall;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The types that can stand where no type is declared and that JSON has no form for, each with the
 * fixed name under which it is written: {@code {"$instant": "2025-12-11T10:00:00Z"}}.
 *
 * <p>The list is closed. It is all that stored text can choose from.
 */
final class Tags {

  /** What the name of every tag begins with. */
  static final String MARK = "$";

  /** A map whose first key begins like a tag stands behind this one. */
  static final String PLAIN_MAP = MARK;

  static final String SET = "$set";

  /** A map whose keys are not text: keys and values in turn. */
  static final String MAP = "$map";

  private static final Map<String, Class<?>> TYPES = Map.ofEntries(
      Map.entry("$byte", Byte.class),
      Map.entry("$short", Short.class),
      Map.entry("$long", Long.class),
      Map.entry("$float", Float.class),
      Map.entry("$double", Double.class),
      Map.entry("$char", Character.class),
      Map.entry("$integer", BigInteger.class),
      Map.entry("$decimal", BigDecimal.class),
      Map.entry("$uuid", UUID.class),
      Map.entry("$instant", Instant.class),
      Map.entry("$duration", Duration.class),
      Map.entry("$period", Period.class),
      Map.entry("$date", LocalDate.class),
      Map.entry("$time", LocalTime.class),
      Map.entry("$date-time", LocalDateTime.class),
      Map.entry("$offset-time", OffsetTime.class),
      Map.entry("$offset-date-time", OffsetDateTime.class),
      Map.entry("$zoned-date-time", ZonedDateTime.class),
      Map.entry("$year", Year.class),
      Map.entry("$year-month", YearMonth.class),
      Map.entry("$month-day", MonthDay.class),
      Map.entry("$offset", ZoneOffset.class),
      Map.entry("$zone", ZoneId.class),
      Map.entry("$bytes", byte[].class),
      Map.entry("$shorts", short[].class),
      Map.entry("$ints", int[].class),
      Map.entry("$longs", long[].class),
      Map.entry("$floats", float[].class),
      Map.entry("$doubles", double[].class),
      Map.entry("$chars", char[].class),
      Map.entry("$booleans", boolean[].class),
      Map.entry("$tool-call", ToolCall.class),
      Map.entry("$message", Message.class));

  private static final Map<Class<?>, String> NAMES = new HashMap<>();

  static {
    TYPES.forEach((name, type) -> NAMES.put(type, name));
  }

  private Tags() {}

  /** The type that {@code name} stands for. */
  static @Nullable Class<?> type(String name) {
    return TYPES.get(name);
  }

  /** The name under which {@code value} is written. */
  static @Nullable String name(Object value) {
    String name = NAMES.get(value.getClass());
    if (name != null) {
      return name;
    }
    if (value instanceof Message) {
      return NAMES.get(Message.class);
    }
    return value instanceof ZoneId ? NAMES.get(ZoneId.class) : null;
  }
}
