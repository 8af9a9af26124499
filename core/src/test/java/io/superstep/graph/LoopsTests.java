package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.graph.Told.graph;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("X.10 loops are the strongly connected parts of a graph")
class LoopsTests {

  @Test
  void aChainHasNone() {
    Graph graph = graph("a", "b").sequence(START, "a", "b", END).build();

    assertThat(graph.loop("a")).isEmpty();
    assertThat(startedOver(graph, "a", "b")).isEmpty();
    assertThat(startedOver(graph, "b", "a")).isEmpty();
  }

  @Test
  void aNodeThatLeadsToItselfIsOne() {
    Graph graph = graph("a", "b").sequence(START, "a", "b", "b").build();

    assertThat(graph.loop("b")).containsExactly("b");
    assertThat(startedOver(graph, "b", "b")).contains("b");
    assertThat(graph.loop("a")).isEmpty();
    assertThat(startedOver(graph, "a", "b")).isEmpty();
  }

  @Test
  void theyAreStartedOverByTheWayThatLeadsBack() {
    Graph graph = graph("a", "b", "c")
        .sequence(START, "a", "b", "c")
        .route("c", to("a", END), state -> END)
        .build();

    assertThat(graph.loop("b")).containsExactly("a", "b", "c");
    assertThat(startedOver(graph, "a", "b")).isEmpty();
    assertThat(startedOver(graph, "b", "c")).isEmpty();
    assertThat(startedOver(graph, "c", "a")).contains("a");
  }

  @Test
  void theyBeginWhereTheyAreEnteredThoughCalledByTheirFirstNode() {
    Graph graph = graph("a", "b", "c").sequence(START, "b", "c", "a", "b").build();

    assertThat(startedOver(graph, "b", "c")).isEmpty();
    assertThat(startedOver(graph, "c", "a")).isEmpty();
    assertThat(startedOver(graph, "a", "b")).contains("a");
  }

  @Test
  void twoLoopsInARowAreTwo() {
    Graph graph = graph("a", "b", "c", "d")
        .sequence(START, "a", "b", "a")
        .sequence("b", "c", "d", "c")
        .build();

    assertThat(graph.loop("a")).containsExactly("a", "b");
    assertThat(graph.loop("d")).containsExactly("c", "d");
    assertThat(startedOver(graph, "b", "a")).contains("a");
    assertThat(startedOver(graph, "b", "c")).isEmpty();
    assertThat(startedOver(graph, "d", "c")).contains("c");
    assertThat(startedOver(graph, "d", "a")).isEmpty();
  }

  @Test
  void theyMayLeadToNodesThatWereDeclaredBefore() {
    Graph graph = graph("out", "a", "b")
        .sequence(START, "a", "b", "a")
        .sequence("b", "out", END)
        .build();

    assertThat(graph.loop("a")).containsExactly("a", "b");
    assertThat(graph.loop("out")).isEmpty();
  }

  @Test
  void twoLoopsThatShareANodeAreOne() {
    Graph graph = graph("a", "b", "c")
        .sequence(START, "a", "b", "a")
        .sequence("a", "c", "a")
        .build();

    assertThat(graph.loop("c")).containsExactly("a", "b", "c");
    assertThat(startedOver(graph, "b", "a")).contains("a");
    assertThat(startedOver(graph, "c", "a")).contains("a");
  }

  @Test
  void commandsExitsAndJoinsCloseThemToo() {
    Graph graph = graph("a", "b", "c", "d", "e")
        .sequence(START, "a", "b")
        .mayGoTo("b", "a")
        .sequence("b", "c", "d")
        .maxVisits("d", 2, "c")
        .edge("d", "e")
        .edge("e", "e")
        .join(Graph.all("e", "d"), "d")
        .build();

    assertThat(graph.loop("a")).containsExactly("a", "b");
    assertThat(graph.loop("c")).containsExactly("c", "d", "e");
  }

  @Test
  void aGraphMayBeVeryDeep() {
    GraphBuilder deep = graph("n0").edge(START, "n0");
    for (int node = 1; node < 10_000; node++) {
      deep.compute("n" + node, Told.NOTHING).edge("n" + (node - 1), "n" + node);
    }

    Graph graph = deep.edge("n9999", "n0").build();

    assertThat(graph.loop("n5000")).hasSize(10_000);
    assertThat(startedOver(graph, "n9999", "n0")).contains("n0");
    assertThat(startedOver(graph, "n0", "n1")).isEmpty();
  }

  private static Optional<String> startedOver(Graph graph, String from, String to) {
    return graph.loopStartedOver(graph.node(from), graph.node(to));
  }
}
