package io.superstep.json;

import java.util.Set;

/**
 * The classes of the JDK that have a JSON form. All others are refused, however many getters and
 * constructors they have: reading one could start a process, load a class or ask a name server.
 */
final class PlatformTypes {

  private static final Set<String> WITH_JSON_FORM = Set.of(
      "java.lang.String",
      "java.lang.Boolean",
      "java.lang.Byte",
      "java.lang.Short",
      "java.lang.Integer",
      "java.lang.Long",
      "java.lang.Float",
      "java.lang.Double",
      "java.lang.Character",
      "java.math.BigDecimal",
      "java.math.BigInteger",
      "java.net.URI",
      "java.time.Duration",
      "java.time.Instant",
      "java.time.LocalDate",
      "java.time.LocalDateTime",
      "java.time.LocalTime",
      "java.time.MonthDay",
      "java.time.OffsetDateTime",
      "java.time.OffsetTime",
      "java.time.Period",
      "java.time.Year",
      "java.time.YearMonth",
      "java.time.ZoneId",
      "java.time.ZoneOffset",
      "java.time.ZonedDateTime",
      "java.util.Currency",
      "java.util.Date",
      "java.util.Locale",
      "java.util.OptionalDouble",
      "java.util.OptionalInt",
      "java.util.OptionalLong",
      "java.util.UUID");

  private PlatformTypes() {}

  /** Whether {@code type} is a class of the JDK without a JSON form. */
  static boolean refuses(Class<?> type) {
    return isOfPlatform(type) && !WITH_JSON_FORM.contains(type.getName());
  }

  /** Returns whether {@code type} is a class of the JDK that Jackson reads and writes. */
  static boolean haveJsonForm(Class<?> type) {
    return WITH_JSON_FORM.contains(type.getName());
  }

  private static boolean isOfPlatform(Class<?> type) {
    String name = type.getName();
    return name.startsWith("java.")
        || name.startsWith("javax.")
        || name.startsWith("jdk.")
        || name.startsWith("sun.")
        || name.startsWith("com.sun.");
  }
}
