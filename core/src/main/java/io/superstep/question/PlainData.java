package io.superstep.question;

import io.superstep.value.NumberBounds;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Texts, numbers, truth values, null, and lists and maps of such: what every store can keep, and
 * every browser can send.
 */
final class PlainData {

  private static final int DEEPEST = 100;

  private PlainData() {}

  /**
   * {@code value} as plain data that nobody can change: records by their components, enums by their
   * names.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static @Nullable Object of(@Nullable Object value) {
    return of(value, 0);
  }

  private static @Nullable Object of(@Nullable Object value, int depth) {
    if (depth > DEEPEST) {
      throw new IllegalArgumentException(
          "The value is nested more than " + DEEPEST + " levels deep.");
    }
    if (value == null || value instanceof String || value instanceof Boolean) {
      return value;
    }
    if (value instanceof Number number) {
      return bounded(number);
    }
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (value instanceof Collection<?> several) {
      List<@Nullable Object> list = new ArrayList<>(several.size());
      several.forEach(each -> list.add(of(each, depth + 1)));
      return Collections.unmodifiableList(list);
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> plain = new LinkedHashMap<>();
      map.forEach((name, each) -> plain.put(name(name), of(each, depth + 1)));
      return Collections.unmodifiableMap(plain);
    }
    if (value instanceof Record fields) {
      return ofRecord(fields, depth);
    }
    throw new IllegalArgumentException(
        "A value of type " + value.getClass().getSimpleName() + " is not plain data.");
  }

  /**
   * Returns whether two pieces of plain data are equal, numbers by their value: what was stored and
   * read may have another type of number.
   */
  static boolean areEqual(@Nullable Object one, @Nullable Object other) {
    if (one instanceof Number number && other instanceof Number another) {
      return areEqual(number, another);
    }
    if (one instanceof List<?> list && other instanceof List<?> another) {
      return areEqual(list, another);
    }
    if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> another) {
      return map.keySet().equals(another.keySet())
          && map.keySet().stream().allMatch(key -> areEqual(map.get(key), another.get(key)));
    }
    return Objects.equals(one, other);
  }

  private static boolean areEqual(List<?> one, List<?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int place = 0; place < one.size(); place++) {
      if (!areEqual(one.get(place), other.get(place))) {
        return false;
      }
    }
    return true;
  }

  private static boolean areEqual(Number one, Number other) {
    try {
      return new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString())) == 0;
    } catch (NumberFormatException infinite) {
      return one.equals(other);
    }
  }

  private static Number bounded(Number number) {
    String violation = NumberBounds.violation(number);
    if (violation != null) {
      throw new IllegalArgumentException("A number " + violation + ".");
    }
    return number;
  }

  private static String name(@Nullable Object key) {
    if (key instanceof String name) {
      return name;
    }
    throw new IllegalArgumentException("A map has a key that is not text.");
  }

  private static Map<String, @Nullable Object> ofRecord(Record value, int depth) {
    Map<String, @Nullable Object> plain = new LinkedHashMap<>();
    for (RecordComponent component : value.getClass().getRecordComponents()) {
      try {
        component.getAccessor().setAccessible(true);
        plain.put(component.getName(), of(component.getAccessor().invoke(value), depth + 1));
      } catch (IllegalAccessException | InvocationTargetException unreadable) {
        throw new IllegalArgumentException(
            "Component '" + component.getName() + "' of a record cannot be read.", unreadable);
      }
    }
    return Collections.unmodifiableMap(plain);
  }
}
