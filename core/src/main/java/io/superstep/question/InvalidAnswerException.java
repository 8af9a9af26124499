package io.superstep.question;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/** Thrown if an answer does not fit its question, which is still open. */
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
            "SG-441",
            what,
            "question '" + question + "'",
            "The question is still open. Answer with " + form.wanted() + "."),
        cause);
    this.question = question;
  }

  /** Returns the error of an answer that the constructor of its type refused. */
  static InvalidAnswerException refused(String question, AnswerForm form, Throwable cause) {
    return new InvalidAnswerException(
        question,
        "The answer has the required form, but its type refused it; see the cause.",
        form,
        cause);
  }

  /** Returns the id of the question. */
  public String question() {
    return question;
  }
}
