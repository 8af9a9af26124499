package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.graph.Chunk;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodePolicy;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;

class SubgraphTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static RunResult run(Graph graph, Update input) {
    return GraphRunner.of(graph).run(input).block(PATIENCE);
  }

  @Test
  @DisplayName("E14 a subgraph's updates flow up, not its whole state")
  void updatesFlowUp() {
    Graph inner = graph()
        .compute("a", state -> Update.append(LOG, "inner sees " + state.get(LOG).size()))
        .compute(
            "b", state -> Update.append(LOG, "then " + state.get(LOG).size()).and(COUNT, 1))
        .sequence(START, "a", "b", END)
        .build();
    Graph outer = graph()
        .compute("before", state -> Update.append(LOG, "before"))
        .subgraph("inner", inner)
        .compute("after", state -> Update.append(LOG, "after"))
        .sequence(START, "before", "inner", "after", END)
        .build();

    RunResult result = run(outer, Update.append(LOG, "input"));

    assertThat(result.state().get(LOG))
        .containsExactly("input", "before", "inner sees 2", "then 3", "after");
    assertThat(result.state().get(COUNT)).isEqualTo(1);
  }

  @Test
  @DisplayName("E14 a subgraph with mappings has a state of its own")
  void mappingsSayWhatGoesInAndOut() {
    Channel<String> question = Channel.text("question");
    Channel<String> answer = Channel.text("answer");
    Graph inner = Graph.builder("inner")
        .channels(question, answer)
        .compute("reply", state -> Update.of(answer, state.get(question) + "!"))
        .sequence(START, "reply", END)
        .build();
    Graph outer = graph()
        .subgraph(
            "inner",
            inner,
            state -> Update.of(question, state.get(LOG).get(0)),
            state -> Update.append(LOG, state.get(answer)))
        .sequence(START, "inner", END)
        .build();

    assertThat(run(outer, Update.append(LOG, "why")).state().get(LOG))
        .containsExactly("why", "why!");
  }

  @Test
  @DisplayName("E14 events of a subgraph carry the path, and facts are numbered in one line")
  void eventsCarryThePath() {
    Graph innermost = graph()
        .node("leaf", state -> Flux.just(new Chunk("x"), Update.of(COUNT, 1)))
        .sequence(START, "leaf", END)
        .build();
    Graph middle =
        graph().subgraph("deep", innermost).sequence(START, "deep", END).build();
    Graph outer =
        graph().subgraph("middle", middle).sequence(START, "middle", END).build();

    List<GraphEvent> events =
        GraphRunner.of(outer).stream(Update.NOTHING).collectList().block(PATIENCE);

    assertThat(events)
        .filteredOn(Provisional.class::isInstance)
        .extracting(GraphEvent::path)
        .containsOnly("middle/deep/");
    assertThat(events).extracting(GraphEvent::path).contains("", "middle/", "middle/deep/");
    assertThat(events.stream()
            .filter(event -> !(event instanceof Provisional))
            .map(GraphEvent::sequence))
        .isEqualTo(java.util.stream.LongStream.rangeClosed(
                1,
                events.stream().filter(event -> !(event instanceof Provisional)).count())
            .boxed()
            .toList());
  }

  @Test
  @DisplayName("E14 a command of a subgraph can address the parent")
  void aCommandCanAddressTheParent() {
    Graph inner = graph()
        .compute("a", state -> Command.goTo("escalate").inParent().with(Update.append(LOG, "a")))
        .compute("b", state -> Update.append(LOG, "b"))
        .sequence(START, "a", "b", END)
        .build();
    Graph outer = graph()
        .subgraph("inner", inner)
        .compute("next", state -> Update.append(LOG, "next"))
        .compute("escalate", state -> Update.append(LOG, "escalated"))
        .sequence(START, "inner", "next", END)
        .edge("escalate", END)
        .mayGoTo("inner", "escalate")
        .build();

    assertThat(run(outer, Update.NOTHING).state().get(LOG)).containsExactly("a", "escalated");
  }

  @Test
  @DisplayName("E14 a failure inside is told with both names, and cancels what runs beside it")
  void aFailureInsideIsTold() {
    PublisherProbe<Update> sibling = PublisherProbe.of(Mono.never());
    Graph inner = graph()
        .node("bad", state -> Mono.error(new IllegalStateException("boom")))
        .sequence(START, "bad", END)
        .build();
    Graph outer = graph()
        .node("sibling", state -> sibling.mono())
        .subgraph("inner", inner)
        .sequence(START, "sibling", END)
        .sequence(START, "inner", END)
        .build();

    StepVerifier.create(GraphRunner.of(outer).run(Update.NOTHING))
        .expectErrorSatisfies(failed -> {
          assertThat(((NodeFailedException) failed).node()).isEqualTo("inner");
          assertThat(((NodeFailedException) failed.getCause()).node()).isEqualTo("bad");
          assertThat(failed.getCause().getCause()).hasMessage("boom");
        })
        .verify(PATIENCE);
    sibling.assertWasCancelled();
  }

  @Test
  @DisplayName("E14 a mapping that fails is a failure of its node, and a handler takes over")
  void aMappingThatFailsIsAFailureOfItsNode() {
    Graph inner = graph()
        .node("a", state -> Mono.just(Update.of(COUNT, 1)).delayElement(Duration.ofMillis(1)))
        .sequence(START, "a", END)
        .build();
    GraphBuilder outer = graph()
        .subgraph("inner", inner, state -> Update.NOTHING, state -> {
          throw new IllegalStateException("mapping");
        })
        .sequence(START, "inner", END);

    StepVerifier.create(GraphRunner.of(outer.build()).run(Update.NOTHING))
        .expectErrorSatisfies(failed -> {
          assertThat(((NodeFailedException) failed).node()).isEqualTo("inner");
          assertThat(failed.getCause()).hasMessage("mapping");
        })
        .verify(PATIENCE);
    Graph handled = outer
        .handler("inner", (state, failed) -> Mono.just(Update.append(LOG, "handled")))
        .build();
    assertThat(run(handled, Update.NOTHING).state().get(LOG)).containsExactly("handled");
  }

  @Test
  void aGraphInsideMayHaveNothingToDo() {
    Graph inner = graph()
        .compute("a", state -> Update.NOTHING)
        .route(START, Graph.to("a", END), state -> END)
        .edge("a", END)
        .build();
    Graph outer = graph()
        .subgraph(
            "inner",
            inner,
            state -> Update.of(COUNT, 7),
            state -> Update.of(COUNT, state.get(COUNT)))
        .sequence(START, "inner", END)
        .build();

    assertThat(run(outer, Update.NOTHING).state().get(COUNT)).isEqualTo(7);
  }

  @Test
  void aGraphInsideThatWouldPauseIsRefused() {
    Graph inner = graph()
        .compute("a", state -> Update.NOTHING)
        .sequence(START, "a", END)
        .interruptBefore("a")
        .build();
    Graph outer = graph().subgraph("inner", inner).sequence(START, "inner", END).build();

    assertThatThrownBy(() -> GraphRunner.of(outer))
        .isInstanceOf(UnsupportedGraphException.class)
        .hasMessageContaining("inner/a");
  }

  @Test
  @DisplayName("E20 cancelling reaches the nodes of a subgraph, and demand does too")
  void cancellationAndDemandReachInside() {
    PublisherProbe<Update> probe = PublisherProbe.of(Mono.never());
    Graph inner =
        graph().node("wait", state -> probe.mono()).sequence(START, "wait", END).build();
    Graph outer = graph().subgraph("inner", inner).sequence(START, "inner", END).build();

    StepVerifier.create(GraphRunner.of(outer).stream(Update.NOTHING), 3)
        .expectNextCount(3)
        .then(probe::assertWasNotSubscribed)
        .thenRequest(3)
        .expectNextCount(3)
        .then(probe::assertWasSubscribed)
        .thenCancel()
        .verify(PATIENCE);
    probe.assertWasCancelled();
  }

  @Test
  @DisplayName("E15 a subgraph whose nodes speak is not silent, whether it is run or streamed")
  void aSubgraphThatSpeaksIsNotIdle() {
    Graph inner = Graphs.single(
        "slow", state -> Flux.interval(Duration.ofMillis(100)).take(5).map(Chunk::new));
    Graph outer = Graphs.graph()
        .subgraph("inner", inner)
        .policy("inner", NodePolicy.NONE.idleTimeout(Duration.ofMillis(150)))
        .sequence(START, "inner", END)
        .build();

    StepVerifier.withVirtualTime(() -> GraphRunner.of(outer).run(Update.NOTHING))
        .thenAwait(Duration.ofSeconds(1))
        .expectNextMatches(RunResult::isCompleted)
        .expectComplete()
        .verify(Duration.ofSeconds(20));
  }
}
