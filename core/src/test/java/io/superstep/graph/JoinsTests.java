package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.graph.Told.assertLegal;
import static io.superstep.graph.Told.assertOnly;
import static io.superstep.graph.Told.assertProblems;
import static io.superstep.graph.Told.graph;
import static io.superstep.graph.Told.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.superstep.error.Problem;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class JoinsTests {

  private static final String CHOOSE_BOTH =
      "Replace the join with an edge from each source, or choose several targets with"
          + " routeAll(...).";

  @Test
  void waitForAtLeastTwoNodes() {
    String fix =
        "Name at least two nodes: all(\"<node>\", \"<node>\"), or use edge for a single source.";

    assertOnly(
        graph("a", "b").edge(START, "a").join(Graph.all("a"), "b").edge("b", END),
        "SG-109",
        "join(all(\"a\"), \"b\")",
        fix);
    assertOnly(
        graph("a", "b").edge(START, "a").join(Graph.all("a", "a"), "b").edge("b", END),
        "SG-109",
        "join(all(\"a\", \"a\"), \"b\")",
        fix);
    assertOnly(
        graph("a", "b").sequence(START, "a", END).join(Graph.all(), "b").edge("b", END),
        "SG-109",
        "join(all(), \"b\")",
        fix);
  }

  @Test
  @DisplayName("E2 branches of unequal length can be joined, and the target is known")
  void branchesOfUnequalLength() {
    Graph graph = graph("a", "b", "b2", "m")
        .edge(START, "a")
        .sequence(START, "b", "b2")
        .join(Graph.all("a", "b2"), "m")
        .edge("m", END)
        .build();

    assertThat(graph.joins()).singleElement().satisfies(join -> {
      assertThat(join.sources()).containsExactly("a", "b2");
      assertThat(join.target()).isSameAs(graph.node("m"));
      assertThat(join.key()).isEqualTo("[a, b2] -> m");
      assertThat(graph.exits(graph.node("a")).joins()).containsExactly(join);
      assertThat(graph.exits(graph.node("b")).joins()).isEmpty();
    });
  }

  @Nested
  @DisplayName("E2 a join that can never fire")
  class ThatCanNeverFire {

    @Test
    void waitForWhatComesAfterThem() {
      assertOnly(
          graph("a", "b", "c")
              .edge(START, "a")
              .join(Graph.all("a", "c"), "b")
              .edge("b", "c")
              .edge("c", END),
          "SG-108",
          "join(all(\"a\", \"c\"), \"b\")",
          "Connect START to [c] on a path without this join, or join other nodes.");
    }

    @Test
    void waitForTheirOwnTarget() {
      assertOnly(
          graph("a", "b").edge(START, "a").join(Graph.all("a", "b"), "b").edge("b", END),
          "SG-108",
          "join(all(\"a\", \"b\"), \"b\")",
          "Connect START to [b] on a path without this join, or join other nodes.");
    }

    @Test
    void waitForEachOther() {
      assertProblems(
          graph("a", "b", "c")
              .edge(START, "a")
              .join(Graph.all("a", "c"), "b")
              .join(Graph.all("a", "b"), "c")
              .edge("b", END)
              .edge("c", END),
          tuple(
              "SG-108",
              "join(all(\"a\", \"c\"), \"b\")",
              "Connect START to [c] on a path without this join, or join other nodes."),
          tuple(
              "SG-108",
              "join(all(\"a\", \"b\"), \"c\")",
              "Connect START to [b] on a path without this join, or join other nodes."));
    }

    @Test
    void waitForWhatIsNeverReached() {
      assertThat(problems(graph("a", "lost", "m")
              .edge(START, "a")
              .join(Graph.all("a", "lost"), "m")
              .edge("m", END)))
          .extracting(Problem::code, Problem::where)
          .containsExactly(
              tuple("SG-106", "compute(\"lost\", ...)"),
              tuple("SG-108", "join(all(\"a\", \"lost\"), \"m\")"));
    }

    @Test
    void waitForBothSidesOfAChoice() {
      assertOnly(
          graph("r", "a", "b", "m")
              .edge(START, "r")
              .route("r", to("a", "b"), state -> "a")
              .join(Graph.all("a", "b"), "m")
              .edge("m", END),
          "SG-108",
          "join(all(\"a\", \"b\"), \"m\")",
          CHOOSE_BOTH);
    }

    @Test
    void waitForBothSidesOfAChoiceOfTheStart() {
      assertThat(problems(graph("a", "b", "m")
              .route(START, to("a", "b"), state -> "a")
              .join(Graph.all("a", "b"), "m")
              .edge("m", END)))
          .singleElement()
          .extracting(Problem::what)
          .isEqualTo("The join can never fire: the route of START chooses between its sources.");
    }

    @Test
    void waitForWhatFollowsBothSidesOfAChoice() {
      assertOnly(
          graph("x", "r", "a", "a2", "s", "b", "c", "m")
              .edge(START, "x")
              .sequence(START, "r")
              .route("r", to("a", "s"), state -> "a")
              .edge("a", "a2")
              .route("s", to("b", "c"), state -> "b")
              .edge("c", END)
              .join(Graph.all("x", "a2", "b"), "m")
              .edge("m", END),
          "SG-108",
          "join(all(\"x\", \"a2\", \"b\"), \"m\")",
          CHOOSE_BOTH);
    }

    @Test
    void waitForWhatIsSentOrCommandedOnBothSidesOfAChoice() {
      assertOnly(
          graph("r", "a", "a2", "b", "b2", "m")
              .edge(START, "r")
              .route("r", to("a", "b"), state -> "a")
              .fanOut("a", to("a2"), state -> List.of())
              .mayGoTo("b", "b2")
              .join(Graph.all("a2", "b2"), "m")
              .edge("m", END),
          "SG-108",
          "join(all(\"a2\", \"b2\"), \"m\")",
          CHOOSE_BOTH);
    }

    @Test
    void waitForBothSidesOfAChoiceAboveAnother() {
      assertOnly(
          graph("r", "s", "a", "b", "c", "m")
              .edge(START, "r")
              .route("r", to("s", "c"), state -> "c")
              .edge("s", "a")
              .edge("s", "b")
              .join(Graph.all("a", "b", "c"), "m")
              .edge("m", END),
          "SG-108",
          "join(all(\"a\", \"b\", \"c\"), \"m\")",
          CHOOSE_BOTH);
    }
  }

  @Nested
  class ThatMayFire {

    @Test
    void inALoop() {
      assertLegal(graph("r", "a", "b", "m")
          .edge(START, "r")
          .edge("r", "a")
          .edge("r", "b")
          .join(Graph.all("a", "b"), "m")
          .route("m", to("r", END), state -> END));
    }

    @Test
    void afterOneAnother() {
      assertLegal(graph("a", "b", "c", "m", "n")
          .edge(START, "a")
          .edge(START, "b")
          .edge(START, "c")
          .join(Graph.all("a", "b"), "m")
          .join(Graph.all("m", "c"), "n")
          .edge("n", END));
    }

    @Test
    void waitingForTheirTargetWhichAnotherWayLeadsTo() {
      assertLegal(graph("a", "b")
          .edge(START, "a")
          .edge("a", "b")
          .join(Graph.all("a", "b"), "b")
          .edge("b", END));
    }

    @Test
    void waitingForWhatTheStartLeadsToByAnotherJoin() {
      assertLegal(graph("a", "b", "c", "d")
          .edge(START, "a")
          .edge(START, "d")
          .join(Graph.all("a", "d"), "c")
          .join(Graph.all("a", "c"), "b")
          .edge("b", END));
    }

    @Test
    void afterARouteThatMayChooseBoth() {
      assertLegal(graph("r", "a", "b", "m")
          .edge(START, "r")
          .routeAll("r", to("a", "b"), state -> List.of("a", "b"))
          .join(Graph.all("a", "b"), "m")
          .edge("m", END));
    }

    @Test
    void afterSends() {
      assertLegal(graph("r", "a", "b", "m")
          .edge(START, "r")
          .fanOut("r", to("a", "b"), state -> List.of())
          .join(Graph.all("a", "b"), "m")
          .edge("m", END));
    }

    @Test
    void afterAChoiceInALoopWhichMayChooseOtherwiseNextTime() {
      assertLegal(graph("r", "a", "b", "m")
          .edge(START, "r")
          .route("r", to("a", "b"), state -> "a")
          .edge("a", "r")
          .edge("b", "r")
          .join(Graph.all("a", "b"), "m")
          .edge("m", END));
    }

    @Test
    void ifTwoWaysLeadToOneSideOfAChoice() {
      assertLegal(graph("r", "a", "b", "m")
          .edge(START, "r")
          .edge(START, "a")
          .route("r", to("a", "b"), state -> "a")
          .join(Graph.all("a", "b"), "m")
          .edge("m", END));
    }

    @Test
    void ifACommandMayTakeTheOtherSideOfAChoice() {
      assertLegal(graph("r", "a", "b", "m")
          .edge(START, "r")
          .route("r", to("a", "b"), state -> "a")
          .mayGoTo("a", "b")
          .edge("b", END)
          .join(Graph.all("a", "b"), "m")
          .edge("m", END));
    }

    @Test
    void ifOneSideOfAChoiceIsTheExitOfTheOther() {
      assertLegal(graph("r", "a", "b", "m")
          .edge(START, "r")
          .route("r", to("a", "b"), state -> "a")
          .maxVisits("a", 1, "b")
          .join(Graph.all("a", "b"), "m")
          .edge("m", END));
    }

    @Test
    void ifTheRouterHasEdgesToo() {
      assertLegal(graph("r", "a", "b", "m")
          .edge(START, "r")
          .edge("r", "b")
          .route("r", to("a", END), state -> "a")
          .join(Graph.all("a", "b"), "m")
          .edge("m", END));
    }

    @Test
    void onTheSameSideOfAChoice() {
      assertLegal(graph("r", "s", "a", "b", "m")
          .edge(START, "r")
          .route("r", to("s", END), state -> "s")
          .edge("s", "a")
          .edge("s", "b")
          .join(Graph.all("a", "b", "s"), "m")
          .edge("m", END));
    }

    @Test
    void afterDifferentChoices() {
      assertLegal(graph("r", "s", "a", "b", "m")
          .edge(START, "r")
          .edge(START, "s")
          .route("r", to("a", END), state -> "a")
          .route("s", to("b", END), state -> "b")
          .join(Graph.all("a", "b"), "m")
          .edge("m", END));
    }

    @Test
    void afterAJoinOnOneSideOfAChoice() {
      assertLegal(graph("r", "a", "b", "c", "j", "m")
          .edge(START, "r")
          .edge(START, "c")
          .route("r", to("a", "b"), state -> "a")
          .join(Graph.all("a", "c"), "j")
          .edge("b", "j")
          .join(Graph.all("j", "b"), "m")
          .edge("m", END));
    }
  }
}
