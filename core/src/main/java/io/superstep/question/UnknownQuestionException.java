package io.superstep.question;

import io.superstep.error.DidYouMean;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/** There is no such question to be answered, or more than one; nothing was written. */
public final class UnknownQuestionException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private UnknownQuestionException(Problem problem) {
    super(problem, null);
  }

  /**
   * Nobody waits for an answer to it.
   *
   * @param open the questions that wait for one
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
   * More than one task has asked under a key.
   *
   * @param ids of their questions
   */
  public static UnknownQuestionException ambiguous(
      String thread, String key, Collection<String> ids) {
    return new UnknownQuestionException(new Problem(
        "SG-443",
        "Several questions '" + key + "' wait for an answer.",
        "thread '" + thread + "'",
        "Say which one, by its id: " + ids + "."));
  }
}
