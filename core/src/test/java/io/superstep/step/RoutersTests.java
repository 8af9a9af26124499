package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.step.Counted.COUNT;
import static io.superstep.step.Counted.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.graph.Graph;
import io.superstep.graph.Send;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutersTests {

  @Test
  @DisplayName(
      "E3 a router sees the state with all updates of the step, also of nodes after its own")
  void aRouterSeesTheStateOfTheWholeStep() {
    Graph graph = nodes("a", "b", "low", "high")
        .edge(START, "a")
        .edge(START, "b")
        .route("a", to("low", "high"), state -> state.get(COUNT) > 1 ? "high" : "low")
        .edge("b", END)
        .edge("low", END)
        .edge("high", END)
        .build();

    Walk walk =
        Walk.open(graph).step(java.util.Map.of("a", Update.of(COUNT, 1), "b", Update.of(COUNT, 1)));

    assertThat(walk.nodes()).containsExactly("high");
  }

  @Test
  @DisplayName("E3 a router is asked once per node and step, however many tasks the node has")
  void aRouterIsAskedOncePerNode() {
    AtomicInteger asked = new AtomicInteger();
    Graph graph = nodes("plan", "worker", "done")
        .edge(START, "plan")
        .fanOut(
            "plan",
            to("worker"),
            state -> List.of(Send.to("worker"), Send.to("worker"), Send.to("worker")))
        .route("worker", to("done"), state -> {
          asked.incrementAndGet();
          return "done";
        })
        .edge("done", END)
        .build();

    Walk walk = Walk.open(graph).step().step();

    assertThat(asked).hasValue(1);
    assertThat(walk.nodes()).containsExactly("done");
  }

  @Test
  @DisplayName("E3 a router returns a name, several names, sends, or END")
  void aRouterReturnsNamesSendsOrTheEnd() {
    Graph graph = nodes("one", "several", "sending", "x", "y")
        .routeAll(
            START, to("one", "several", "sending"), state -> List.of("several", "one", "sending"))
        .route("one", to("x", END), state -> END)
        .routeAll("several", to("x", "y", END), state -> List.of("y", "x", END, "x"))
        .fanOut("sending", to("x"), state -> List.of(Send.to("x")))
        .edge("x", END)
        .edge("y", END)
        .build();

    Walk walk = Walk.open(graph);

    assertThat(walk.nodes()).containsExactly("one", "several", "sending");
    assertThat(walk.step().nodes()).containsExactly("x", "y", "x");
    assertThat(walk.step().position().isFinished()).isTrue();
  }

  @Test
  @DisplayName("E3 the entry can be conditional, on the state with the input in it")
  void theEntryCanBeConditional() {
    Graph graph = nodes("small", "large")
        .route(START, to("small", "large"), state -> state.get(COUNT) > 9 ? "large" : "small")
        .edge("small", END)
        .edge("large", END)
        .build();

    assertThat(Walk.open(graph, Update.of(COUNT, 10)).nodes()).containsExactly("large");
    assertThat(Walk.open(graph, Update.of(COUNT, 1)).nodes()).containsExactly("small");
  }

  @ParameterizedTest
  @ValueSource(strings = {"END", "end", "__end__", "small ", "nowhere", "unlisted", ""})
  @DisplayName("X.9 a route to a text that is not a declared target is an error, not termination")
  void aTextThatIsNoTargetIsAnError(String text) {
    Graph graph = nodes("small", "unlisted")
        .edge(START, "small")
        .edge(START, "unlisted")
        .route("small", to("small", END), state -> text)
        .edge("unlisted", END)
        .build();
    Walk walk = Walk.open(graph);

    InvalidRouteException refused = catchThrowableOfType(InvalidRouteException.class, walk::step);

    assertThat(refused.code()).isEqualTo("SG-121");
    assertThat(refused.node()).isEqualTo("small");
    assertThat(refused.problems().get(0).where()).isEqualTo("the route of node 'small'");
    assertThat(refused.problems().get(0).fix()).contains("Use one of [END, small].");
  }

  @Test
  @DisplayName("E3 null is refused, from each kind of router")
  void nullIsRefused() {
    List<Graph> graphs = new ArrayList<>();
    graphs.add(nodes("a").route(START, to("a"), state -> null).edge("a", END).build());
    graphs.add(nodes("a").routeAll(START, to("a"), state -> null).edge("a", END).build());
    graphs.add(nodes("a").fanOut(START, to("a"), state -> null).edge("a", END).build());
    graphs.add(nodes("a")
        .fanOut(START, to("a"), state -> java.util.Arrays.asList(Send.to("a"), null))
        .edge("a", END)
        .build());

    for (Graph graph : graphs) {
      InvalidRouteException refused =
          catchThrowableOfType(InvalidRouteException.class, () -> Walk.open(graph));

      assertThat(refused.code()).isEqualTo("SG-121");
      assertThat(refused.node()).isEqualTo("START");
      assertThat(refused).hasMessageContaining("The router returned null.");
    }
  }

  @Test
  @DisplayName("E3 a misspelt target is told with the one that was meant")
  void aMisspeltTargetIsGuessed() {
    Graph graph = nodes("reviewer")
        .route(START, to("reviewer", END), state -> "reviwer")
        .edge("reviewer", END)
        .build();

    InvalidRouteException refused =
        catchThrowableOfType(InvalidRouteException.class, () -> Walk.open(graph));

    assertThat(refused.problems().get(0).fix())
        .isEqualTo("Did you mean 'reviewer'? Use one of [END, reviewer].");
  }

  @Test
  @DisplayName("E3 a text that could not be a name may be private, and is not shown")
  void aTextThatIsNoNameIsNotShown() {
    Graph graph = nodes("a")
        .route(START, to("a"), state -> "patient Jane Doe\nSG-999")
        .edge("a", END)
        .build();

    InvalidRouteException refused =
        catchThrowableOfType(InvalidRouteException.class, () -> Walk.open(graph));

    assertThat(refused)
        .hasMessageContaining("a text of 23 characters that is no name")
        .hasMessageNotContaining("Jane");
  }

  @Test
  @DisplayName("E3 whatever a router throws is told as its failure")
  void whateverARouterThrowsIsTold() {
    Graph graph = nodes("a")
        .route(START, to("a"), state -> {
          throw new AssertionError("odd");
        })
        .edge("a", END)
        .build();

    assertThat(catchThrowableOfType(InvalidRouteException.class, () -> Walk.open(graph))
            .code())
        .isEqualTo("SG-122");
  }

  @Test
  @DisplayName("E3 a router that throws leaves the step uncommitted, and is asked again")
  void aRouterThatThrowsLeavesTheStepUncommitted() {
    AtomicInteger asked = new AtomicInteger();
    Graph graph = nodes("a", "b")
        .edge(START, "a")
        .route("a", to("b"), state -> {
          if (asked.incrementAndGet() == 1) {
            throw new IllegalStateException("not yet");
          }
          return "b";
        })
        .edge("b", END)
        .build();
    Walk walk = Walk.open(graph);
    List<Outcome> outcomes = List.of(Outcome.completed(walk.tasks().get(0), Update.of(COUNT, 1)));

    InvalidRouteException refused = catchThrowableOfType(
        InvalidRouteException.class, () -> Superstep.commit(graph, walk.position(), outcomes));
    StepResult again = Superstep.commit(graph, walk.position(), outcomes);

    assertThat(refused.code()).isEqualTo("SG-122");
    assertThat(refused).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(walk.position().state().get(COUNT)).isZero();
    assertThat(((StepResult.Committed) again).position().state().get(COUNT)).isEqualTo(1);
    assertThat(((StepResult.Committed) again).position().nodes()).containsExactly("b");
  }
}
