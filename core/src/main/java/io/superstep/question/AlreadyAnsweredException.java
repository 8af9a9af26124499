package io.superstep.question;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if a question already has an answer, which is not replaced. */
public final class AlreadyAnsweredException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final transient Answer answer;

  public AlreadyAnsweredException(String thread, Answer answer) {
    super(
        new Problem(
            "SG-444",
            "The question was already answered by '" + answer.by() + "' at " + answer.time() + ".",
            "thread '" + thread + "', question '" + answer.question() + "'",
            "Use the recorded answer. To change its effect, fork with thread.fork(...) or change the"
                + " state with thread.update(...)."),
        null);
    this.answer = answer;
  }

  /** Returns the recorded answer. */
  public Answer answer() {
    return answer;
  }
}
