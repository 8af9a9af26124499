package io.superstep.step;

import io.superstep.error.NodeFailure;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;

/**
 * A node whose last attempt failed, without a handler or with one that failed too. The cause is the
 * error of the node, or of its handler; the error that the handler received is suppressed in it.
 *
 * <p>If the cause is an error of this library, such as an update of an unknown channel, its
 * problems are those of this exception, at the place of the node. Any other error is SG-141, or
 * SG-145 for a blocking call on a JVM thread that must not block. The error of a node in a subgraph
 * is reported with the path of that node.
 */
public final class NodeFailedException extends SuperstepException implements NodeFailure {

  private static final long serialVersionUID = 1L;

  private final String node;
  private final int attempts;
  private final NodeFailureText text;

  /** Creates the exception of a failed task whose error is shown with its message. */
  public NodeFailedException(Outcome.Failed failed) {
    this(failed, true);
  }

  /** @param showsMessage whether the message of an error of user code is part of the problem */
  public NodeFailedException(Outcome.Failed failed, boolean showsMessage) {
    this(failed, NodeFailureText.of(failed, showsMessage));
  }

  private NodeFailedException(Outcome.Failed failed, NodeFailureText text) {
    this(failed, text, text.problems());
  }

  private NodeFailedException(Outcome.Failed failed, NodeFailureText text, List<Problem> problems) {
    super(headline("Node '" + text.path() + "' failed", problems), problems, failed.error());
    this.node = failed.task().node();
    this.attempts = failed.attempts();
    this.text = text;
  }

  /**
   * Returns the name of the node in its graph; for a failure in a subgraph that of the subgraph.
   */
  @Override
  public String node() {
    return node;
  }

  /** Returns the path of the node that failed, such as {@code research/search}. */
  public String path() {
    return text.path();
  }

  @Override
  public int attempts() {
    return attempts;
  }

  NodeFailureText text() {
    return text;
  }
}
