package io.superstep.reactor;

import io.superstep.checkpoint.NothingToRerunException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * With what a thread goes on.
 *
 * @param rerun nodes whose tasks run again although they have ended in the step under way
 */
public record Resume(Set<String> rerun) {

  /** With what is there: only what has no outcome runs. */
  public static final Resume GO_ON = new Resume(Set.of());

  public Resume {
    rerun = Set.copyOf(rerun);
  }

  /**
   * Forgets the outcomes of these nodes in the step under way, such as those that a commit refused.
   * A thread in which one of them has none ends with a {@link NothingToRerunException}.
   */
  public static Resume rerun(String node, String... more) {
    Set<String> nodes = new LinkedHashSet<>(List.of(more));
    nodes.add(node);
    return new Resume(nodes);
  }
}
