package io.superstep.step;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.io.Serializable;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The problem texts of a failed node.
 *
 * @param path the path of the node that failed, through the subgraphs that contain it
 * @param task the id of its task, in its own graph
 * @param attempts the number of its attempts
 * @param error the error of the node, or of its handler
 * @param handled the error that a failed handler received; null if no handler failed
 * @param showsMessage whether the message of an error of user code is shown
 */
record NodeFailureText(
    String path,
    String task,
    int attempts,
    Throwable error,
    @Nullable Throwable handled,
    boolean showsMessage)
    implements Serializable {

  private static final long serialVersionUID = 1L;
  private static final Pattern LINE_BREAKS = Pattern.compile("\\s*\\R\\s*");

  static NodeFailureText of(Outcome.Failed failed, boolean showsMessage) {
    String node = failed.task().node();
    if (!failed.isOfHandler() && failed.error() instanceof NodeFailedException inside) {
      NodeFailureText text = inside.text();
      return new NodeFailureText(
          node + "/" + text.path,
          text.task,
          text.attempts,
          text.error,
          text.handled,
          text.showsMessage);
    }
    return new NodeFailureText(
        node,
        failed.task().id(),
        failed.attempts(),
        failed.error(),
        failed.isOfHandler() ? failed.handled() : null,
        showsMessage);
  }

  List<Problem> problems() {
    if (error instanceof SuperstepException known) {
      return known.problems().stream().map(this::atNode).toList();
    }
    if (BlockingCall.isCauseOf(error)) {
      return List.of(blockingCall());
    }
    return List.of(new Problem("SG-141", what(), where(), fix()));
  }

  /** Returns a problem of the cause, at the place of the node. */
  private Problem atNode(Problem problem) {
    String place = problem.where().equals("node '" + name() + "'") ? "" : problem.where() + ", ";
    String code = handled == null ? "node '" : "error handler of node '";
    return new Problem(
        problem.code(), problem.what(), place + code + path + "', " + where(), problem.fix());
  }

  private Problem blockingCall() {
    return new Problem(
        "SG-145",
        subject() + " makes a blocking call, such as block(), on " + BlockingCall.thread(error)
            + ", which must not block.",
        where() + "; the stack trace of the cause shows the call",
        handled == null
            ? "Declare the node with blocking(\"" + name() + "\", ...), or return the publisher"
                + " instead of blocking on it."
            : "Return a publisher that does not block, such as Mono.fromCallable(...)"
                + ".subscribeOn(Schedulers.boundedElastic()).");
  }

  private String what() {
    if (handled == null) {
      return subject() + " failed with " + shown(error) + ".";
    }
    return subject() + " failed with " + shown(error) + ". It handled " + shown(handled) + ".";
  }

  private String subject() {
    return (handled == null ? "Node '" : "The error handler of node '") + path + "'";
  }

  private String where() {
    return "task " + task + (attempts > 1 ? ", after " + attempts + " attempts" : "");
  }

  private String fix() {
    return handled == null
        ? "Correct the node. For transient errors, declare .policy(\"" + name()
            + "\", NodePolicy.retry(n)) or .handler(\"" + name() + "\", ...). On a thread,"
            + " resume() runs the node again and keeps the finished tasks of the step."
        : "Correct the handler. On a thread, resume() runs the node again and keeps the finished"
            + " tasks of the step.";
  }

  /** Returns the name of the node in its own graph. */
  private String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private String shown(Throwable error) {
    String type = error.getClass().getName();
    String message = showsMessage ? error.getMessage() : null;
    if (message == null || message.isBlank()) {
      return type;
    }
    String line = LINE_BREAKS.matcher(message.strip()).replaceAll(" ");
    return type + ": " + (line.endsWith(".") ? line.substring(0, line.length() - 1) : line);
  }
}
