package io.superstep.reactor;

import io.superstep.question.Answer;
import org.jspecify.annotations.Nullable;

/**
 * The result of one deadline that has passed, or of a thread whose deadlines could not be applied.
 *
 * @param answer the answer that counts; null if there is an error
 * @param isApplied whether it is the answer of the deadline; false if a person answered in time
 * @param error the reason why the deadlines of the thread could not be applied; else null
 */
public record Settlement(
    String thread,
    @Nullable Answer answer,
    boolean isApplied,
    @Nullable Throwable error) {

  static Settlement of(String thread, Answer answer, boolean isApplied) {
    return new Settlement(thread, answer, isApplied, null);
  }

  static Settlement failed(String thread, Throwable error) {
    return new Settlement(thread, null, false, error);
  }
}
