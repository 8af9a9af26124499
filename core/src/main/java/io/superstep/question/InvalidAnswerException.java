package io.superstep.question;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/** An answer is not what was asked for; the question is still open. */
public final class InvalidAnswerException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String question;

  InvalidAnswerException(String question, String what, AnswerForm form) {
    this(question, what, form, null);
  }

  private InvalidAnswerException(
      String question, String what, AnswerForm form, @Nullable Throwable cause) {
    super(
        new Problem(
            "SG-441", what, "question '" + question + "'", "Answer with " + form.wanted() + "."),
        cause);
    this.question = question;
  }

  /** The type it has to be read as does not take it. */
  static InvalidAnswerException refused(String question, AnswerForm form, Throwable cause) {
    return new InvalidAnswerException(
        question, "The answer has the right form, but its type does not accept it.", form, cause);
  }

  /** The id of the question. */
  public String question() {
    return question;
  }
}
