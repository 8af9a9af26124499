package io.superstep.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An option of a builder: what is set once, and within its bounds, or refused. */
public final class Option {

  private Option() {}

  /**
   * What {@code option} is set to.
   *
   * @param before what it was set to before; null if it was not
   * @throws IllegalStateException if it was set before
   */
  public static <T> T once(String option, @Nullable T before, T value) {
    if (before != null) {
      throw new IllegalStateException(option + " was already set to " + before + ".");
    }
    return Objects.requireNonNull(value, option);
  }

  /**
   * What {@code option} is set to, which has to be more than none.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public static long positive(String option, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + " must be positive, and was " + value + ".");
    }
    return value;
  }
}
