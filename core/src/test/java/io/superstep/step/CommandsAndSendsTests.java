package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.step.Counted.COUNT;
import static io.superstep.step.Counted.LOG;
import static io.superstep.step.Counted.TASK;
import static io.superstep.step.Counted.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.graph.Chunk;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.Send;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CommandsAndSendsTests {

  @Nested
  class Commands {

    private final Graph graph = nodes("a", "b", "c", "d")
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .edge("c", END)
        .edge("d", END)
        .mayGoTo("a", "c", "d", END)
        .build();

    @Test
    @DisplayName("E4 goTo replaces the node's own edges")
    void goToReplacesTheEdges() {
      assertThat(Walk.open(graph).step("a", Command.goTo("c")).nodes()).containsExactly("c");
      assertThat(Walk.open(graph).step("a", Command.goTo("d", "c")).nodes())
          .containsExactly("c", "d");
      assertThat(Walk.open(graph).step("a", Command.goTo(END)).position().isFinished())
          .isTrue();
    }

    @Test
    @DisplayName("E4 without goTo a command follows the node's own edges")
    void withoutGoToTheEdgesAreFollowed() {
      assertThat(Walk.open(graph).step("a", Command.send(Send.to("c"))).nodes())
          .containsExactly("b", "c");
    }

    @Test
    @DisplayName("X.2 the update of a command is applied once")
    void theUpdateIsAppliedOnce() {
      Walk walk = Walk.open(graph).step("a", Command.goTo("c").with(Update.of(COUNT, 1)));

      assertThat(walk.position().state().get(COUNT)).isEqualTo(1);
    }

    @Test
    @DisplayName("E4 goTo is for one task: another task of the node follows its edges")
    void goToIsForOneTask() {
      Graph sending = nodes("plan", "worker", "next", "other")
          .edge(START, "plan")
          .fanOut("plan", to("worker"), state -> List.of(Send.to("worker"), Send.to("worker")))
          .edge("worker", "next")
          .mayGoTo("worker", "other")
          .edge("next", END)
          .edge("other", END)
          .build();

      Walk walk = Walk.open(sending)
          .step()
          .stepBy(task -> task.index() == 0 ? Command.goTo("other") : Update.NOTHING);

      assertThat(walk.nodes()).containsExactly("next", "other");
    }

    @Test
    @DisplayName("E4 updates, commands and chunks of one task count as one, in their order")
    void allThatATaskSaysCountsAsOne() {
      Walk walk = Walk.open(graph);
      Outcome outcome = Outcome.completed(
          walk.tasks().get(0),
          List.of(
              new Chunk("to"),
              Update.append(LOG, "first"),
              Command.goTo("c").with(Update.append(LOG, "second")),
              new Chunk("ken"),
              Command.send(Send.to("d"))));

      Position next = ((StepResult.Committed)
              Superstep.commit(graph, walk.position(), List.of(outcome)))
          .position();

      assertThat(next.state().get(LOG)).containsExactly("first", "second");
      assertThat(next.nodes()).containsExactly("c", "d");
    }

    @Test
    @DisplayName("E4 a target that was not declared is refused, and the step is not committed")
    void anUndeclaredTargetIsRefused() {
      Walk walk = Walk.open(graph);

      for (Command command : List.of(
          Command.goTo("b"),
          Command.goTo("nowhere"),
          Command.send(Send.to("b")),
          Command.send(Send.to(END)))) {
        InvalidRouteException refused = catchThrowableOfType(
            InvalidRouteException.class, () -> walk.step("a", command.with(Update.of(COUNT, 1))));

        assertThat(refused.code()).isEqualTo("SG-123");
        assertThat(refused.node()).isEqualTo("a");
        assertThat(refused.problems().get(0).where()).isEqualTo("the command of node 'a'");
        assertThat(refused.problems().get(0).fix()).contains("mayGoTo(\"a\"");
        assertThat(walk.position().state().get(COUNT)).isZero();
        assertThat(walk.nodes()).containsExactly("a");
      }
    }

    @Test
    void aCommandCannotSendToADeferredNode() {
      Graph deferring = nodes("a", "late")
          .edge(START, "a")
          .mayGoTo("a", "late")
          .edge("late", END)
          .defer("late")
          .build();

      InvalidRouteException refused = catchThrowableOfType(
          InvalidRouteException.class,
          () -> Walk.open(deferring).step("a", Command.send(Send.to("late"))));

      assertThat(refused.code()).isEqualTo("SG-125");
      assertThat(Walk.open(deferring).step("a", Command.goTo("late")).nodes())
          .containsExactly("late");
    }

    @Test
    @DisplayName("E14 a command can address the parent, which ends the inner graph")
    void aCommandCanAddressTheParent() {
      Walk walk =
          Walk.open(graph).step("a", Command.goTo("escalate").inParent().with(Update.of(COUNT, 1)));

      assertThat(walk.position().isFinished()).isTrue();
      assertThat(walk.position().state().get(COUNT)).isEqualTo(1);
      assertThat(walk.last().toParent()).contains(Command.goTo("escalate"));
      assertThat(Walk.open(graph).step().last().toParent()).isEmpty();
    }

    @Test
    @DisplayName(
        "E14 directions for both graphs at once are refused, and what a parent's drop is told")
    void directionsForBothGraphsAreRefused() {
      Task task = Walk.open(graph).tasks().get(0);

      InvalidRouteException refused = catchThrowableOfType(
          InvalidRouteException.class,
          () -> Outcome.completed(
              task, List.of(Command.goTo("c"), Command.goTo("escalate").inParent())));
      Graph pair = nodes("a", "b", "next")
          .edge(START, "a")
          .edge(START, "b")
          .edge("a", END)
          .edge("b", "next")
          .edge("next", END)
          .build();

      assertThat(refused.code()).isEqualTo("SG-124");
      assertThat(Walk.open(pair).step("a", Command.goTo("x").inParent()).last().dropped())
          .containsExactly(Due.by("next"));
    }

    @Test
    @DisplayName("E4 a node that only commands lead on from must say where to go")
    void aNodeWithoutEdgesMustSayWhereToGo() {
      Graph commanded =
          nodes("a", "b").edge(START, "a").mayGoTo("a", "b", END).edge("b", END).build();

      InvalidRouteException refused = catchThrowableOfType(
          InvalidRouteException.class, () -> Walk.open(commanded).step());

      assertThat(refused.code()).isEqualTo("SG-127");
      assertThat(refused.problems().get(0).fix()).contains("[END, b]");
      assertThat(Walk.open(commanded).step("a", Command.goTo(END)).position().isFinished())
          .isTrue();
      assertThat(Walk.open(commanded).step("a", Command.send(Send.to("b"))).nodes())
          .containsExactly("b");
    }

    @Test
    @DisplayName(
        "E16 what a handler said takes the place of the failed outcome: edges, or its goTo")
    void aHandlersOutcomeIsFollowedLikeANodes() {
      Graph handled = nodes("a", "b", "apology")
          .edge(START, "a")
          .edge("a", "b")
          .edge("b", END)
          .edge("apology", END)
          .mayGoTo("a", "apology")
          .handler("a", (state, failure) -> subscriber -> {})
          .build();

      assertThat(Walk.open(handled).step("a", Update.append(LOG, "handled")).nodes())
          .containsExactly("b");
      assertThat(Walk.open(handled).step("a", Command.goTo("apology")).nodes())
          .containsExactly("apology");
    }
  }

  @Nested
  class Sends {

    private final Graph jokes = nodes("plan", "joke", "best")
        .edge(START, "plan")
        .fanOut(
            "plan",
            to("joke"),
            state -> IntStream.rangeClosed(1, 3)
                .mapToObj(n -> Send.to("joke", TASK, n))
                .toList())
        .edge("joke", "best")
        .edge("best", END)
        .build();

    private Walk joking() {
      return Walk.open(jokes).step();
    }

    private Update tell(Task task, Walk walk) {
      int number = task.sees(walk.position().state()).get(TASK);
      return Update.append(LOG, "joke " + number);
    }

    @Test
    @DisplayName("X.3 three subjects, three parallel jokes, one reduce step that sees three")
    void sendsRunInParallelAndFollowTheirEdges() {
      Walk walk = joking();
      walk.stepBy(task -> tell(task, walk));

      assertThat(walk.nodes()).containsExactly("best");
      assertThat(walk.position().state().get(LOG)).containsExactly("joke 1", "joke 2", "joke 3");
      assertThat(walk.step().steps())
          .containsExactly(List.of("plan"), List.of("joke", "joke", "joke"), List.of("best"));
    }

    @Test
    @DisplayName("E5 results are folded in send order, whatever finishes first")
    void resultsAreFoldedInSendOrder() {
      Walk walk = joking();
      List<Outcome> outcomes = new ArrayList<>();
      walk.tasks().forEach(task -> outcomes.add(Outcome.completed(task, tell(task, walk))));
      Collections.reverse(outcomes);

      Position next =
          ((StepResult.Committed) Superstep.commit(jokes, walk.position(), outcomes)).position();

      assertThat(next.state().get(LOG)).containsExactly("joke 1", "joke 2", "joke 3");
    }

    @Test
    @DisplayName("X.4 arguments are visible to their task only and never part of the shared state")
    void argumentsAreVisibleToTheirTaskOnly() {
      Walk walk = joking();

      assertThat(walk.tasks())
          .extracting(task -> task.sees(walk.position().state()).get(TASK))
          .containsExactly(1, 2, 3);
      assertThat(walk.position().state().get(TASK)).isZero();
      assertThat(walk.step().position().state().get(TASK)).isZero();
    }

    @Test
    @DisplayName("E5 sends of commands and routers stand after nodes that are due by edges")
    void sendsStandAfterEdges() {
      Graph graph = nodes("worker", "a", "b", "z")
          .edge(START, "a")
          .edge(START, "b")
          .edge("a", "z")
          .mayGoTo("a", "worker")
          .fanOut("b", to("worker"), state -> List.of(Send.to("worker", TASK, 3)))
          .edge("worker", END)
          .edge("z", END)
          .build();

      Walk walk = Walk.open(graph)
          .step("a", Command.send(Send.to("worker", TASK, 1), Send.to("worker", TASK, 2)));

      assertThat(walk.nodes()).containsExactly("z", "worker", "worker", "worker");
      assertThat(walk.tasks())
          .extracting(task -> task.sees(walk.position().state()).get(TASK))
          .containsExactly(0, 1, 2, 3);
    }

    @Test
    @DisplayName("E5 writing an argument is an error")
    void writingAnArgumentIsAnError() {
      Walk walk = joking();

      InvalidUpdateException refused = catchThrowableOfType(
          InvalidUpdateException.class, () -> walk.step("joke", Update.of(TASK, 9)));

      assertThat(refused.code()).isEqualTo("SG-217");
      assertThat(walk.nodes()).containsExactly("joke", "joke", "joke");
    }

    @Test
    @DisplayName("E5 what is no argument, or of another type, does not travel with a send")
    void onlyArgumentsTravel() {
      Graph graph = nodes("a", "worker")
          .edge(START, "a")
          .mayGoTo("a", "worker")
          .edge("worker", END)
          .build();

      for (var wrong : List.of(
          new Misfit("SG-218", Update.of(COUNT, 1)),
          new Misfit("SG-201", Update.of("task", "one")),
          new Misfit("SG-211", Update.of("tsak", 1)))) {
        InvalidUpdateException refused = catchThrowableOfType(
            InvalidUpdateException.class,
            () -> Walk.open(graph).step("a", Command.send(Send.to("worker", wrong.arguments))));

        assertThat(refused.code()).isEqualTo(wrong.code);
        assertThat(refused.writer()).contains("a");
      }
    }

    @Test
    @DisplayName("E5 an argument has to pass the check of its channel")
    void argumentsAreChecked() {
      Channel<Integer> positive = Channel.value("positive", Integer.class)
          .startingAt(1)
          .validated("Not positive.", number -> number > 0)
          .argument();
      Graph checked = Graph.builder("checked")
          .channels(positive)
          .compute("worker", state -> Update.NOTHING)
          .fanOut(START, to("worker"), state -> List.of(Send.to("worker", positive, -1)))
          .edge("worker", END)
          .build();

      InvalidUpdateException refused =
          catchThrowableOfType(InvalidUpdateException.class, () -> Walk.open(checked));

      assertThat(refused.code()).isEqualTo("SG-214");
    }

    private record Misfit(String code, Update arguments) {}

    @Test
    @DisplayName("E5 a node due by an edge and by a send runs for each")
    void anEdgeAndASendAreTwoTasks() {
      Graph graph = nodes("a", "worker")
          .edge(START, "a")
          .edge("a", "worker")
          .fanOut("a", to("worker"), state -> List.of(Send.to("worker", TASK, 7)))
          .edge("worker", END)
          .build();

      Walk walk = Walk.open(graph).step();

      assertThat(walk.nodes()).containsExactly("worker", "worker");
      assertThat(walk.tasks()).extracting(Task::arguments).element(0).isNull();
    }
  }
}
