package io.superstep.question;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/** A node asked something that it may not ask; nobody gets to see it. */
public final class InvalidQuestionException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private InvalidQuestionException(Problem problem) {
    super(problem, null);
  }

  /** The key was used before. */
  public static InvalidQuestionException twice(String node, String key) {
    return new InvalidQuestionException(new Problem(
        "SG-156",
        "The node has asked '" + key + "' before in the same attempt.",
        "ask(\"" + key + "\", ...) in node '" + node + "'",
        "Take another key, or keep what ask(...) returned and use it twice."));
  }

  /** There is nobody who could answer later. */
  public static InvalidQuestionException withoutThread(String node, String key) {
    return new InvalidQuestionException(new Problem(
        "SG-157",
        "A run without a thread cannot wait for an answer.",
        "ask(\"" + key + "\", ...) in node '" + node + "'",
        "Give the runner checkpoints(...), and run the graph with thread(...)."));
  }

  /**
   * Somebody could be sent where the node cannot go.
   *
   * @param targets where it can
   */
  public static InvalidQuestionException nowhere(
      String node, String key, Collection<String> options, Collection<String> targets) {
    return new InvalidQuestionException(new Problem(
        "SG-158",
        "The question offers " + options + ", where the node cannot go.",
        "ask(\"" + key + "\", ...) in node '" + node + "'",
        "Offer some of " + targets + ", or add the others with route(...) or mayGoTo(...)."));
  }
}
