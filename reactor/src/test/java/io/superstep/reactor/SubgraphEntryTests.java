package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.state.Channel;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a subgraph sees when it starts, and when it resumes from a serialized store. */
class SubgraphEntryTests extends OnAThread {

  private static final Channel<@Nullable String> FLAG =
      Channel.value("flag", String.class).ephemeral();

  @Override
  CheckpointStore around(InMemoryCheckpointStore memory) {
    return new EncodingStore(memory);
  }

  private static GraphBuilder graph() {
    return Graph.builder("sample").channels(LOG, FLAG);
  }

  private static Update sees(String node, State state) {
    return Update.append(LOG, node + " sees " + state.get(FLAG));
  }

  private static GraphBuilder inner() {
    return graph()
        .compute("a", state -> sees("a", state))
        .compute("b", state -> sees("b", state))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END);
  }

  private static Graph around(Graph inner) {
    return graph()
        .compute("first", state -> Update.of(FLAG, "up"))
        .compute("plain", state -> sees("plain", state))
        .subgraph("inner", inner)
        .compute("after", state -> sees("after", state))
        .sequence(START, "first", "plain", END)
        .sequence("first", "inner", "after", END)
        .build();
  }

  @Test
  @DisplayName("E14 the first step of a subgraph sees an ephemeral value where a plain node would")
  void ephemeralOnEntry() {
    Graph outer = around(
        graph().subgraph("deep", inner().build()).sequence(START, "deep", END).build());

    assertThat(GraphRunner.of(outer).run(Update.NOTHING).block(PATIENCE).state().get(LOG))
        .containsExactly("plain sees up", "a sees up", "b sees null", "after sees null");
  }

  @Test
  @DisplayName("E14 the route of the start of a subgraph sees an ephemeral value")
  void routersOnEntry() {
    Graph inner = graph()
        .compute("a", state -> sees("a", state))
        .route(START, to("a", END), state -> state.get(FLAG) == null ? END : "a")
        .edge("a", END)
        .build();

    assertThat(GraphRunner.of(around(inner))
            .run(Update.NOTHING)
            .block(PATIENCE)
            .state()
            .get(LOG))
        .containsExactly("plain sees up", "a sees up", "after sees null");
  }

  @Test
  @DisplayName("E13 E14 an ephemeral value survives a pause before the first node of a subgraph")
  void ephemeralAfterAPause() {
    Graph outer = around(inner().interruptBefore("a").build());

    thread(outer).run(Update.NOTHING).block(PATIENCE);
    RunResult end = RunResult.of(thread(outer).resume()).block(PATIENCE);

    assertThat(end.state().get(LOG))
        .containsExactly("plain sees up", "a sees up", "b sees null", "after sees null");
  }
}
