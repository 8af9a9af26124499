package io.superstep.state;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Adds numbers of one type, exactly; an overflow is an error, not another number. */
final class Sum<N extends Number> implements Merging<N> {

  @Override
  public N reduce(N current, N update) {
    return Reducers.sum(current, update);
  }

  /** Adds what they have added. */
  @Override
  public @Nullable Effect<N> merged(@Nullable N base, @Nullable N ours, @Nullable N theirs) {
    if (base == null || ours == null || theirs == null) {
      return null;
    }
    return Effect.replace(Reducers.sum(ours, difference(theirs, base)));
  }

  @SuppressWarnings("unchecked") // of the type of both
  private static <N extends Number> N difference(N left, N right) {
    Number difference;
    if (left instanceof Integer) {
      difference = Math.subtractExact(left.intValue(), right.intValue());
    } else if (left instanceof Long) {
      difference = Math.subtractExact(left.longValue(), right.longValue());
    } else if (left instanceof BigDecimal decimal) {
      difference = decimal.subtract((BigDecimal) right);
    } else if (left instanceof BigInteger integer) {
      difference = integer.subtract((BigInteger) right);
    } else if (left instanceof Float) {
      difference = left.floatValue() - right.floatValue();
    } else {
      difference = left.doubleValue() - right.doubleValue();
    }
    return (N) difference;
  }
}
