package io.superstep.step;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a state update or a merge cannot be applied to a subgraph that has started; nothing was
 * written.
 */
public final class SubgraphUpdateException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String subgraph;
  private final TreeSet<String> channels;

  SubgraphUpdateException(
      String why, String subgraph, Set<String> channels, @Nullable Throwable cause) {
    super(
        new Problem(
            "SG-144",
            why,
            "subgraph '" + subgraph + "', channels " + new TreeSet<>(channels),
            "Resume with thread.resume() until the subgraph completes and then make the change, or"
                + " fork from a checkpoint before the subgraph with thread.fork(...)."),
        cause);
    this.subgraph = subgraph;
    this.channels = new TreeSet<>(channels);
  }

  /** Returns the path of the node whose body is the subgraph. */
  public String subgraph() {
    return subgraph;
  }

  /** Returns the channels whose change cannot be applied. */
  public Set<String> channels() {
    return Collections.unmodifiableSet(channels);
  }
}
