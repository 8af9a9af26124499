package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.graph.Told.assertLegal;
import static io.superstep.graph.Told.assertOnly;
import static io.superstep.graph.Told.assertProblems;
import static io.superstep.graph.Told.graph;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ConnectionsTests {

  private static final String REACH_IT =
      "Add an edge, route, join or mayGoTo with the node as its target, or remove the node.";

  @Nested
  class TheStart {

    @Test
    void leadsSomewhere() {
      assertOnly(
          graph("first", "second").sequence("first", "second", END),
          "SG-101",
          "the whole graph",
          "Add edge(START, \"first\").");
    }

    @Test
    void isMissingFromAGraphOfWhichNothingWasSaid() {
      assertOnly(graph(), "SG-101", "the whole graph", "Add edge(START, \"<first node>\").");
    }

    @Test
    void mayLeadToTheEndAtOnce() {
      assertLegal(graph().edge(START, END));
    }

    @Test
    void mayChooseOrSend() {
      assertLegal(graph("a").route(START, to("a"), state -> "a").edge("a", END));
      assertLegal(graph("a").routeAll(START, to("a"), state -> List.of()).edge("a", END));
      assertLegal(graph("a").fanOut(START, to("a"), state -> List.of()).edge("a", END));
    }
  }

  @Nested
  class ANode {

    @Test
    void isReached() {
      assertOnly(
          graph("a", "lost").sequence(START, "a", END).edge("lost", END),
          "SG-106",
          "compute(\"lost\", ...)",
          REACH_IT);
    }

    @Test
    void isNotReachedByItselfOrByOthersThatAreNot() {
      assertProblems(
          graph("a", "b", "c")
              .sequence(START, "a", END)
              .edge("b", "b")
              .edge("b", "c")
              .edge("c", END),
          tuple("SG-106", "compute(\"b\", ...)", REACH_IT),
          tuple("SG-106", "compute(\"c\", ...)", REACH_IT));
    }

    @Test
    void isReachedByAnyKindOfWay() {
      assertLegal(graph("edge", "route", "all", "sent", "command", "exit", "joined")
          .edge(START, "edge")
          .route("edge", to("route"), state -> "route")
          .routeAll("route", to("all"), state -> List.of())
          .fanOut("all", to("sent"), state -> List.of())
          .mayGoTo("sent", "command")
          .edge("command", END)
          .maxVisits("command", 1, "exit")
          .join(Graph.all("sent", "command"), "joined")
          .edge("exit", END)
          .edge("joined", END));
    }

    @Test
    void leadsOn() {
      assertOnly(
          graph("a", "b").edge(START, "a").edge("a", "b"),
          "SG-107",
          "compute(\"b\", ...)",
          "Add edge(\"b\", END), or an edge to another node.");
    }

    @Test
    void doesNotLeadOnByItsLimitOrByCommandsThatNameNothing() {
      assertOnly(
          graph("a").edge(START, "a").maxVisits("a", 3, END),
          "SG-107",
          "compute(\"a\", ...)",
          "Add edge(\"a\", END), or an edge to another node.");
      assertOnly(
          graph("a").edge(START, "a").mayGoTo("a"),
          "SG-107",
          "compute(\"a\", ...)",
          "Add edge(\"a\", END), or an edge to another node.");
    }

    @Test
    void leadsOnByAnyKindOfWay() {
      assertLegal(graph("edge").edge(START, "edge").edge("edge", END));
      assertLegal(graph("route").edge(START, "route").route("route", to(END), state -> END));
      assertLegal(graph("all").edge(START, "all").routeAll("all", to("all"), state -> List.of()));
      assertLegal(
          graph("sends").edge(START, "sends").fanOut("sends", to("sends"), state -> List.of()));
      assertLegal(graph("command").edge(START, "command").mayGoTo("command", END));
      assertLegal(graph("a", "b", "c")
          .edge(START, "a")
          .edge(START, "b")
          .join(Graph.all("a", "b"), "c")
          .edge("c", END));
    }

    @Test
    void mayBeForgottenAltogetherWhichIsTwoProblems() {
      assertProblems(
          graph("a", "forgotten").sequence(START, "a", END),
          tuple("SG-106", "compute(\"forgotten\", ...)", REACH_IT),
          tuple(
              "SG-107",
              "compute(\"forgotten\", ...)",
              "Add edge(\"forgotten\", END), or an edge to another node."));
    }

    @Test
    void mayGoRoundForEver() {
      assertLegal(graph("a", "b").sequence(START, "a", "b", "a"));
    }
  }

  @Nested
  class ARoute {

    @Test
    void hasTargets() {
      String fix = "Name every node that the router may choose: to(\"<node>\", ...).";

      assertOnly(
          graph("a").edge(START, "a").route("a", to(), state -> "a"),
          "SG-109",
          "route(\"a\", to(), ...)",
          fix);
      assertOnly(
          graph("a").edge(START, "a").routeAll("a", to(), state -> List.of()),
          "SG-109",
          "routeAll(\"a\", to(), ...)",
          fix);
      assertOnly(
          graph("a").edge(START, "a").fanOut("a", to(), state -> List.of()),
          "SG-109",
          "fanOut(\"a\", to(), ...)",
          fix);
    }

    @Test
    void mayHaveOneTargetOrTheSameTwice() {
      assertLegal(graph("a").edge(START, "a").route("a", to(END, END), state -> END));
    }

    @Test
    void mayStandBesideEdgesAndJoins() {
      assertLegal(graph("a", "b", "c")
          .edge(START, "a")
          .edge("a", "b")
          .route("a", to("b", END), state -> END)
          .join(Graph.all("a", "b"), "c")
          .edge("c", END));
    }

    @Test
    void isSaidOncePerNode() {
      assertOnly(
          graph("a", "b", "c")
              .edge(START, "a")
              .route("a", to("b"), state -> "b")
              .routeAll("a", to("c"), state -> List.of("c"))
              .edge("b", END)
              .edge("c", END),
          "SG-110",
          "routeAll(\"a\", to(\"c\"), ...)",
          "Remove the call, or change route(\"a\", to(\"b\"), ...).");
    }
  }

  @Nested
  class ASequence {

    @Test
    void hasAtLeastTwoNames() {
      String fix = "Name at least two: sequence(\"<node>\", \"<node>\").";

      assertOnly(
          graph("a").sequence(START, "a", END).sequence("a"), "SG-109", "sequence(\"a\")", fix);
      assertOnly(graph("a").sequence(START, "a", END).sequence(), "SG-109", "sequence()", fix);
    }

    @Test
    void repeatsNoEdge() {
      assertOnly(
          graph("a", "b").sequence(START, "a", END).sequence(START, "a", "b", END),
          "SG-110",
          "sequence(START, \"a\", \"b\", END)",
          "Remove one of the two; the first is sequence(START, \"a\", END).");
    }

    @Test
    void mayForkFromAnother() {
      assertLegal(graph("a", "b").sequence(START, "a", END).sequence("a", "b", END));
    }
  }

  @Test
  void anEdgeIsSaidOnce() {
    assertOnly(
        graph("a").edge(START, "a").edge("a", END).edge("a", END),
        "SG-110",
        "edge(\"a\", END)",
        "Remove one of the two; the first is edge(\"a\", END).");
  }

  @Test
  void aJoinIsSaidOnceInWhateverOrder() {
    assertOnly(
        graph("a", "b", "c")
            .edge(START, "a")
            .edge(START, "b")
            .edge("c", END)
            .join(Graph.all("a", "b"), "c")
            .join(Graph.all("b", "a"), "c"),
        "SG-110",
        "join(all(\"b\", \"a\"), \"c\")",
        "Remove the call, or change join(all(\"a\", \"b\"), \"c\").");
  }
}
