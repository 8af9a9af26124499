package io.superstep.memory;

import io.superstep.value.FrozenList;
import io.superstep.value.FrozenMap;
import io.superstep.value.InvalidValueException;
import io.superstep.value.ValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can be remembered: text, numbers, booleans, null, and lists and maps of them, by text. */
final class PlainData {

  /** By class: other numbers may change, or may not come back as what they were. */
  private static final Set<Class<?>> LEAVES = Set.of(
      String.class,
      Boolean.class,
      Byte.class,
      Short.class,
      Integer.class,
      Long.class,
      Float.class,
      Double.class,
      BigInteger.class,
      BigDecimal.class);

  private static final int CONTAINER = 16;
  private static final int ELEMENT = 8;
  private static final int LONGEST_PATH = 200;

  private PlainData() {}

  /** {@code value} checked and frozen. */
  @SuppressWarnings("unchecked") // its keys were looked at
  static Map<String, @Nullable Object> freeze(Map<String, @Nullable Object> value, String where) {
    Object frozen;
    try {
      frozen = ValueType.ANY.freeze(value);
    } catch (InvalidValueException unfit) {
      throw InvalidMemoryException.of(where, unfit);
    }
    if (!(frozen instanceof FrozenMap<?, ?>)) {
      throw InvalidMemoryException.notPlain("The value of the memory item is not a map.", where);
    }
    Stranger stranger = strangerIn(frozen);
    if (stranger != null) {
      throw InvalidMemoryException.notPlain(
          "A value of type " + stranger.type + " is not plain data.",
          where + ", value at " + stranger.path);
    }
    return (Map<String, @Nullable Object>) frozen;
  }

  /** What is not plain data, and the way to it. */
  private record Stranger(String type, String path) {

    static Stranger of(Object value) {
      return new Stranger(value.getClass().getSimpleName(), "");
    }

    Stranger at(String step) {
      String longer = step + path;
      return new Stranger(
          type, longer.length() > LONGEST_PATH ? longer.substring(0, LONGEST_PATH) + "…" : longer);
    }
  }

  private static @Nullable Stranger strangerIn(@Nullable Object frozen) {
    if (frozen == null || LEAVES.contains(frozen.getClass())) {
      return null;
    }
    if (frozen instanceof FrozenMap<?, ?> map) {
      return strangerInMap(map);
    }
    return frozen instanceof FrozenList<?> list ? strangerInList(list) : Stranger.of(frozen);
  }

  private static @Nullable Stranger strangerInMap(FrozenMap<?, ?> map) {
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String)) {
        return Stranger.of(entry.getKey()).at(".{key}");
      }
      Stranger stranger = strangerIn(entry.getValue());
      if (stranger != null) {
        return stranger.at("." + entry.getKey());
      }
    }
    return null;
  }

  private static @Nullable Stranger strangerInList(FrozenList<?> list) {
    int position = 0;
    for (Object element : list) {
      Stranger stranger = strangerIn(element);
      if (stranger != null) {
        return stranger.at("[" + position + "]");
      }
      position++;
    }
    return null;
  }

  /** About how many bytes {@code plain} takes in storage. */
  static long size(@Nullable Object plain) {
    if (plain instanceof Map<?, ?> map) {
      long size = CONTAINER;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        size += ELEMENT + size(entry.getKey()) + size(entry.getValue());
      }
      return size;
    }
    if (plain instanceof List<?> list) {
      long size = CONTAINER;
      for (Object element : list) {
        size += ELEMENT + size(element);
      }
      return size;
    }
    if (plain instanceof String text) {
      return text.length();
    }
    if (plain instanceof BigDecimal number) {
      return size(number.unscaledValue());
    }
    return plain instanceof BigInteger number ? number.bitLength() / Byte.SIZE : 0;
  }

  /** Whether two are equal; numbers are if they are written as the same, whatever their types. */
  static boolean same(@Nullable Object one, @Nullable Object other) {
    if (one instanceof Number number && other instanceof Number another) {
      return number.equals(another) || sameNumber(number, another);
    }
    if (one instanceof List<?> list && other instanceof List<?> others) {
      return sameElements(list, others);
    }
    if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> others) {
      return map.keySet().equals(others.keySet())
          && map.keySet().stream().allMatch(key -> same(map.get(key), others.get(key)));
    }
    return one == null ? other == null : one.equals(other);
  }

  private static boolean sameElements(List<?> list, List<?> others) {
    Iterator<?> left = list.iterator();
    Iterator<?> right = others.iterator();
    boolean same = list.size() == others.size();
    while (same && left.hasNext()) {
      same = same(left.next(), right.next());
    }
    return same;
  }

  private static boolean sameNumber(Number one, Number other) {
    return isFinite(one) && isFinite(other) && decimal(one).compareTo(decimal(other)) == 0;
  }

  private static boolean isFinite(Number number) {
    boolean isFloating = number instanceof Double || number instanceof Float;
    return !isFloating || Double.isFinite(number.doubleValue());
  }

  private static BigDecimal decimal(Number number) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    return number instanceof BigInteger integer
        ? new BigDecimal(integer)
        : new BigDecimal(number.toString());
  }
}
