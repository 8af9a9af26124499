package io.superstep.step;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A change from outside cannot be applied to a subgraph that has begun; nothing was written. */
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
            "Resume until the subgraph has ended and make the change then, or fork from a"
                + " checkpoint before it."),
        cause);
    this.subgraph = subgraph;
    this.channels = new TreeSet<>(channels);
  }

  /** The path of the node that the subgraph is. */
  public String subgraph() {
    return subgraph;
  }

  /** The channels whose change cannot be applied. */
  public Set<String> channels() {
    return Collections.unmodifiableSet(channels);
  }
}
