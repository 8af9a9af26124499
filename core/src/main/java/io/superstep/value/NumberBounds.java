package io.superstep.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of {@link BigDecimal} and {@link BigInteger} values: at most {@value #MAX_DIGITS}
 * digits, and a scale from -{@value #MAX_SCALE} to {@value #MAX_SCALE}.
 *
 * <p>A decimal of a few bytes such as {@code 1e300000000} takes minutes to add and gigabytes to
 * print. Within these bounds, addition, comparison and conversion to text take less than a
 * millisecond. The check itself does not compute digits.
 */
public final class NumberBounds {

  /** The maximum number of decimal digits. A 16,384-bit key has 4,933. */
  public static final int MAX_DIGITS = 5_000;

  /** The maximum absolute value of a scale. */
  public static final int MAX_SCALE = 5_000;

  private static final BigInteger LIMIT = BigInteger.TEN.pow(MAX_DIGITS);
  private static final int LIMIT_BITS = LIMIT.bitLength();

  private NumberBounds() {}

  /** Returns whether {@code number} is within the bounds; numbers of other types always are. */
  public static boolean contain(Number number) {
    return violation(number) == null;
  }

  /**
   * Returns what is wrong with {@code number}, as the end of a sentence that does not show it; null
   * if it is within the bounds.
   */
  public static @Nullable String violation(Number number) {
    if (number instanceof BigDecimal decimal) {
      if (decimal.scale() > MAX_SCALE || decimal.scale() < -MAX_SCALE) {
        return "has a scale outside of -" + MAX_SCALE + " to " + MAX_SCALE;
      }
      return violation(decimal.unscaledValue());
    }
    return number instanceof BigInteger integer && isLong(integer)
        ? "has more than " + MAX_DIGITS + " digits"
        : null;
  }

  private static boolean isLong(BigInteger integer) {
    return integer.bitLength() >= LIMIT_BITS && integer.abs().compareTo(LIMIT) >= 0;
  }

  /** Returns about how many bytes {@code number} takes beside its object; 0 for small numbers. */
  static long weight(Number number) {
    if (number instanceof BigDecimal decimal) {
      return weight(decimal.unscaledValue());
    }
    return number instanceof BigInteger integer ? integer.bitLength() / Byte.SIZE : 0;
  }
}
