package io.superstep.question;

import io.superstep.error.Attribution;
import io.superstep.error.InvalidNameException;
import io.superstep.error.MessageText;
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

  /** @throws InvalidNameException if {@code by} cannot be stored */
  public Answer {
    Attribution.name("author of the answer", by);
  }

  /** Who answers when the time for it is over. */
  public static final String DEADLINE = "deadline";

  /** Whether nobody answered in time. */
  public boolean isByDeadline() {
    return by.equals(DEADLINE);
  }

  /** The question and the author, without the value. */
  @Override
  public String toString() {
    return "Answer[question " + MessageText.name(question) + ", by " + by + ", " + time + "]";
  }
}
