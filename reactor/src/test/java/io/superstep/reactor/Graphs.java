package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;

import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodeAction;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;

/** The small graphs of these tests. */
final class Graphs {

  static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);
  static final ListChannel<String> LOG = Channel.list("log", String.class);
  static final Channel<Integer> TASK =
      Channel.value("task", Integer.class).startingAt(0).argument();

  private Graphs() {}

  static GraphBuilder graph() {
    return Graph.builder("sample").channels(COUNT, LOG, TASK);
  }

  /** A graph that is one node. */
  static Graph single(String name, NodeAction action) {
    return graph().node(name, action).sequence(START, name, END).build();
  }

  /** A graph whose nodes all start at once, and end. */
  static GraphBuilder parallel(Map<String, NodeAction> nodes) {
    GraphBuilder builder = graph();
    nodes.forEach((name, action) -> builder.node(name, action).edge(START, name).edge(name, END));
    return builder;
  }

  /** A graph that counts to {@code most}, one step each. */
  static Graph counting(int most) {
    return graph()
        .node("tick", state -> Mono.just(Update.of(COUNT, 1)))
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> state.get(COUNT) < most ? "tick" : END)
        .build();
  }

  /** A graph that counts to 5, and asks for a stop on its way. */
  static Graph stopping(Stop stop) {
    return graph()
        .compute("tick", state -> {
          if (state.get(COUNT) == 2) {
            stop.request();
          }
          return Update.of(COUNT, 1);
        })
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> state.get(COUNT) < 5 ? "tick" : END)
        .build();
  }

  /** A graph that never ends. */
  static Graph endless(NodeAction action) {
    return graph().node("tick", action).edge(START, "tick").edge("tick", "tick").build();
  }

  /** The kinds of events, by name. */
  static List<String> kinds(List<GraphEvent> events) {
    return events.stream()
        .map(event -> event.getClass().getSimpleName())
        .collect(Collectors.toList());
  }
}
