package io.superstep.json;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.introspect.AnnotatedClass;

/** Which form a declared type has in JSON, the same for writing and for reading. */
final class DeclaredTypes {

  private static final Set<Class<?>> TEXT_KEYS = Set.of(
      String.class,
      Byte.class,
      Short.class,
      Integer.class,
      Long.class,
      UUID.class,
      Instant.class,
      LocalDate.class);

  private DeclaredTypes() {}

  /** Whether {@code type} says so little that values have to say for themselves what they are. */
  static boolean isUntyped(JavaType type) {
    return type.hasRawClass(Object.class) || type.hasRawClass(Number.class);
  }

  /** Whether maps with keys of {@code key} are JSON objects. */
  static boolean isTextKey(JavaType key) {
    return TEXT_KEYS.contains(key.getRawClass()) || key.isEnumType();
  }

  /** Whether a map of {@code type} can be any map that keeps its order. */
  static boolean isAnyMap(JavaType type) {
    return type.getRawClass().isAssignableFrom(LinkedHashMap.class);
  }

  /**
   * Returns whether {@code type} is a sealed type whose members are told apart by their names in
   * JSON, and not by annotations. A class of the JDK may be sealed in one version and not in
   * another, such as {@code ZoneId}: its JSON form is Jackson's.
   */
  static boolean isFamily(JavaType type, AnnotatedClass annotations) {
    return type.getRawClass().isSealed()
        && type.isAbstract()
        && !PlatformTypes.haveJsonForm(type.getRawClass())
        && !annotations.hasAnnotation(JsonTypeInfo.class);
  }
}
