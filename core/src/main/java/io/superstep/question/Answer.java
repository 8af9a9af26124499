package io.superstep.question;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What somebody answered.
 *
 * @param question the id of the question
 * @param key under which the node asked
 * @param value plain data, in the form that was asked for
 * @param by who it was
 * @param receipt tells this answer from any other, so that it can be given twice and counts once
 */
public record Answer(
    String question, String key, @Nullable Object value, String by, Instant time, String receipt) {

  /** Who answers when the time for it is over. */
  public static final String DEADLINE = "deadline";

  /** Whether nobody answered in time. */
  public boolean isByDeadline() {
    return by.equals(DEADLINE);
  }
}
