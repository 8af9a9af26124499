package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;
import static io.superstep.step.Counted.COUNT;
import static io.superstep.step.Counted.TASK;
import static io.superstep.step.Counted.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.graph.Graph;
import io.superstep.graph.Send;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LimitsTests {

  private static final Update ONE_MORE = Update.of(COUNT, 1);

  /** A node that goes round until it has counted to {@code most}. */
  private static Graph counting(int most) {
    return nodes("tick")
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> state.get(COUNT) < most ? "tick" : END)
        .build();
  }

  private static Walk counted(Walk walk) {
    while (!walk.position().isFinished()) {
      walk.stepBy(task -> ONE_MORE);
    }
    return walk;
  }

  @Nested
  class Steps {

    @Test
    @DisplayName("E7 the step limit is 1,000 by default and fails only if work remains")
    void aThousandStepsAreEnoughForAThousand() {
      Walk enough = counted(Walk.open(counting(1_000)));
      Walk tooMany = Walk.open(counting(1_001)).with(Budget.of(1_000, 5_000));

      StepLimitException refused =
          catchThrowableOfType(StepLimitException.class, () -> counted(tooMany));

      assertThat(enough.steps()).hasSize(1_000);
      assertThat(refused.code()).isEqualTo("SG-131");
      assertThat(refused.loop()).isEmpty();
      assertThat(tooMany.position().state().get(COUNT)).isEqualTo(1_000);
    }

    @Test
    @DisplayName("X.7 a limit of 25 allows 25 steps and has an error type of its own")
    void aLimitOfTwentyFiveAllowsTwentyFive() {
      assertThat(counted(Walk.open(counting(25)).with(Budget.of(25, 100))).steps())
          .hasSize(25);
      assertThat(catchThrowableOfType(
              StepLimitException.class,
              () -> counted(Walk.open(counting(26)).with(Budget.of(25, 100)))))
          .isNotNull();
    }

    @Test
    @DisplayName("E7 a run that ran out of steps resumes with a fresh budget where it stood")
    void aFreshBudgetGoesOn() {
      Walk walk = Walk.open(counting(3)).with(Budget.of(2, 100));
      assertThatThrownBy(() -> counted(walk)).isInstanceOf(StepLimitException.class);

      counted(walk.with(Budget.of(2, 100)));

      assertThat(walk.position().state().get(COUNT)).isEqualTo(3);
      assertThat(walk.steps()).hasSize(3);
    }

    @Test
    @DisplayName("E7 what remains of the budget can be read")
    void theRemainingStepsCanBeRead() {
      Walk walk = Walk.open(counting(3)).with(Budget.of(10, 100));

      assertThat(walk.stepBy(task -> ONE_MORE).budget().steps()).isEqualTo(9);
      assertThat(walk.stepBy(task -> ONE_MORE).budget().steps()).isEqualTo(8);
    }
  }

  @Nested
  class Loops {

    private final Channel<Integer> second = Channel.sum("second", Integer.class);

    /** Two loops one after the other, the first of two nodes, each of {@code rounds} rounds. */
    private Graph twoLoops(int rounds) {
      return Graph.builder("two-loops")
          .channels(COUNT, second)
          .compute("write", state -> Update.NOTHING)
          .compute("review", state -> Update.NOTHING)
          .compute("polish", state -> Update.NOTHING)
          .sequence(START, "write", "review")
          .route(
              "review",
              to("write", "polish"),
              state -> state.get(COUNT) < rounds ? "write" : "polish")
          .route("polish", to("polish", END), state -> state.get(second) < rounds ? "polish" : END)
          .build();
    }

    private Walk walked(Walk walk) {
      while (!walk.position().isFinished()) {
        walk.stepBy(task -> switch (task.node()) {
          case "review" -> ONE_MORE;
          case "polish" -> Update.of(second, 1);
          default -> Update.NOTHING;
        });
      }
      return walk;
    }

    @Test
    @DisplayName("X.10 two loops of 600 with a budget of 1,000 iterations both finish")
    void eachLoopHasABudgetOfItsOwn() {
      Walk walk = walked(Walk.open(twoLoops(600)).with(Budget.of(10_000, 1_000)));

      assertThat(walk.position().state().get(COUNT)).isEqualTo(600);
      assertThat(walk.position().state().get(second)).isEqualTo(600);
    }

    @Test
    @DisplayName("X.10 a loop that goes round once more than it may is named")
    void aLoopThatGoesRoundTooOftenIsNamed() {
      Graph graph = twoLoops(4);

      assertThat(walked(Walk.open(graph).with(Budget.of(100, 4))).position().isFinished())
          .isTrue();
      StepLimitException refused = catchThrowableOfType(
          StepLimitException.class, () -> walked(Walk.open(graph).with(Budget.of(100, 3))));

      assertThat(refused.code()).isEqualTo("SG-132");
      assertThat(refused.loop()).contains("write");
      assertThat(graph.loop("write")).containsExactly("write", "review");
    }

    @Test
    @DisplayName("X.10 a loop that never ends is named, also by the default budget")
    void anEndlessLoopIsNamedByDefault() {
      Graph endless = nodes("tick").edge(START, "tick").edge("tick", "tick").build();

      StepLimitException refused = catchThrowableOfType(
          StepLimitException.class, () -> Walk.open(endless).toTheEnd());

      assertThat(refused.loop()).contains("tick");
    }

    @Test
    @DisplayName("X.10 a loop through a join is counted too")
    void aLoopThroughAJoinIsCounted() {
      Graph endless = nodes("split", "a", "b")
          .edge(START, "split")
          .edge("split", "a")
          .edge("split", "b")
          .join(all("a", "b"), "split")
          .build();

      StepLimitException refused = catchThrowableOfType(
          StepLimitException.class,
          () -> Walk.open(endless).with(Budget.of(1_000, 5)).toTheEnd());

      assertThat(refused.code()).isEqualTo("SG-132");
    }

    @Test
    @DisplayName("X.10 nodes outside of loops use up no iterations")
    void nodesOutsideOfLoopsAreFree() {
      Walk walk = Walk.open(
              nodes("a", "b", "c").sequence(START, "a", "b", "c", END).build())
          .with(Budget.of(10, 1));

      assertThat(walk.toTheEnd().steps()).hasSize(3);
    }
  }

  @Nested
  class Visits {

    private final Graph revising = nodes("write", "review", "publish")
        .edge(START, "write")
        .edge("write", "review")
        .route("review", to("write", "publish"), state -> "write")
        .edge("publish", END)
        .maxVisits("write", 3, "publish")
        .build();

    @Test
    @DisplayName("E7 a node is visited so often and no more, then its exit is taken")
    void theExitIsTakenInPlaceOfTheFourthVisit() {
      assertThat(Walk.open(revising).toTheEnd().steps())
          .containsExactly(
              List.of("write"),
              List.of("review"),
              List.of("write"),
              List.of("review"),
              List.of("write"),
              List.of("review"),
              List.of("publish"));
    }

    @Test
    @DisplayName("E7 visits are counted anew in the next turn")
    void theNextTurnCountsAnew() {
      Walk first = Walk.open(revising).toTheEnd();

      Walk second = Walk.from(
          revising,
          Superstep.open(revising, "thread-1@9-1", first.position().state(), Update.NOTHING)
              .position());

      assertThat(second.toTheEnd().steps()).hasSize(7);
    }

    @Test
    @DisplayName("E7 the exit may be END, and an exit may have a limit of its own")
    void exitsMayBeTheEndOrLimitedThemselves() {
      Graph graph = nodes("a", "b")
          .edge(START, "a")
          .edge("a", "a")
          .edge("b", "a")
          .maxVisits("a", 2, "b")
          .maxVisits("b", 1, END)
          .build();

      assertThat(Walk.open(graph).toTheEnd().steps())
          .containsExactly(List.of("a"), List.of("a"), List.of("b"));
    }

    @Test
    @DisplayName("E7 each send is a visit; those beyond the limit take the exit once")
    void sendsAreVisits() {
      Graph graph = nodes("plan", "worker", "rest")
          .edge(START, "plan")
          .fanOut(
              "plan",
              to("worker"),
              state -> IntStream.range(0, 5)
                  .mapToObj(n -> Send.to("worker", TASK, n))
                  .toList())
          .edge("worker", END)
          .edge("rest", END)
          .maxVisits("worker", 3, "rest")
          .build();

      assertThat(Walk.open(graph).step().nodes())
          .containsExactly("rest", "worker", "worker", "worker");
    }

    @Test
    @DisplayName("E7 triggers of one step are one visit")
    void triggersOfOneStepAreOneVisit() {
      Graph graph = nodes("a", "b", "m")
          .edge(START, "a")
          .edge(START, "b")
          .edge("a", "m")
          .edge("b", "m")
          .edge("m", END)
          .maxVisits("m", 1, END)
          .build();

      Walk walk = Walk.open(graph).step();

      assertThat(walk.nodes()).containsExactly("m");
      assertThat(walk.position().visits()).containsExactly(java.util.Map.entry("m", 1));
    }
  }
}
