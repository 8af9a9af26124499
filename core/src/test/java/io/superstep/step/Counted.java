package io.superstep.step;

import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;

/** The small graphs of these tests. */
final class Counted {

  static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);
  static final ListChannel<String> LOG = Channel.list("log", String.class);
  static final Channel<Integer> TASK =
      Channel.value("task", Integer.class).startingAt(0).argument();

  private Counted() {}

  /** A graph with these nodes, in this order, and nothing between them. */
  static GraphBuilder nodes(String... names) {
    GraphBuilder builder = Graph.builder("sample").channels(COUNT, LOG, TASK);
    for (String name : names) {
      builder.compute(name, state -> Update.NOTHING);
    }
    return builder;
  }
}
