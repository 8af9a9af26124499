package io.superstep.reactor;

import io.superstep.checkpoint.NothingToEndException;
import io.superstep.checkpoint.NothingToRerunException;
import io.superstep.state.Update;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * With what a thread goes on. A node inside a subgraph is named by its path, as in
 * {@code research/search}.
 *
 * @param rerun nodes whose tasks run again although they have ended, or may have, in the step under
 *     way
 * @param ended by node, what its tasks of the step under way came to, which have no outcome
 */
public record Resume(Set<String> rerun, Map<String, Update> ended) {

  /** With what is there: only what has no outcome runs. */
  public static final Resume GO_ON = new Resume(Set.of(), Map.of());

  public Resume {
    rerun = Set.copyOf(rerun);
    ended = Map.copyOf(ended);
  }

  /**
   * Forgets the outcomes of these nodes in the step under way, such as those that a commit refused,
   * or that nobody saw. A thread in which one of them has none ends with a
   * {@link NothingToRerunException}.
   */
  public static Resume rerun(String node, String... more) {
    Set<String> nodes = new LinkedHashSet<>(List.of(more));
    nodes.add(node);
    return new Resume(nodes, Map.of());
  }

  /**
   * Says what a node of the step under way came to, in its place: one that was at it when a run
   * ended, or failed. A thread in which it has an outcome, or is not due, ends with a
   * {@link NothingToEndException}.
   */
  public static Resume ended(String node, Update said) {
    return new Resume(Set.of(), Map.of(node, said));
  }

  /** What both say. */
  public Resume and(Resume other) {
    Set<String> nodes = new LinkedHashSet<>(rerun);
    nodes.addAll(other.rerun);
    Map<String, Update> all = new HashMap<>(ended);
    all.putAll(other.ended);
    return new Resume(nodes, all);
  }
}
