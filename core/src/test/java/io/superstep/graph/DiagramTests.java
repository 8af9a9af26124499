package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiagramTests {

  private static final ListChannel<String> NOTES = Channel.list("notes", String.class);

  static GraphBuilder nodes(String... names) {
    GraphBuilder builder = Graph.builder("sample").channels(NOTES);
    for (String name : names) {
      builder.compute(name, state -> Update.NOTHING);
    }
    return builder;
  }

  private static Graph everything() {
    Graph inner = nodes("search", "read")
        .sequence(START, "search", "read")
        .route("read", to("search", END), state -> END)
        .build();
    return nodes("plan", "left", "right", "review")
        .subgraph("web", inner)
        .edge(START, "plan")
        .fanOut("plan", to("left"), state -> List.of())
        .edge("plan", "right")
        .join(all("left", "right"), "web")
        .edge("web", "review")
        .mayGoTo("review", "plan", END)
        .maxVisits("plan", 3, "review")
        .defer("review")
        .interruptBefore("web")
        .interruptAfter("review")
        .build();
  }

  @Nested
  class Mermaid {

    @Test
    @DisplayName("E26 nodes are drawn as declared, between START and END, with solid edges")
    void drawsNodesAsDeclaredAndEdgesSolid() {
      Graph chain = nodes("b", "a").sequence(START, "a", "b", END).build();

      assertThat(chain.mermaid()).isEqualTo("""
              flowchart TD
                start(["START"])
                n0["b"]
                n1["a"]
                stop(["END"])
                start --> n1
                n0 --> stop
                n1 --> n0
              """);
    }

    @Test
    @DisplayName("E26 what a route chooses is dashed, and says how")
    void drawsRoutesDashed() {
      Graph graph = nodes("a", "b", "c")
          .route(START, to("a", END), state -> END)
          .routeAll("a", to("b", "a"), state -> List.of())
          .fanOut("b", to("c"), state -> List.of())
          .edge("c", END)
          .build();

      assertThat(arrows(graph.mermaid()))
          .containsExactly(
              "start -.-> n0",
              "start -.-> stop",
              "n0 -.->|\"any\"| n1",
              "n0 -.->|\"any\"| n0",
              "n1 -.->|\"send\"| n2",
              "n2 --> stop");
    }

    @Test
    @DisplayName("E26 the ways to a join meet in a point that waits for all")
    void drawsJoinsAsAMeetingPoint() {
      Graph graph = nodes("a", "b", "c", "d")
          .edge(START, "a")
          .edge(START, "b")
          .join(all("b", "a"), "c")
          .join(all("a", "c"), "d")
          .edge("d", END)
          .build();

      assertThat(lines(graph.mermaid(), line -> line.contains("j")))
          .containsExactly(
              "j0((\"all\"))",
              "n1 --- j0",
              "n0 --- j0",
              "j0 --> n2",
              "j1((\"all\"))",
              "n0 --- j1",
              "n2 --- j1",
              "j1 --> n3");
    }

    @Test
    @DisplayName("E26 commands and limits are dashed, and say so")
    void drawsCommandsAndLimits() {
      Graph graph = nodes("a", "b", "c")
          .sequence(START, "a", "b")
          .mayGoTo("b", "a", "c")
          .maxVisits("a", 1, END)
          .maxVisits("b", 12, "c")
          .edge("c", END)
          .build();

      assertThat(arrows(graph.mermaid()))
          .contains(
              "n1 -.->|\"go to\"| n0",
              "n1 -.->|\"go to\"| n2",
              "n0 -.->|\"after 1 visit\"| stop",
              "n1 -.->|\"after 12 visits\"| n2");
    }

    @Test
    @DisplayName("E26 deferred and interrupted nodes are marked")
    void marksDeferredAndInterruptedNodes() {
      Graph graph = nodes("a", "b", "c", "d")
          .sequence(START, "a", "b", "c", "d", END)
          .defer("a", "d")
          .interruptBefore("b", "d")
          .interruptAfter("c", "d")
          .build();

      assertThat(graph.mermaid())
          .contains("n0[\"a<br/>deferred\"]")
          .contains("n1[\"b<br/>interrupt before\"]")
          .contains("n2[\"c<br/>interrupt after\"]")
          .contains("n3[\"d<br/>deferred, interrupt before, interrupt after\"]");
    }

    @Test
    @DisplayName("E26 graphs inside graphs are drawn inside, each with ids of its own")
    void nestsSubgraphs() {
      Graph leaf = nodes("x").sequence(START, "x", END).build();
      Graph middle =
          nodes("y").subgraph("leaf", leaf).sequence(START, "y", "leaf", END).build();
      Graph graph = nodes("z")
          .subgraph("middle", middle)
          .sequence(START, "middle", "z")
          .route("z", to("middle", END), state -> END)
          .defer("middle")
          .build();

      assertThat(graph.mermaid()).isEqualTo("""
              flowchart TD
                start(["START"])
                n0["z"]
                subgraph n1["middle: deferred"]
                  n1_start(["START"])
                  n1_n0["y"]
                  subgraph n1_n1["leaf"]
                    n1_n1_start(["START"])
                    n1_n1_n0["x"]
                    n1_n1_stop(["END"])
                    n1_n1_start --> n1_n1_n0
                    n1_n1_n0 --> n1_n1_stop
                  end
                  n1_stop(["END"])
                  n1_start --> n1_n0
                  n1_n0 --> n1_n1_start
                  n1_n1_stop --> n1_stop
                end
                stop(["END"])
                start --> n1_start
                n0 -.-> n1_start
                n0 -.-> stop
                n1_stop --> n0
              """);
    }

    @Test
    @DisplayName("E26 the current position is marked, inside a subgraph by its path")
    void marksTheCurrentPosition() {
      assertThat(everything().mermaid(List.of("web/search", "right")))
          .contains("  classDef current ")
          .endsWith("  class n2,n4_n0 current\n");
    }

    @Test
    @DisplayName("E26 a subgraph as a whole can be the current position")
    void marksAWholeSubgraph() {
      assertThat(everything().mermaid(List.of("web"))).endsWith("  class n4 current\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"search", "web/plan", "plan/", "/plan", "START", ""})
    @DisplayName("E26 a position that the graph does not have marks nothing")
    void marksNothingUnknown(String position) {
      assertThat(everything().mermaid(List.of(position))).isEqualTo(everything().mermaid());
    }

    @ParameterizedTest
    @CsvSource({
      "subgraph, subgraph",
      "fetch_page, fetch_page",
      "web.search-2, web.search-2",
      "a-_b_, a-#95;b#95;",
      "a__b, a#95;#95;b",
      "www.example.com, www#46;example.com",
      "WWW.example.com, WWW#46;example.com",
      "搜索, 搜索",
      "Поиск_ß, Поиск_ß",
      "بحث, بحث",
      "\uD835\uDCB31, \uD835\uDCB31"
    })
    @DisplayName("E26 every name is shown as it is, and never taken for markup")
    void showsEveryNameAsItIs(String name, String label) {
      Graph graph = nodes(name).sequence(START, name, END).build();

      assertThat(graph.mermaid()).contains("  n0[\"" + label + "\"]\n");
    }
  }

  @Nested
  class Dot {

    @Test
    @DisplayName("E26 DOT has the same shapes and arrows, with subgraphs as clusters")
    void drawsTheWholeGraph() {
      assertThat(everything().dot(List.of("web/read", "plan"))).isEqualTo("""
              digraph "sample" {
                newrank=true
                node [shape=box style=filled fillcolor=white]
                start [label="START" shape=oval]
                n0 [label="plan" fillcolor="#ffe08a" penwidth=3]
                n1 [label="left" fillcolor=white penwidth=1]
                n2 [label="right" fillcolor=white penwidth=1]
                n3 [label="review\\ndeferred, interrupt after" fillcolor=white penwidth=1]
                subgraph cluster_n4 {
                  graph [style=filled label="web\\ninterrupt before" fillcolor=white penwidth=1]
                  n4_start [label="START" shape=oval]
                  n4_n0 [label="search" fillcolor=white penwidth=1]
                  n4_n1 [label="read" fillcolor="#ffe08a" penwidth=3]
                  n4_stop [label="END" shape=oval]
                  n4_start -> n4_n0
                  n4_n0 -> n4_n1
                  n4_n1 -> n4_n0 [style=dashed label=""]
                  n4_n1 -> n4_stop [style=dashed label=""]
                }
                stop [label="END" shape=oval]
                start -> n0
                n0 -> n2
                n0 -> n1 [style=dashed label="send"]
                n0 -> n3 [style=dashed label="after 3 visits"]
                n3 -> n0 [style=dashed label="go to"]
                n3 -> stop [style=dashed label="go to"]
                n4_stop -> n3
                j0 [label="all" shape=circle]
                n1 -> j0 [dir=none]
                n2 -> j0 [dir=none]
                j0 -> n4_start
              }
              """);
    }

    @Test
    @DisplayName("E26 a subgraph as a whole can be the current position in DOT")
    void marksAWholeSubgraph() {
      assertThat(everything().dot(List.of("web")))
          .contains(
              "graph [style=filled label=\"web\\ninterrupt before\" fillcolor=\"#ffe08a\" penwidth=3]")
          .containsOnlyOnce("#ffe08a");
    }

    @Test
    @DisplayName("E26 DOT without a position marks nothing")
    void marksNothingUnasked() {
      assertThat(everything().dot()).doesNotContain("#ffe08a");
    }
  }

  @Test
  @DisplayName("E26 both notations draw the same arrows")
  void bothNotationsDrawTheSameArrows() {
    List<String> mermaid = arrows(everything().mermaid()).stream()
        .map(arrow -> arrow.replaceAll("^(\\w+) -.* (\\w+)$", "$1 -> $2"))
        .toList();
    List<String> dot = arrows(everything().dot()).stream()
        .map(arrow -> arrow.replaceAll(" \\[.*", ""))
        .toList();

    assertThat(dot).hasSizeGreaterThan(10).isEqualTo(mermaid);
  }

  @Test
  @DisplayName("E26 ten thousand nodes are drawn with all their arrows")
  void drawsLargeGraphs() {
    assertThat(arrows(large().mermaid())).hasSize(50_001);
  }

  /** 10,000 nodes in a ring of five ways each. */
  static Graph large() {
    GraphBuilder builder = Graph.builder("large").edge(START, "node0");
    for (int node = 0; node < 10_000; node++) {
      builder.compute("node" + node, state -> Update.NOTHING);
      for (int way = 1; way <= 5; way++) {
        builder.edge("node" + node, "node" + (node + way) % 10_000);
      }
    }
    return builder.build();
  }

  private static List<String> arrows(String drawing) {
    return lines(drawing, line -> line.matches("\\w+ -.*"));
  }

  private static List<String> lines(String drawing, Predicate<String> wanted) {
    return drawing.lines().map(String::strip).filter(wanted).toList();
  }
}
