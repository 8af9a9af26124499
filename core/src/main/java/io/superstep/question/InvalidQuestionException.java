package io.superstep.question;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/** Thrown if a node asks a question that is not allowed; the question is not recorded. */
public final class InvalidQuestionException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private InvalidQuestionException(Problem problem) {
    super(problem, null);
  }

  /** Returns the error of a key that was used twice in one attempt. */
  public static InvalidQuestionException twice(String node, String key) {
    return new InvalidQuestionException(new Problem(
        "SG-156",
        "Node '" + node + "' used the key '" + key + "' for two questions in one attempt.",
        "ask(\"" + key + "\", ...) in node '" + node + "'",
        "Use another key, or call ask(...) once and use its Mono twice."));
  }

  /** Returns the error of a question in a run without a thread. */
  public static InvalidQuestionException withoutThread(String node, String key) {
    return new InvalidQuestionException(new Problem(
        "SG-157",
        "The run has no thread, so it cannot wait for an answer.",
        "ask(\"" + key + "\", ...) in node '" + node + "'",
        "Build the runner with checkpoints(store), and run the graph with runner.thread(id)."));
  }

  /**
   * Returns the error of a question that offers nodes which are not targets of its node.
   *
   * @param targets the targets of the node
   */
  public static InvalidQuestionException nowhere(
      String node, String key, Collection<String> options, Collection<String> targets) {
    return new InvalidQuestionException(new Problem(
        "SG-158",
        "The question offers " + options + ", which are not targets of node '" + node + "'.",
        "ask(\"" + key + "\", ...) in node '" + node + "'",
        "Offer only targets of the node, " + targets + ", or add the others with mayGoTo(\"" + node
            + "\", ...)."));
  }
}
