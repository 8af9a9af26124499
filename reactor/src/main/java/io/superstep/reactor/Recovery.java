package io.superstep.reactor;

import org.jspecify.annotations.Nullable;

/**
 * What came of taking over a thread.
 *
 * @param refusal why it was not; null if it was
 */
public record Recovery(String thread, @Nullable Throwable refusal) {

  public boolean isTakenOver() {
    return refusal == null;
  }
}
