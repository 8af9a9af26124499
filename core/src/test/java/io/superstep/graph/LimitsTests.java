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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTests {

  private static final String LEAD_OUT = "Name an exit node without maxVisits, or END.";

  @Nested
  @DisplayName("E7 a limit of visits")
  class OfVisits {

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void allowsAtLeastOne(int most) {
      assertOnly(
          graph("a").sequence(START, "a", END).maxVisits("a", most, END),
          "SG-114",
          "maxVisits(\"a\", " + most + ", END)",
          "Allow at least one visit.");
    }

    @Test
    void doesNotLeadBackToItself() {
      assertOnly(
          graph("a").sequence(START, "a", "a").maxVisits("a", 2, "a"),
          "SG-114",
          "maxVisits(\"a\", 2, \"a\")",
          LEAD_OUT);
    }

    @Test
    void doesNotLeadInACircleOfExits() {
      assertProblems(
          graph("in", "a", "b", "c")
              .sequence(START, "in", "a", "b", "c", END)
              .maxVisits("in", 1, "a")
              .maxVisits("a", 1, "b")
              .maxVisits("b", 1, "c")
              .maxVisits("c", 1, "a"),
          tuple("SG-114", "maxVisits(\"a\", 1, \"b\")", LEAD_OUT),
          tuple("SG-114", "maxVisits(\"b\", 1, \"c\")", LEAD_OUT),
          tuple("SG-114", "maxVisits(\"c\", 1, \"a\")", LEAD_OUT));
    }

    @Test
    void mayLeadFromExitToExitAndOut() {
      assertLegal(graph("a", "b", "c")
          .sequence(START, "a", "b", "c", "a")
          .maxVisits("a", 1, "b")
          .maxVisits("b", 1, "c")
          .maxVisits("c", 1, END));
    }

    @Test
    void mayShareAnExit() {
      assertLegal(graph("a", "b", "out")
          .sequence(START, "a", "b", "a")
          .edge("out", END)
          .maxVisits("a", 1, "out")
          .maxVisits("b", 1, "out"));
    }

    @Test
    void mayLeadToANodeThatLeadsBack() {
      assertLegal(
          graph("a", "b").sequence(START, "a", "b", "a").maxVisits("a", 3, "b").mayGoTo("b", END));
    }
  }

  @Nested
  @DisplayName("E6 a deferred node")
  class OfDeferredNodes {

    @Test
    void takesNoSends() {
      assertOnly(
          graph("a", "w", "v")
              .edge(START, "a")
              .fanOut("a", to("w", "v"), state -> List.of())
              .edge("w", END)
              .edge("v", END)
              .defer("v"),
          "SG-115",
          "fanOut(\"a\", to(\"w\", \"v\"), ...)",
          "Remove defer(\"v\"), or send to the nodes before it.");
    }

    @Test
    void isReachedByAllOtherWays() {
      assertLegal(graph("a", "b", "c", "d")
          .edge(START, "a")
          .route("a", to("b"), state -> "b")
          .routeAll("b", to("c"), state -> List.of("c"))
          .mayGoTo("c", "d")
          .edge("d", END)
          .defer("a", "b", "c", "d"));
    }

    @Test
    void maySend() {
      assertLegal(graph("a", "w")
          .edge(START, "a")
          .fanOut("a", to("w"), state -> List.of())
          .edge("w", END)
          .defer("a"));
    }
  }
}
