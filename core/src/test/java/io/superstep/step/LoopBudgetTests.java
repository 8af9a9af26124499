package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.Send;
import io.superstep.state.Channel;
import io.superstep.state.NodeOutput;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How the rounds of a loop are counted, whatever leads it back to its head, which counts too. */
class LoopBudgetTests {

  private static final Channel<Integer> ROUNDS = Channel.sum("rounds", Integer.class);
  private static final Budget THOUSAND_ROUNDS = Budget.of(1_000_000, 1_000);

  private final GraphBuilder builder = Graph.builder("loop")
      .channels(ROUNDS)
      .compute("long2", state -> Update.NOTHING)
      .compute("head", state -> Update.NOTHING)
      .compute("short", state -> Update.NOTHING)
      .compute("long1", state -> Update.NOTHING)
      .compute("out", state -> Update.NOTHING)
      .edge(START, "head")
      .edge("long1", "long2")
      .edge("out", END);

  private GraphBuilder headLeadsToBothBranches(int rounds) {
    return builder.routeAll(
        "head",
        Graph.to("short", "long1", "out"),
        state -> isLess(state, rounds) ? List.of("short", "long1") : List.of("out"));
  }

  private GraphBuilder headLeadsToTheShortBranch(int rounds) {
    return builder.route(
        "head",
        Graph.to("short", "long1", "out"),
        state -> isLess(state, rounds) ? "short" : "out");
  }

  private static boolean isLess(State state, int rounds) {
    return state.get(ROUNDS) < rounds;
  }

  private static Walk end(GraphBuilder builder, NodeOutput saidByShort) {
    Walk walk = Walk.open(builder.build()).with(THOUSAND_ROUNDS);
    while (!walk.position().isFinished()) {
      step(walk, saidByShort);
    }
    return walk;
  }

  private static void step(Walk walk, NodeOutput saidByShort) {
    walk.stepBy(task -> switch (task.node()) {
      case "head", "again" -> Update.of(ROUNDS, 1);
      case "short" -> saidByShort;
      default -> Update.NOTHING;
    });
  }

  private static void assertRounds(Walk end, int rounds) {
    assertThat(end.position().state().get(ROUNDS)).isEqualTo(rounds);
    assertThat(end.budget().rounds().values()).containsExactly(rounds - 1);
  }

  @Test
  @DisplayName("X.10 a round is one round if an edge leads back")
  void anEdgeLeadsBack() {
    GraphBuilder loop = headLeadsToTheShortBranch(600).edge("short", "head").edge("long2", END);

    assertRounds(end(loop, Update.NOTHING), 600);
  }

  @Test
  @DisplayName("X.10 a round is one round if a command leads back")
  void aCommandLeadsBack() {
    GraphBuilder loop = headLeadsToTheShortBranch(600).mayGoTo("short", "head").edge("long2", END);

    assertRounds(end(loop, Command.goTo("head")), 600);
  }

  @Test
  @DisplayName("X.10 a round is one round if many tasks lead back")
  void manyTasksLeadBack() {
    GraphBuilder loop = builder
        .fanOut(
            "head",
            Graph.to("short", "long1", "out"),
            state -> isLess(state, 600)
                ? List.of(Send.to("short"), Send.to("short"), Send.to("short"))
                : List.of(Send.to("out")))
        .edge("short", "head")
        .edge("long2", END);

    assertRounds(end(loop, Update.NOTHING), 600);
  }

  @Test
  @DisplayName("X.5 X.10 a round is one round if a join of unequal branches leads back")
  void aJoinLeadsBack() {
    GraphBuilder loop = headLeadsToBothBranches(600).join(Graph.all("short", "long2"), "head");

    assertRounds(end(loop, Update.NOTHING), 600);
  }

  @Test
  @DisplayName("E6 X.10 a round is one round if a deferred head is led back to step by step")
  void aDeferredHeadIsLedBackToStepByStep() {
    GraphBuilder loop =
        headLeadsToBothBranches(600).defer("head").edge("short", "head").edge("long2", "head");

    assertRounds(end(loop, Update.NOTHING), 600);
  }

  @Test
  @DisplayName("E7 X.10 a limit of as many visits as a loop has rounds takes its exit")
  void aLimitEndsTheLastRound() {
    GraphBuilder loop = headLeadsToTheShortBranch(1_000_000)
        .maxVisits("head", 1_000, "out")
        .edge("short", "head")
        .edge("long2", END);

    assertRounds(end(loop, Update.NOTHING), 1_000);
  }

  @Test
  @DisplayName("E7 X.10 an exit that leads back into the loop is part of it")
  void anExitLeadsBack() {
    GraphBuilder loop = headLeadsToTheShortBranch(1_000_000)
        .maxVisits("short", 1, "long1")
        .edge("short", "head")
        .edge("long2", "head");

    assertThatThrownBy(() -> end(loop, Update.NOTHING))
        .isInstanceOfSatisfying(StepLimitException.class, limit -> {
          assertThat(limit.problems().get(0).code()).isEqualTo("SG-132");
          assertThat(limit.loop()).contains("long2");
        });
  }

  @Test
  @DisplayName("X.10 two loops of 600 rounds both end with a budget of 1,000")
  void twoLoopsHaveABudgetEach() {
    GraphBuilder loops = headLeadsToTheShortBranch(600)
        .edge("short", "head")
        .edge("long2", END)
        .compute("again", state -> Update.NOTHING)
        .edge("out", "again")
        .route("again", Graph.to("again", END), state -> isLess(state, 1_200) ? "again" : END);

    Walk end = end(loops, Update.NOTHING);

    assertThat(end.budget().rounds()).isEqualTo(Map.of("head", 599, "again", 599));
  }

  @Test
  @DisplayName("X.10 the round after the last is refused, and runs with a fresh budget")
  void oneRoundTooManyIsRefused() {
    Graph loop = headLeadsToTheShortBranch(1_000_000)
        .edge("short", "head")
        .edge("long2", END)
        .build();
    Walk walk = Walk.open(loop).with(THOUSAND_ROUNDS);
    for (int step = 0; step < 2_000; step++) {
      step(walk, Update.NOTHING);
    }

    assertThat(walk.position().state().get(ROUNDS)).isEqualTo(1_000);
    assertThatThrownBy(walk::tasks)
        .isInstanceOf(StepLimitException.class)
        .hasMessageContaining("SG-132");
    step(walk.with(THOUSAND_ROUNDS), Update.NOTHING);
    assertThat(walk.position().state().get(ROUNDS)).isEqualTo(1_001);
  }

  @Test
  @DisplayName("X.10 a loop goes round once in a step, however many of its nodes start it over")
  void loopsAreCountedOncePerStep() {
    Budget spent = Budget.of(10, 2).afterStep(List.of("a", "b", "a"));

    assertThat(spent.steps()).isEqualTo(9);
    assertThat(spent.rounds()).isEqualTo(Map.of("a", 1, "b", 1));
    assertThat(spent.exhausted()).isNull();
    assertThat(spent.afterStep(List.of("b")).rounds()).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(spent.afterStep(List.of("b", "a")).exhausted()).isEqualTo("a");
  }
}
