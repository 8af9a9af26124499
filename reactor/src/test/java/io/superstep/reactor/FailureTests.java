package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.error.SuperstepException;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskRetried;
import io.superstep.graph.Backoff;
import io.superstep.graph.Chunk;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeAction;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.step.StepLimitException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;
import reactor.test.publisher.TestPublisher;

class FailureTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static NodeFailedException failure(Graph graph) {
    Throwable[] error = new Throwable[1];
    StepVerifier.create(GraphRunner.of(graph).run(Update.NOTHING))
        .expectErrorSatisfies(failed -> error[0] = failed)
        .verify(PATIENCE);
    assertThat(error[0]).isInstanceOf(NodeFailedException.class);
    return (NodeFailedException) error[0];
  }

  @Test
  @DisplayName("E8 one task fails: siblings are cancelled, the error is the node's own")
  void siblingsAreCancelled() {
    PublisherProbe<Update> sibling = PublisherProbe.of(Mono.never());
    Map<String, NodeAction> nodes = new LinkedHashMap<>();
    nodes.put("sibling", state -> sibling.mono());
    nodes.put("bad", state -> Mono.error(new IllegalStateException("boom")));

    NodeFailedException failed = failure(Graphs.parallel(nodes).build());

    assertThat(failed.node()).isEqualTo("bad");
    assertThat(failed).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(failed.getCause()).hasMessage("boom");
    sibling.assertWasCancelled();
  }

  @Test
  @DisplayName("E8 after a failure nothing more is started, not even what waited for its turn")
  void afterAFailureNothingIsStarted() {
    AtomicInteger started = new AtomicInteger();
    TestPublisher<Update> first = TestPublisher.create();
    Graph graph = graph()
        .compute("plan", state -> Update.NOTHING)
        .node("worker", state -> {
          started.incrementAndGet();
          return first.mono();
        })
        .edge(START, "plan")
        .fanOut(
            "plan",
            to("worker"),
            state -> List.of(Send.to("worker"), Send.to("worker"), Send.to("worker")))
        .edge("worker", END)
        .policy("worker", NodePolicy.NONE.concurrency(1))
        .build();

    StepVerifier.create(GraphRunner.of(graph).run(Update.NOTHING))
        .then(() -> first.error(new IllegalStateException("boom")))
        .expectError(NodeFailedException.class)
        .verify(PATIENCE);
    assertThat(started).hasValue(1);
  }

  @Test
  @DisplayName("E8 directions that cannot be followed fail their task, also on another thread")
  void mixedDirectionsFailTheirTask() {
    Graph inner = Graphs.single(
        "bad",
        state -> Flux.<NodeOutput>just(Command.goTo("x").inParent(), Command.goTo(END))
            .delayElements(Duration.ofMillis(1)));
    NodeFailedException failed = failure(Graphs.graph()
        .subgraph("inner", inner)
        .compute("x", state -> Update.NOTHING)
        .sequence(START, "inner", END)
        .mayGoTo("inner", "x")
        .edge("x", END)
        .build());

    NodeFailedException inside = (NodeFailedException) failed.getCause();
    assertThat(((SuperstepException) inside.getCause()).code()).isEqualTo("SG-124");
  }

  @Test
  @DisplayName("S0.18 a step in which a task fails is not committed")
  void aFailedStepIsNotCommitted() {
    Map<String, NodeAction> nodes = new LinkedHashMap<>();
    nodes.put("good", state -> Mono.just(Update.of(COUNT, 1)));
    nodes.put("bad", state -> Mono.error(new IllegalStateException("boom")));

    StepVerifier.create(GraphRunner.of(Graphs.parallel(nodes).build()).stream(Update.NOTHING)
            .ofType(StepCommitted.class))
        .expectError(NodeFailedException.class)
        .verify(PATIENCE);
  }

  static Stream<Arguments> badNodes() {
    NodeOutput strange = new NodeOutput() {};
    return Stream.of(
        bad("throws", "", state -> {
          throw new IllegalStateException("at once");
        }),
        bad("throws a checked exception", "", state -> {
          throw new java.io.IOException("at once");
        }),
        bad("returns null", "SG-151", state -> null),
        bad("emits something strange", "SG-151", state -> Mono.just(strange)),
        bad("emits something strange later", "SG-151", state -> Flux.just(Update.NOTHING, strange)),
        bad("emits a wrong type", "SG-201", state -> Mono.just(Update.of("count", "one"))),
        bad("emits an unknown channel", "SG-211", state -> Flux.just(Update.of("cuont", 1))),
        bad("emits null", "", state -> subscriber -> {
          subscriber.onSubscribe(reactor.core.publisher.Operators.emptySubscription());
          subscriber.onNext(null);
        }),
        bad("fails with null", "SG-151", state -> subscriber -> {
          subscriber.onSubscribe(reactor.core.publisher.Operators.emptySubscription());
          subscriber.onError(null);
        }),
        bad(
            "fails after an update",
            "",
            state -> Flux.concat(
                Mono.just(Update.of(COUNT, 1)), Mono.error(new IllegalStateException()))));
  }

  private static Arguments bad(String what, String code, NodeAction action) {
    return Arguments.of(Named.of(what, action), code);
  }

  @ParameterizedTest
  @MethodSource("badNodes")
  @DisplayName("E8 whatever a node does wrong, its failure has its name")
  void whateverANodeDoesWrongIsTold(NodeAction action, String code) {
    NodeFailedException failed = failure(Graphs.single("bad", action));

    assertThat(failed.node()).isEqualTo("bad");
    if (!code.isEmpty()) {
      assertThat(failed.getCause()).isInstanceOf(SuperstepException.class);
      assertThat(((SuperstepException) failed.getCause()).code()).isEqualTo(code);
    }
  }

  @Test
  void aSourceThatCannotBeAskedIsCancelled() {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger cancelled = new AtomicInteger();
    failure(Graphs.single(
        "bad",
        state -> subscriber -> subscriber.onSubscribe(new Subscription() {
          @Override
          public void request(long n) {
            if (asked.incrementAndGet() > 1) {
              throw new IllegalStateException("no more");
            }
            for (long told = 0; told < n; told++) {
              subscriber.onNext(new Chunk("one"));
            }
          }

          @Override
          public void cancel() {
            cancelled.incrementAndGet();
          }
        })));

    assertThat(cancelled).hasValue(1);
  }

  @Test
  void aRefusedUpdateNamesItsWriter() {
    NodeFailedException failed =
        failure(Graphs.single("bad", state -> Mono.just(Update.of("cuont", 1))));

    assertThat(((InvalidUpdateException) failed.getCause()).writer()).contains("bad");
  }

  @Test
  @DisplayName("E7 a run that uses up its steps fails, with what it did committed")
  void aRunMayUseUpItsSteps() {
    StepVerifier.create(
            GraphRunner.of(Graphs.counting(5)).stream(Update.NOTHING, RunOptions.NONE.steps(3))
                .ofType(StepCommitted.class))
        .expectNextCount(3)
        .expectError(StepLimitException.class)
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("E15 only the successful attempt's updates count, and the attempts are told")
  void onlyTheSuccessfulAttemptCounts() {
    AtomicInteger tries = new AtomicInteger();
    Graph graph = graph()
        .node(
            "flaky",
            state -> Flux.concat(
                Flux.just(new Chunk("try"), Update.of(COUNT, 1)),
                Mono.defer(() -> tries.incrementAndGet() < 3
                    ? Mono.error(new IllegalStateException("try " + tries))
                    : Mono.just(Update.append(LOG, "done")))))
        .sequence(START, "flaky", END)
        .policy("flaky", NodePolicy.retry(3))
        .build();
    List<TaskRetried> retried = new java.util.ArrayList<>();

    RunResult result = GraphRunner.of(graph).stream(Update.NOTHING)
        .doOnNext(event -> {
          if (event instanceof TaskRetried again) {
            retried.add(again);
          }
        })
        .ofType(io.superstep.event.GraphEvent.Terminal.class)
        .last()
        .map(end -> new RunResult(RunResult.Status.COMPLETED, end.position(), List.of()))
        .block(PATIENCE);

    assertThat(result.state().get(COUNT)).isEqualTo(1);
    assertThat(result.state().get(LOG)).containsExactly("done");
    assertThat(retried).extracting(TaskRetried::attempt).containsExactly(1, 2);
  }

  @Test
  @DisplayName("X.8 three attempts wait 0.5 s and 1 s, and then the last failure is told")
  void attemptsBackOff() {
    AtomicInteger tries = new AtomicInteger();
    Graph graph = graph()
        .node(
            "flaky",
            state -> Mono.error(new IllegalStateException("try " + tries.incrementAndGet())))
        .sequence(START, "flaky", END)
        .policy(
            "flaky", NodePolicy.retry(3).backoff(Duration.ofMillis(500), Duration.ofSeconds(10)))
        .build();

    StepVerifier.withVirtualTime(() -> GraphRunner.of(graph).run(Update.NOTHING))
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(499))
        .then(() -> assertThat(tries).hasValue(1))
        .thenAwait(Duration.ofMillis(1))
        .then(() -> assertThat(tries).hasValue(2))
        .expectNoEvent(Duration.ofMillis(999))
        .then(() -> assertThat(tries).hasValue(2))
        .thenAwait(Duration.ofMillis(1))
        .expectErrorSatisfies(failed -> {
          assertThat(((NodeFailedException) failed).attempts()).isEqualTo(3);
          assertThat(failed.getCause()).hasMessage("try 3");
        })
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("X.8 waits are capped, and jitter moves them by its part and no more")
  void waitsAreCappedAndJittered() {
    AtomicInteger tries = new AtomicInteger();
    Graph graph = graph()
        .node("flaky", state -> {
          tries.incrementAndGet();
          throw new IllegalStateException();
        })
        .sequence(START, "flaky", END)
        .policy(
            "flaky",
            NodePolicy.retry(11)
                .backoff(new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(2), 0.5)))
        .build();

    StepVerifier.withVirtualTime(() -> GraphRunner.of(graph).run(Update.NOTHING))
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(499))
        .then(() -> assertThat(tries).hasValue(1))
        .thenAwait(Duration.ofMillis(1500 + 9 * 3000))
        .expectError(NodeFailedException.class)
        .verify(PATIENCE);
    assertThat(tries).hasValue(11);
  }

  @Test
  @DisplayName("E15 a failure that is not worth another attempt ends the task")
  void notEveryFailureIsWorthAnotherAttempt() {
    AtomicInteger tries = new AtomicInteger();
    Graph graph = graph()
        .node("flaky", state -> {
          tries.incrementAndGet();
          throw new IllegalArgumentException();
        })
        .sequence(START, "flaky", END)
        .policy("flaky", NodePolicy.retry(3).retryOn(IllegalStateException.class::isInstance))
        .build();

    assertThat(failure(graph).attempts()).isEqualTo(1);
    assertThat(tries).hasValue(1);
  }

  @Test
  @DisplayName("E15 an attempt that takes too long fails, and one that is silent too long")
  void attemptsTimeOut() {
    NodePolicy policy = NodePolicy.NONE.timeout(Duration.ofSeconds(5));
    NodePolicy idle = NodePolicy.NONE.idleTimeout(Duration.ofSeconds(2));

    for (Map.Entry<NodePolicy, Duration> limit :
        Map.of(policy, Duration.ofSeconds(5), idle, Duration.ofSeconds(2)).entrySet()) {
      Graph graph = graph()
          .node("stuck", state -> Mono.never())
          .sequence(START, "stuck", END)
          .policy("stuck", limit.getKey())
          .build();
      StepVerifier.withVirtualTime(() -> GraphRunner.of(graph).run(Update.NOTHING))
          .expectSubscription()
          .expectNoEvent(limit.getValue().minusMillis(1))
          .thenAwait(Duration.ofMillis(1))
          .expectErrorSatisfies(
              failed -> assertThat(failed).hasCauseInstanceOf(NodeTimeoutException.class))
          .verify(PATIENCE);
    }
  }

  @Test
  @DisplayName("E15 time in which nothing is asked for does not count")
  void timeWithoutDemandDoesNotCount() {
    Graph graph = graph()
        .node(
            "chatty",
            state -> Flux.interval(Duration.ofSeconds(1))
                .onBackpressureDrop()
                .take(3)
                .<NodeOutput>map(Chunk::new))
        .sequence(START, "chatty", END)
        .policy(
            "chatty",
            NodePolicy.NONE.timeout(Duration.ofSeconds(10)).idleTimeout(Duration.ofSeconds(3)))
        .build();

    StepVerifier.withVirtualTime(() -> GraphRunner.of(graph).stream(Update.NOTHING), 4)
        .expectNextCount(3)
        .thenAwait(Duration.ofSeconds(1))
        .expectNextCount(1)
        .thenAwait(Duration.ofHours(1))
        .thenRequest(Long.MAX_VALUE)
        .thenAwait(Duration.ofSeconds(2))
        .expectNextCount(5)
        .expectComplete()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("E16 a handler runs in the same task, and the failed node's edges are followed")
  void aHandlerTakesOver() {
    Graph graph = graph()
        .node(
            "bad",
            state -> Flux.concat(
                Mono.just(Update.of(COUNT, 100)), Mono.error(new IllegalStateException("boom"))))
        .compute("next", state -> Update.append(LOG, "next"))
        .sequence(START, "bad", "next", END)
        .policy("bad", NodePolicy.retry(2))
        .handler(
            "bad",
            (state, failed) -> Mono.just(Update.append(
                LOG,
                failed.node() + " " + failed.attempts() + " " + failed.error().getMessage())))
        .build();

    StepVerifier.create(GraphRunner.of(graph).stream(Update.NOTHING).ofType(TaskCompleted.class))
        .assertNext(done -> assertThat(done.handled()).hasMessage("boom"))
        .assertNext(done -> assertThat(done.handled()).isNull())
        .expectComplete()
        .verify(PATIENCE);
    RunResult result = GraphRunner.of(graph).run(Update.NOTHING).block(PATIENCE);
    assertThat(result.state().get(LOG)).containsExactly("bad 2 boom", "next");
    assertThat(result.state().get(COUNT)).isZero();
  }

  @Test
  @DisplayName("E16 a handler may go elsewhere, and may fail itself")
  void aHandlerMayGoElsewhereOrFail() {
    Graph elsewhere = graph()
        .node("bad", state -> Mono.error(new IllegalStateException("boom")))
        .compute("apology", state -> Update.append(LOG, "sorry"))
        .compute("next", state -> Update.append(LOG, "next"))
        .sequence(START, "bad", "next", END)
        .edge("apology", END)
        .mayGoTo("bad", "apology")
        .handler("bad", (state, failed) -> Mono.just(Command.goTo("apology")))
        .build();
    Graph failing = graph()
        .node("bad", state -> Mono.error(new IllegalStateException("boom")))
        .sequence(START, "bad", END)
        .handler("bad", (state, failed) -> Mono.error(new IllegalArgumentException("worse")))
        .build();

    assertThat(GraphRunner.of(elsewhere)
            .run(Update.NOTHING)
            .block(PATIENCE)
            .state()
            .get(LOG))
        .containsExactly("sorry");
    NodeFailedException failed = failure(failing);
    assertThat(failed.getCause()).hasMessage("worse");
    assertThat(failed.getCause().getSuppressed()[0]).hasMessage("boom");
  }
}
