package io.superstep.reactor;

import org.jspecify.annotations.Nullable;

/**
 * Whether a thread may go on.
 *
 * @param reason why not; null if it may
 */
public record Verdict(boolean canResume, @Nullable String reason) {

  /** It may. */
  public static final Verdict YES = new Verdict(true, null);

  /** It may not. */
  public static Verdict no(String reason) {
    return new Verdict(false, reason);
  }
}
