package io.superstep.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;

/**
 * The classes whose values are single things of no weight: no containers, arrays, texts, or numbers
 * of any length.
 *
 * <p>Each class is looked at once. To ask a value each time whether it is a collection, a map or a
 * text walks all interfaces that it has, three times.
 */
final class Weightless extends ClassValue<Boolean> {

  private static final Weightless CLASSES = new Weightless();

  private Weightless() {}

  static boolean has(Class<?> type) {
    return CLASSES.get(type);
  }

  @Override
  protected Boolean computeValue(Class<?> type) {
    return !type.isArray()
        && !Collection.class.isAssignableFrom(type)
        && !Map.class.isAssignableFrom(type)
        && !CharSequence.class.isAssignableFrom(type)
        && !BigDecimal.class.isAssignableFrom(type)
        && !BigInteger.class.isAssignableFrom(type);
  }
}
