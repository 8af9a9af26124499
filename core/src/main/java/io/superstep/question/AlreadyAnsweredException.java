package io.superstep.question;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Somebody else has answered the question before; that answer stands. */
public final class AlreadyAnsweredException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final transient Answer answer;

  public AlreadyAnsweredException(String thread, Answer answer) {
    super(
        new Problem(
            "SG-444",
            "The question was already answered by '" + answer.by() + "' at " + answer.time() + ".",
            "thread '" + thread + "', question '" + answer.question() + "'",
            "Nothing is to be done: the first answer stands. To change what came of it, fork the"
                + " thread or update its state."),
        null);
    this.answer = answer;
  }

  /** The answer that stands. */
  public Answer answer() {
    return answer;
  }
}
