package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.graph.Graph;
import io.superstep.graph.NodeAction;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.Update;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Overwrites of one channel by nodes that run in one step. */
class OverwriteTests extends OnAThread {

  private static Graph parallel(boolean reversed, Map<String, Update> updates) {
    Comparator<String> order = Comparator.naturalOrder();
    Map<String, NodeAction> nodes = new TreeMap<>(reversed ? order.reversed() : order);
    updates.forEach((name, update) -> nodes.put(name, state -> Mono.just(update)));
    return Graphs.parallel(nodes).build();
  }

  private static Map<String, Update> appendAndOverwrite() {
    return Map.of(
        "append", Update.append(LOG, "a"), "overwrite", Update.overwrite(LOG, List.of("new")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("S0.16 an append beside an overwrite is kept, in both orders of declaration")
  void appendBesideOverwrite(boolean reversed) {
    Graph graph = parallel(reversed, appendAndOverwrite());

    assertThat(
            thread(graph).run(Update.append(LOG, "old")).block(PATIENCE).state().get(LOG))
        .containsExactly("new", "a");
    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("new", "a");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("E14 S0.16 the state around a subgraph is folded in the order of the steps inside")
  void insideASubgraph(boolean reversed) {
    Graph outer = graph()
        .subgraph("inner", parallel(reversed, appendAndOverwrite()))
        .compute("last", state -> Update.append(LOG, "last"))
        .sequence(START, "inner", "last", END)
        .build();

    assertThat(GraphRunner.of(outer)
            .run(Update.append(LOG, "old"))
            .block(PATIENCE)
            .state()
            .get(LOG))
        .containsExactly("new", "a", "last");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("S0.16 two overwrites in one step are refused, and nothing of it is committed")
  void twoOverwrites(boolean reversed) {
    Graph graph = parallel(
        reversed,
        Map.of("a", Update.overwrite(LOG, List.of("a")), "b", Update.overwrite(LOG, List.of("b"))));

    Throwable refused = thread(graph)
        .run(Update.append(LOG, "old"))
        .then(Mono.<Throwable>empty())
        .onErrorResume(Mono::just)
        .block(PATIENCE);

    assertThat(refused).isInstanceOf(InvalidUpdateException.class);
    assertThat(((InvalidUpdateException) refused).code()).isEqualTo("SG-212");
    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("old");
  }
}
