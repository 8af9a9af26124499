package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.graph.Told.NOTHING;
import static io.superstep.graph.Told.assertLegal;
import static io.superstep.graph.Told.assertOnly;
import static io.superstep.graph.Told.assertProblems;
import static io.superstep.graph.Told.graph;
import static io.superstep.graph.Told.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.superstep.error.MessageText;
import io.superstep.error.Problem;
import io.superstep.state.Channel;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTests {

  @Nested
  class ANameThatNobodyDeclared {

    @Test
    void isToldWithTheCallAndTheNameThatWasMeant() {
      assertOnly(
          graph("triage", "reviewer")
              .sequence(START, "triage")
              .edge("triage", "reviwer")
              .edge("reviewer", END),
          "SG-102",
          "edge(\"triage\", \"reviwer\")",
          "Did you mean 'reviewer'?");
    }

    @Test
    void isOneProblemHoweverMuchHangsOnIt() {
      assertOnly(
          graph("intake", "triage", "reviewer", "publisher")
              .sequence(START, "intkae", END)
              .sequence("intake", "triage", "reviewer", "publisher", END),
          "SG-102",
          "sequence(START, \"intkae\", END)",
          "Did you mean 'intake'?");
    }

    @Test
    void isToldOncePerCall() {
      assertProblems(
          graph("alpha", "beta").sequence(START, "alpha").edge("alpha", "betta").edge("betta", END),
          tuple("SG-102", "edge(\"alpha\", \"betta\")", "Did you mean 'beta'?"),
          tuple("SG-102", "edge(\"betta\", END)", "Did you mean 'beta'?"));
    }

    @Test
    void isToldWithAllNamesWhereNoneIsNear() {
      assertOnly(
          graph("b", "a").sequence(START, "b", "a", END).edge("a", "elsewhere"),
          "SG-102",
          "edge(\"a\", \"elsewhere\")",
          "Use one of [a, b], or add node(\"elsewhere\", ...).");
    }

    @Test
    void isToldWithTwentyNamesWhereThereAreMore() {
      GraphBuilder graph = graph();
      for (int node = 10; node < 35; node++) {
        graph.compute("n" + node, NOTHING).sequence(START, "n" + node, END);
      }

      assertThat(problems(graph.edge("n10", "elsewhere")))
          .singleElement()
          .extracting(Problem::fix)
          .asString()
          .startsWith("Use one of [n10, n11,")
          .contains("n29] and 5 more, or add")
          .doesNotContain("n30");
    }

    @Test
    void makesNothingBehindItUnreachable() {
      assertOnly(
          graph("a", "b").sequence(START, "a", END).sequence("elsewhere", "b", END),
          "SG-102",
          "sequence(\"elsewhere\", \"b\", END)",
          "Use one of [a, b], or add node(\"elsewhere\", ...).");
    }

    @Test
    void bringsNobodyTogetherWhoMayNeverMeet() {
      Channel<?> status = Channel.value("status", String.class);

      assertThat(problems(graph("a", "b")
              .channels(status)
              .edge(START, END)
              .sequence("elsewhere", "a", END)
              .sequence("elsewhere", "b", END)
              .writes("a", status)
              .writes("b", status)))
          .extracting(Problem::code)
          .containsExactly("SG-102", "SG-102");
    }

    @Test
    void isGuessedAHundredTimesAtMost() {
      GraphBuilder graph = graph("reviewer").sequence(START, "reviewer", END);
      for (int slip = 101; slip <= 201; slip++) {
        graph.edge("reviewer", "reviewer" + slip);
      }

      assertThat(problems(graph))
          .extracting(Problem::fix)
          .hasSize(101)
          .startsWith("Did you mean 'reviewer'?")
          .endsWith("Use one of [reviewer], or add node(\"reviewer201\", ...).");
    }

    @Test
    void isFoundWhereverNamesAreGiven() {
      GraphBuilder graph = graph("a", "b").sequence(START, "a", "b", END);
      graph.route("x1", to("x2"), state -> "");
      graph.routeAll("a", to("x3"), state -> List.of());
      graph.fanOut("b", to("x4"), state -> List.of());
      graph.join(Graph.all("a", "x5"), "x6");
      graph.mayGoTo("x7", "a");
      graph.mayGoTo("a", "x8");
      graph.maxVisits("a", 1, "x9");
      graph.maxVisits("x10", 1, END);
      graph.writes("x11");
      graph.defer("b", "x12");
      graph.policy("x13", NodePolicy.NONE);
      graph.handler("x14", (state, failure) -> subscriber -> {});

      assertThat(problems(graph))
          .extracting(Problem::code, problem -> problem.what().split("'", -1)[1], Problem::where)
          .containsExactlyInAnyOrder(
              tuple("SG-102", "x1", "route(\"x1\", to(\"x2\"), ...)"),
              tuple("SG-102", "x2", "route(\"x1\", to(\"x2\"), ...)"),
              tuple("SG-102", "x3", "routeAll(\"a\", to(\"x3\"), ...)"),
              tuple("SG-102", "x4", "fanOut(\"b\", to(\"x4\"), ...)"),
              tuple("SG-102", "x5", "join(all(\"a\", \"x5\"), \"x6\")"),
              tuple("SG-102", "x6", "join(all(\"a\", \"x5\"), \"x6\")"),
              tuple("SG-102", "x7", "mayGoTo(\"x7\", \"a\")"),
              tuple("SG-102", "x8", "mayGoTo(\"a\", \"x8\")"),
              tuple("SG-102", "x9", "maxVisits(\"a\", 1, \"x9\")"),
              tuple("SG-102", "x10", "maxVisits(\"x10\", 1, END)"),
              tuple("SG-102", "x11", "writes(\"x11\")"),
              tuple("SG-102", "x12", "defer(\"b\", \"x12\")"),
              tuple("SG-102", "x13", "policy(\"x13\", ...)"),
              tuple("SG-102", "x14", "handler(\"x14\", ...)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"interruptBefore", "interruptAfter"})
    void isToldOfAnInterruptToo(String option) {
      GraphBuilder graph = graph("publish").sequence(START, "publish", END);

      assertOnly(
          option.equals("interruptBefore")
              ? graph.interruptBefore("publsh")
              : graph.interruptAfter("publsh"),
          "SG-102",
          option + "(\"publsh\")",
          "Did you mean 'publish'?");
    }

    @Test
    void mayBeDeclaredAfterItIsUsed() {
      assertLegal(Graph.builder("graph")
          .edge("a", END)
          .edge(START, "a")
          .interruptBefore("a")
          .compute("a", NOTHING));
    }
  }

  @Nested
  class TwoNodesOfOneName {

    @Test
    void areToldWithBothCalls() {
      assertOnly(
          graph("a").sequence(START, "a", END).blocking("a", NOTHING),
          "SG-103",
          "blocking(\"a\", ...)",
          "Rename one of the two; the first is compute(\"a\", ...).");
    }

    @Test
    void mayDifferInCase() {
      assertLegal(graph("a", "A").sequence(START, "a", "A", END));
    }
  }

  @Nested
  class ANameThatCannotBeUsed {

    private static final String RULE =
        "Start with a letter, then use letters, digits, '_', '-' and '.', up to 100 characters.";

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "1st", "_a", "-a", "a/b", "a\n", "a'", "\u0003end"})
    void isToldOfANode(String name) {
      assertOnly(
          graph(name).sequence(START, name, END),
          "SG-104",
          "compute(\"" + MessageText.name(name) + "\", ...)",
          RULE);
    }

    @Test
    void isToldOfAGraph() {
      assertOnly(
          Graph.builder("my graph").compute("a", NOTHING).sequence(START, "a", END),
          "SG-104",
          "Graph.builder(\"my graph\")",
          RULE);
      assertOnly(
          Graph.builder(END).compute("a", NOTHING).sequence(START, "a", END),
          "SG-104",
          "Graph.builder(END)",
          RULE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "Z9", "étape", "步骤", "a_b-c.d", "ending", "restart", "nulls"})
    void isNotOneOfThese(String name) {
      assertLegal(graph(name).sequence(START, name, END));
      assertThat(Graph.builder(name).edge(START, END).build().name()).isEqualTo(name);
    }

    @Test
    void hasMoreThanAHundredCharacters() {
      String longest = "n".repeat(100);

      assertLegal(graph(longest).sequence(START, longest, END));
      assertOnly(
          graph(longest + "n").sequence(START, longest + "n", END),
          "SG-104",
          "compute(\"" + longest + "n\", ...)",
          RULE);
    }

    @Test
    void isNull() {
      assertOnly(
          graph((String) null).sequence(START, null, END),
          "SG-104",
          "compute(\"null\", ...)",
          "Pass another name.");
      assertOnly(
          Graph.builder(null).edge(START, END),
          "SG-104",
          "Graph.builder(\"null\")",
          "Pass another name.");
    }

    @ParameterizedTest
    @DisplayName("X.9 the texts of START and END are illegal names of nodes")
    @ValueSource(strings = {START, END})
    void isTheTextOfStartOrEnd(String name) {
      assertOnly(
          graph("a").sequence(START, "a", END).compute(name, NOTHING).mayGoTo("a", END),
          "SG-104",
          "compute(" + (name.equals(START) ? "START" : "END") + ", ...)",
          "Remove the call; every graph has START and END.");
    }

    @ParameterizedTest
    @DisplayName("X.9 texts that could be taken for START or END are illegal names of nodes")
    @ValueSource(strings = {"END", "end", "End", "__end__", "START", "start", "__START__"})
    void looksLikeStartOrEnd(String name) {
      assertOnly(
          graph(name).sequence(START, name, END),
          "SG-104",
          "compute(\"" + name + "\", ...)",
          "Rename the node.");
    }
  }

  @Nested
  class StartAndEnd {

    private static final String USE_OF_END =
        "Use END as a target of edge, route or mayGoTo, or as the exit of maxVisits.";
    private static final String USE_OF_START =
        "Use START as the source of edge or route; to loop back, name the first node.";

    @Test
    @DisplayName("X.9 a text that looks like END is not END")
    void areNoTexts() {
      assertOnly(
          graph("send").sequence(START, "send", END).edge("send", "END"),
          "SG-102",
          "edge(\"send\", \"END\")",
          "Did you mean the constant END?");
      assertOnly(
          graph("star").edge("__start__", "star").edge("star", END),
          "SG-102",
          "edge(\"__start__\", \"star\")",
          "Did you mean the constant START?");
    }

    @Test
    @DisplayName("X.9 a text that looks like END is no slip of a node's name")
    void areNotTakenForNodesEither() {
      assertThat(problems(graph("a", "send").edge(START, "a").edge("a", "end").edge("send", END)))
          .extracting(Problem::code, Problem::where)
          .containsExactly(
              tuple("SG-102", "edge(\"a\", \"end\")"), tuple("SG-106", "compute(\"send\", ...)"));
    }

    @Test
    void endIsNoSource() {
      assertOnly(
          graph("a").sequence(START, "a", END).edge(END, "a"),
          "SG-105",
          "edge(END, \"a\")",
          USE_OF_END);
      assertOnly(
          graph("a").sequence(START, "a", END).route(END, to("a"), state -> "a"),
          "SG-105",
          "route(END, to(\"a\"), ...)",
          USE_OF_END);
      assertOnly(
          graph("a", "b")
              .sequence(START, "a", END)
              .join(Graph.all("a", END), "b")
              .edge("b", END),
          "SG-105",
          "join(all(\"a\", END), \"b\")",
          USE_OF_END);
    }

    @Test
    void startIsNoTarget() {
      assertOnly(
          graph("a").edge(START, "a").edge("a", START),
          "SG-105",
          "edge(\"a\", START)",
          USE_OF_START);
      assertOnly(
          graph("a").sequence(START, "a", END).maxVisits("a", 2, START),
          "SG-105",
          "maxVisits(\"a\", 2, START)",
          USE_OF_START);
      assertOnly(
          graph("a").edge(START, "a").mayGoTo("a", START),
          "SG-105",
          "mayGoTo(\"a\", START)",
          USE_OF_START);
    }

    @Test
    void areNeitherJoinedNorJoinOthers() {
      assertOnly(
          graph("a", "b").edge(START, "a").edge(START, "b").join(Graph.all("a", "b"), END),
          "SG-105",
          "join(all(\"a\", \"b\"), END)",
          USE_OF_END);
      assertOnly(
          graph("a", "b").edge(START, "a").join(Graph.all(START, "a"), "b").edge("b", END),
          "SG-105",
          "join(all(START, \"a\"), \"b\")",
          USE_OF_START);
    }

    @Test
    void takeNoOptions() {
      assertProblems(
          graph("a").sequence(START, "a", END).defer(END).interruptBefore(START),
          tuple("SG-105", "defer(END)", USE_OF_END),
          tuple("SG-105", "interruptBefore(START)", USE_OF_START));
    }

    @Test
    void nothingIsSentToEnd() {
      assertOnly(
          graph("a", "w")
              .edge(START, "a")
              .fanOut("a", to("w", END), state -> List.of())
              .edge("w", END),
          "SG-105",
          "fanOut(\"a\", to(\"w\", END), ...)",
          "Remove END from to(...); a router that returns no sends ends its branch.");
    }

    @Test
    void endIsATargetOfEverythingElse() {
      assertLegal(graph("a", "b", "c")
          .edge(START, "a")
          .edge("a", END)
          .route("a", to("b", "c", END), state -> END)
          .routeAll("b", to("a", END), state -> List.of(END))
          .mayGoTo("c", END)
          .maxVisits("a", 3, END));
    }

    @Test
    void startMayRoute() {
      assertLegal(graph("a", "b")
          .route(START, to("a", "b", END), state -> "a")
          .edge("a", END)
          .edge("b", END));
    }
  }
}
