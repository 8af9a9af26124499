package io.superstep.reactor;

import io.superstep.checkpoint.Execution;
import io.superstep.error.Problem;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.graph.NodePolicy;
import io.superstep.step.InvalidRouteException;
import io.superstep.step.Outcome;
import io.superstep.step.StepResult.Committed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one run is about: its graph, where it begins, and who wants to know.
 *
 * @param path the names of the nodes around a nested run, each followed by a slash; empty at the
 *     top
 * @param opening where and how it begins
 * @param listener who hears what is committed, beside the subscriber; null if nobody does
 * @param journal where it is written down what happens; null if nowhere
 */
record Run(
    Graph graph,
    String path,
    Opening opening,
    Environment environment,
    @Nullable NestedRun listener,
    @Nullable Journal journal) {

  Committed open() {
    return opening.start().get();
  }

  boolean isResumed() {
    return opening.isResumed();
  }

  /** What has to be told at the beginning. */
  List<Problem> warnings() {
    return opening.warnings();
  }

  /**
   * Returns the execution of tasks that start now with their first attempt.
   *
   * @param last the one that was returned before; null if none was
   */
  Execution execution(@Nullable Execution last) {
    if (listener != null) {
      return last == null ? listener.execution() : last; // the run around holds its lease
    }
    long fence = journal == null ? 0 : journal.fence();
    return last != null && last.fence() == fence ? last : new Execution(fence, 1);
  }

  /** The number of tasks around the run. */
  int depth() {
    int depth = 0;
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      depth++;
    }
    return depth;
  }

  boolean isNested() {
    return !path.isEmpty();
  }

  /**
   * Whether it has been asked to stop. A nested run of which nothing is written down could not go
   * on, and lets the step around it come to its end.
   */
  boolean isStopping() {
    return (!isNested() || journal != null) && environment.isStopping();
  }

  /**
   * Checks the directions of a command to the parent graph; all others are checked by the commit.
   *
   * @throws io.superstep.step.InvalidRouteException if the parent graph cannot follow them
   */
  void requireFollowable(Command command, Node emitter) {
    if (!command.parent()) {
      return;
    }
    if (listener == null) {
      throw InvalidRouteException.withoutParent(emitter.name());
    }
    listener.requireFollowable(command, emitter);
  }

  void committed(List<Outcome> outcomes, Committed committed) {
    if (listener != null) {
      listener.committed(outcomes, committed);
    }
  }

  /** @param workIsLeft whether it was stopped before its work was done */
  void ended(Ending ending, boolean workIsLeft) {
    if (listener != null) {
      listener.ended(ending);
    }
    if (journal != null) {
      journal.end(workIsLeft);
    }
  }

  /** Whether {@code node} is run once and without an eye on the clock. */
  static boolean isPlain(Node node) {
    NodePolicy policy = node.policy();
    return policy == NodePolicy.NONE
        || ((policy.attempts() == null || policy.attempts() == 1) && !TimedFlux.isAskedFor(policy));
  }
}
