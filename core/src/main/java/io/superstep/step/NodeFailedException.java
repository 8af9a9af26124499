package io.superstep.step;

import io.superstep.error.NodeFailure;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** A node failed, and so did all attempts it was allowed; the cause is its own. */
public final class NodeFailedException extends SuperstepException implements NodeFailure {

  private static final long serialVersionUID = 1L;

  private final String node;
  private final int attempts;

  public NodeFailedException(Outcome.Failed failed) {
    super(
        new Problem(
            "SG-141",
            "Node '" + failed.task().node() + "' failed with "
                + failed.error().getClass().getName() + " after " + failed.attempts()
                + " attempt(s); the cause says where.",
            "task " + failed.task().id(),
            "Resume to run it again; finished tasks of the step are not. A policy can retry, a"
                + " handler can take over."),
        failed.error());
    this.node = failed.task().node();
    this.attempts = failed.attempts();
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public int attempts() {
    return attempts;
  }
}
