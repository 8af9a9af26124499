package io.superstep.step;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Position;
import io.superstep.error.DidYouMean;
import io.superstep.error.Problem;
import io.superstep.graph.Graph;
import io.superstep.graph.Join;
import io.superstep.state.Channel;
import io.superstep.state.Write;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The check whether a graph has the nodes, channels and joins that a position refers to. */
final class Fit {

  private final Graph graph;
  private final List<Problem> problems = new ArrayList<>();

  private Fit(Graph graph) {
    this.graph = graph;
  }

  static List<Problem> problems(Graph graph, Position position) {
    Fit fit = new Fit(graph);
    fit.nodes(position);
    fit.arguments(position);
    fit.joins(position);
    return fit.problems;
  }

  private void nodes(Position position) {
    Set<String> needed = new LinkedHashSet<>();
    position.due().forEach(due -> needed.add(due.node()));
    needed.addAll(position.deferred());
    for (String node : needed) {
      if (graph.find(node).isEmpty()) {
        missing(
            "The thread has a pending task of node '" + node
                + "', which does not exist in this version of the graph.",
            "node '" + node + "'",
            DidYouMean.among(graph.names(), node)
                .map(meant -> "If the node was renamed to '" + meant
                    + "', keep the old name until no" + " thread has a pending task of it.")
                .orElse("Keep the node until no thread has a pending task of it, or fork from an"
                    + " earlier checkpoint with thread.fork(...)."));
      }
    }
  }

  private void arguments(Position position) {
    Set<String> needed = new LinkedHashSet<>();
    for (Due due : position.due()) {
      if (due.arguments() != null) {
        due.arguments().writes().stream().map(Write::channel).forEach(needed::add);
      }
    }
    for (String channel : needed) {
      if (!graph.schema().has(channel)
          || graph.schema().channel(channel).lifetime() != Channel.Lifetime.ARGUMENT) {
        missing(
            "A pending send carries channel '" + channel
                + "', which is not an argument channel in this version of the graph.",
            "channel '" + channel + "'",
            "Keep the channel with argument() until no thread has such a send pending.");
      }
    }
  }

  private void joins(Position position) {
    Set<String> known = new LinkedHashSet<>();
    for (Join join : position.arrivals().isEmpty() ? List.<Join>of() : graph.joins()) {
      known.add(join.key());
    }
    for (String join : position.arrivals().keySet()) {
      if (!known.contains(join)) {
        missing(
            "The thread waits at the join " + join
                + ", which does not exist in this version of the graph.",
            "join " + join,
            "Keep the join until no thread waits at it.");
      }
    }
  }

  private void missing(String what, String where, String fix) {
    problems.add(new Problem("SG-143", what, where, fix));
  }
}
