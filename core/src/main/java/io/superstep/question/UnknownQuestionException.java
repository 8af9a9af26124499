package io.superstep.question;

import io.superstep.error.DidYouMean;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/** Thrown if no open question, or more than one, has a key or id; nothing was written. */
public final class UnknownQuestionException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private UnknownQuestionException(Problem problem) {
    super(problem, null);
  }

  /**
   * Returns the error of a key or id that no open question has.
   *
   * @param open the keys of the open questions
   */
  public static UnknownQuestionException of(
      String thread, String question, Collection<String> open) {
    String fix = DidYouMean.among(open, question)
        .map(name -> "Did you mean '" + name + "'?")
        .orElseGet(() -> open.isEmpty()
            ? "Run the thread until a node asks a question; thread.questions() lists the open ones."
            : "Answer one of the open questions.");
    return new UnknownQuestionException(new Problem(
        "SG-442",
        "No question '" + question + "' is open; "
            + (open.isEmpty()
                ? "the thread has no open question."
                : "open questions: " + open + "."),
        "thread '" + thread + "'",
        fix + " A question is closed when its task ends, or by a fork or a new input."));
  }

  /**
   * Returns the error of a key that several open questions have.
   *
   * @param ids the ids of these questions
   */
  public static UnknownQuestionException ambiguous(
      String thread, String key, Collection<String> ids) {
    return new UnknownQuestionException(new Problem(
        "SG-443",
        "Several open questions have the key '" + key + "'.",
        "thread '" + thread + "'",
        "Answer by the id of the question, one of " + ids + "."));
  }
}
