package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;
import static io.superstep.step.Counted.COUNT;
import static io.superstep.step.Counted.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.UnfilledJoin;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.state.Update;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EdgesAndJoinsTests {

  @Nested
  class Edges {

    @Test
    @DisplayName("E1 when a completes, b is due in the next step")
    void aSuccessorIsDueNext() {
      Walk walk = Walk.open(nodes("a", "b").sequence(START, "a", "b", END).build());

      assertThat(walk.nodes()).containsExactly("a");
      assertThat(walk.step().nodes()).containsExactly("b");
      assertThat(walk.step().position().isFinished()).isTrue();
    }

    @Test
    @DisplayName("E1 several predecessors in one step: one run")
    void predecessorsOfOneStepTriggerOneRun() {
      Graph diamond = nodes("a", "b", "c")
          .edge(START, "a")
          .edge(START, "b")
          .edge("a", "c")
          .edge("b", "c")
          .edge("c", END)
          .build();

      assertThat(Walk.open(diamond).toTheEnd().steps())
          .containsExactly(List.of("a", "b"), List.of("c"));
    }

    @Test
    @DisplayName("E1 predecessors in different steps: a run each time")
    void predecessorsOfDifferentStepsTriggerARunEach() {
      Graph unequal = nodes("a", "b", "b2", "c")
          .edge(START, "a")
          .edge(START, "b")
          .edge("b", "b2")
          .edge("a", "c")
          .edge("b2", "c")
          .edge("c", END)
          .build();

      assertThat(Walk.open(unequal).toTheEnd().steps())
          .containsExactly(List.of("a", "b"), List.of("b2", "c"), List.of("c"));
    }

    @Test
    @DisplayName("E1 nodes of a step stand in the order of their declaration, not of their edges")
    void planOrderIsTheOrderOfDeclaration() {
      Graph graph = nodes("a", "b", "c")
          .edge(START, "c")
          .edge(START, "a")
          .edge(START, "b")
          .sequence("a", END)
          .sequence("b", END)
          .sequence("c", END)
          .build();

      assertThat(Walk.open(graph).nodes()).containsExactly("a", "b", "c");
    }

    @Test
    void allTasksOfAStepAreFoldedInPlanOrderWhateverFinishedFirst() {
      Graph graph = nodes("a", "b")
          .edge(START, "a")
          .edge(START, "b")
          .edge("a", END)
          .edge("b", END)
          .build();
      Walk walk = Walk.open(graph);
      List<Outcome> backwards = List.of(
          Outcome.completed(walk.tasks().get(1), Update.append(Counted.LOG, "b")),
          Outcome.completed(walk.tasks().get(0), Update.append(Counted.LOG, "a")));

      StepResult result = Superstep.commit(graph, walk.position(), backwards);

      assertThat(((StepResult.Committed) result).position().state().get(Counted.LOG))
          .containsExactly("a", "b");
    }
  }

  @Nested
  class Joins {

    private final Graph unequal = nodes("a", "b", "b2", "m")
        .edge(START, "a")
        .edge(START, "b")
        .edge("b", "b2")
        .join(all("a", "b2"), "m")
        .edge("m", END)
        .build();

    @Test
    @DisplayName("X.5 a join of branches of unequal length runs once, after both")
    void branchesOfUnequalLengthMeetOnce() {
      assertThat(Walk.open(unequal).toTheEnd().steps())
          .containsExactly(List.of("a", "b"), List.of("b2"), List.of("m"));
    }

    @Test
    @DisplayName(
        "X.25 a join is not ready at a checkpoint between its sources, and fires once after")
    void aJoinIsNotReadyWhileASourceIsMissing() {
      Walk walk = Walk.open(unequal).step();
      Walk restored = Walk.from(unequal, walk.position());

      assertThat(restored.nodes()).containsExactly("b2");
      assertThat(Superstep.unfilledJoins(unequal, restored.position()))
          .containsExactly(new UnfilledJoin("m", List.of("a"), List.of("b2")));
      assertThat(restored.step().nodes()).containsExactly("m");
      assertThat(Superstep.unfilledJoins(unequal, restored.position())).isEmpty();
      assertThat(restored.step().position().isFinished()).isTrue();
    }

    @Test
    @DisplayName("E2 a join resets when it fires, so it works in loops")
    void aJoinWorksInLoops() {
      Graph loop = nodes("split", "a", "b", "m")
          .edge(START, "split")
          .edge("split", "a")
          .edge("split", "b")
          .join(all("a", "b"), "m")
          .route("m", to("split", END), state -> state.get(COUNT) < 2 ? "split" : END)
          .build();
      Walk walk = Walk.open(loop);
      for (int round = 0; round < 2; round++) {
        walk.step().step().step("m", Update.of(COUNT, 1));
      }

      assertThat(walk.position().isFinished()).isTrue();
      assertThat(walk.steps())
          .containsExactly(
              List.of("split"),
              List.of("a", "b"),
              List.of("m"),
              List.of("split"),
              List.of("a", "b"),
              List.of("m"));
    }

    @Test
    @DisplayName("E2 a source that completes twice counts once")
    void aSourceThatCompletesTwiceCountsOnce() {
      Graph loop = nodes("a", "b", "c", "m")
          .edge(START, "a")
          .edge(START, "b")
          .route("a", to("a", "c"), state -> state.get(COUNT) < 2 ? "a" : "c")
          .edge("b", END)
          .join(all("a", "c"), "m")
          .edge("m", END)
          .build();

      Walk walk = Walk.open(loop)
          .step("a", Update.of(COUNT, 1))
          .step("a", Update.of(COUNT, 1))
          .step();

      assertThat(walk.nodes()).containsExactly("m");
    }

    @Test
    @DisplayName("E2 a goTo of a source does not count towards the join")
    void goingElsewhereDoesNotCount() {
      Graph graph = nodes("a", "b", "m", "other")
          .edge(START, "a")
          .edge(START, "b")
          .join(all("a", "b"), "m")
          .mayGoTo("a", "other")
          .sequence("m", END)
          .sequence("other", END)
          .build();

      Walk walk = Walk.open(graph).step("a", Command.goTo("other"));

      assertThat(walk.nodes()).containsExactly("other");
      assertThat(walk.step().position().isFinished()).isTrue();
      assertThat(Superstep.unfilledJoins(graph, walk.position()))
          .containsExactly(new UnfilledJoin("m", List.of("b"), List.of("a")));
    }

    @Test
    @DisplayName("E2 a join left partly filled is empty again in the next turn")
    void theNextTurnBeginsWithEmptyJoins() {
      Graph graph = nodes("a", "b", "m")
          .routeAll(
              START, to("a", "b"), state -> state.get(COUNT) == 1 ? List.of("a") : List.of("b"))
          .join(all("a", "b"), "m")
          .edge("m", END)
          .build();
      Walk first = Walk.open(graph, Update.of(COUNT, 1)).toTheEnd();

      StepResult.Committed second =
          Superstep.open(graph, "thread-1@4-1", first.position().state(), Update.of(COUNT, 1));
      Walk turn = Walk.from(graph, second.position()).toTheEnd();

      assertThat(turn.steps()).containsExactly(List.of("b"));
      assertThat(Superstep.unfilledJoins(graph, turn.position()))
          .containsExactly(new UnfilledJoin("m", List.of("b"), List.of("a")));
    }

    @Test
    @DisplayName("E2 two joins into one node are told apart")
    void twoJoinsIntoOneNodeAreToldApart() {
      Graph graph = nodes("a", "b", "c", "m")
          .routeAll(START, to("a", "b", "c"), state -> List.of("a", "c"))
          .join(all("a", "b"), "m")
          .join(all("b", "c"), "m")
          .edge("m", END)
          .build();

      Walk walk = Walk.open(graph).step();

      assertThat(walk.position().isFinished()).isTrue();
      assertThat(Superstep.unfilledJoins(graph, walk.position()))
          .containsExactly(
              new UnfilledJoin("m", List.of("a"), List.of("b")),
              new UnfilledJoin("m", List.of("c"), List.of("b")));
    }
  }

  @Nested
  class DeferredNodes {

    @Test
    @DisplayName("E6 a deferred node runs once, when nothing else is due")
    void aDeferredNodeWaitsForEverybody() {
      Graph graph = nodes("a", "b", "b2", "report")
          .edge(START, "a")
          .edge(START, "b")
          .edge("b", "b2")
          .edge("a", "report")
          .edge("b2", "report")
          .edge("report", END)
          .defer("report")
          .build();

      assertThat(Walk.open(graph).toTheEnd().steps())
          .containsExactly(List.of("a", "b"), List.of("b2"), List.of("report"));
    }

    @Test
    @DisplayName("E6 pending sends come before a deferred node")
    void pendingSendsComeFirst() {
      Graph graph = nodes("plan", "worker", "report")
          .edge(START, "plan")
          .edge("plan", "report")
          .fanOut(
              "plan",
              to("worker"),
              state -> List.of(
                  io.superstep.graph.Send.to("worker"), io.superstep.graph.Send.to("worker")))
          .edge("worker", "report")
          .edge("report", END)
          .defer("report")
          .build();

      assertThat(Walk.open(graph).toTheEnd().steps())
          .containsExactly(List.of("plan"), List.of("worker", "worker"), List.of("report"));
    }

    @Test
    @DisplayName("E6 what a deferred node leads to runs before one that is still deferred")
    void aDeferredNodeMayLeadOn() {
      Graph graph = nodes("a", "late", "after", "later")
          .edge(START, "a")
          .edge("a", "late")
          .edge("late", "after")
          .edge("late", "later")
          .edge("after", END)
          .edge("later", END)
          .defer("late", "later")
          .build();

      assertThat(Walk.open(graph).toTheEnd().steps())
          .containsExactly(List.of("a"), List.of("late"), List.of("after"), List.of("later"));
    }
  }

  @Test
  void theSamePositionGivesTheSamePlan() {
    Walk walk = Walk.open(nodes("a", "b").sequence(START, "a", "b", END).build());

    assertThat(walk.tasks()).isEqualTo(walk.tasks());
    assertThat(walk.tasks().get(0).id()).isEqualTo("thread-1@1-1/1/0/a");
    assertThat(walk.step(Map.of()).tasks().get(0).id()).isEqualTo("thread-1@1-1/2/0/b");
  }
}
