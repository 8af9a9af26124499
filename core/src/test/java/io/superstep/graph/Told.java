package io.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.superstep.error.Problem;
import io.superstep.state.Update;
import java.util.List;
import org.assertj.core.groups.Tuple;

/** What a builder has to say about a graph. */
final class Told {

  static final Computation NOTHING = state -> Update.NOTHING;

  private Told() {}

  /** A graph of these nodes, which do nothing and lead nowhere yet. */
  static GraphBuilder graph(String... nodes) {
    GraphBuilder graph = Graph.builder("graph");
    for (String node : nodes) {
      graph.compute(node, NOTHING);
    }
    return graph;
  }

  /** All that is wrong with a graph; nothing if it can be built. */
  static List<Problem> problems(GraphBuilder graph) {
    try {
      graph.build();
      return List.of();
    } catch (InvalidGraphException invalid) {
      return invalid.problems();
    }
  }

  /** Asserts that a graph has this problem and no other. */
  static void assertOnly(GraphBuilder graph, String code, String where, String fix) {
    assertProblems(graph, tuple(code, where, fix));
  }

  /** Asserts that a graph has these problems, in their order: code, where and fix of each. */
  static void assertProblems(GraphBuilder graph, Tuple... expected) {
    assertThat(problems(graph))
        .extracting(Problem::code, Problem::where, Problem::fix)
        .containsExactly(expected);
  }

  /** Asserts that nothing is wrong with a graph. */
  static void assertLegal(GraphBuilder graph) {
    assertThat(problems(graph)).isEmpty();
  }
}
