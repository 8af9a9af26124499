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

/** Finds what a position needs of a graph and does not find there. */
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
            "Node '" + node + "' is due and does not exist any more.",
            "node '" + node + "'",
            DidYouMean.among(graph.names(), node)
                .map(meant -> "If it is called '" + meant + "' now, keep the old name until its"
                    + " threads are done.")
                .orElse("Keep the node until its threads are done, or fork from an earlier"
                    + " checkpoint."));
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
            "Channel '" + channel + "' is an argument of a pending send, and no argument any"
                + " more.",
            "channel '" + channel + "'",
            "Keep the channel until the threads that use it are done.");
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
            "The join " + join + " is partly filled and does not exist any more.",
            "join " + join,
            "Keep the join until the threads that wait at it are done.");
      }
    }
  }

  private void missing(String what, String where, String fix) {
    problems.add(new Problem("SG-143", what, where, fix));
  }
}
