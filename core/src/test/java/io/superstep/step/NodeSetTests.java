package io.superstep.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.state.Update;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeSetTests {

  private static final int NODES = 12;

  private static Graph nodes() {
    var builder = Graph.builder("nodes");
    for (int node = 0; node < NODES; node++) {
      builder.compute("n" + node, state -> Update.NOTHING);
      builder.edge(Graph.START, "n" + node).edge("n" + node, Graph.END);
    }
    return builder.build();
  }

  @Test
  @DisplayName("E1 nodes stand in the order of their declaration, whatever is added and removed")
  void behavesLikeASortedSet() {
    Graph graph = nodes();
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      NodeSet set = NodeSet.NONE;
      TreeSet<Integer> expected = new TreeSet<>();
      for (int change = 0; change < random.nextInt(12); change++) {
        Node node = graph.nodes().get(random.nextInt(NODES));
        if (random.nextInt(4) == 0) {
          set.remove(node);
          expected.remove(node.ordinal());
        } else {
          set = set.with(node);
          expected.add(node.ordinal());
        }
      }

      NodeSet found = set;
      assertThat(IntStream.range(0, set.size()).map(place -> found.get(place).ordinal()))
          .as("seed %s", seed)
          .containsExactlyElementsOf(expected);
      assertThat(set.isEmpty()).isEqualTo(expected.isEmpty());
      assertThat(graph.nodes())
          .allMatch(node -> found.contains(node) == expected.contains(node.ordinal()));
    }
    assertThat(NodeSet.NONE.isEmpty()).as("never added to").isTrue();
  }
}
