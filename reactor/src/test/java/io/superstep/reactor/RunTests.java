package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.UnfilledJoin;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.Warning;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.message.Message;
import io.superstep.reactor.RunResult.Status;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class RunTests {

  private static final RunOptions ENDLESS =
      RunOptions.NONE.steps(Integer.MAX_VALUE).iterations(Integer.MAX_VALUE);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  @DisplayName(
      "S4.12 the debate: optimist and skeptic take three rounds, then the moderator closes")
  void theDebateTakesThreeRounds() {
    ListChannel<Message> messages = Channel.messages("messages");
    Channel<Integer> round = Channel.value("round", Integer.class).startingAt(0);
    Channel<String> status = Channel.value("status", String.class).startingAt("running");
    List<String> order = new ArrayList<>();
    Graph debate = Graph.builder("debate")
        .channels(messages, round, status)
        .node(
            "optimist",
            state -> Mono.fromSupplier(() -> {
              order.add("O");
              return Update.append(messages, Message.ai("yes"));
            }))
        .node(
            "skeptic",
            state -> Flux.defer(() -> {
              order.add("S");
              return Flux.just(
                  Update.append(messages, Message.ai("no")),
                  Update.of(round, state.get(round) + 1));
            }))
        .compute("moderator", state -> {
          order.add("M");
          return Update.append(messages, Message.ai("well")).and(status, "completed");
        })
        .edge(START, "optimist")
        .edge("optimist", "skeptic")
        .edge("moderator", END)
        .route(
            "skeptic",
            to("optimist", "moderator"),
            state -> state.get(round) < 3 ? "optimist" : "moderator")
        .build();

    RunResult result = GraphRunner.of(debate)
        .run(Update.append(messages, Message.human("Debate topic: AI?")))
        .block(PATIENCE);

    assertThat(order).containsExactly("O", "S", "O", "S", "O", "S", "M");
    assertThat(result.state().get(round)).isEqualTo(3);
    assertThat(result.state().get(status)).isEqualTo("completed");
    assertThat(result.state().get(messages)).hasSize(8);
    assertThat(result.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  @DisplayName("S0.22 input that is refused runs no node")
  void refusedInputRunsNoNode() {
    AtomicInteger calls = new AtomicInteger();
    Graph graph = Graphs.single("a", state -> {
      calls.incrementAndGet();
      return Mono.empty();
    });

    StepVerifier.create(GraphRunner.of(graph).run(Update.of("secret", 1)))
        .expectError(InvalidUpdateException.class)
        .verify(PATIENCE);
    assertThat(calls).hasValue(0);
  }

  @Test
  @DisplayName("E22 a run that is asked to stop does so between two steps, and can be resumed")
  void aStoppedRunCanBeResumed() {
    Stop stop = new Stop();
    Graph graph = graph()
        .compute("a", state -> {
          stop.request();
          return Update.append(LOG, "a");
        })
        .compute("b", state -> Update.append(LOG, "b"))
        .sequence(START, "a", "b", END)
        .build();
    GraphRunner runner = GraphRunner.of(graph);

    RunResult stopped =
        runner.run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop)).block(PATIENCE);
    GraphEvent end = runner.resume(stopped.position()).blockLast(PATIENCE);

    assertThat(stopped.status()).isEqualTo(Status.STOPPED);
    assertThat(stopped.state().get(LOG)).containsExactly("a");
    assertThat(((RunCompleted) end).state().get(LOG)).containsExactly("a", "b");
  }

  @Test
  @DisplayName("E22 a stop in the last step ends with RunCompleted, unfilled joins included")
  void aStopInTheLastStepCompletes() {
    Stop stop = new Stop();
    Graph graph = graph()
        .compute("a", state -> {
          stop.request();
          return Update.append(LOG, "a");
        })
        .compute("never", state -> Update.append(LOG, "never"))
        .compute("joined", state -> Update.append(LOG, "joined"))
        .edge(START, "a")
        .route(START, to("never", END), state -> END)
        .join(Graph.all("a", "never"), "joined")
        .edge("joined", END)
        .build();

    GraphEvent end = GraphRunner.of(graph).stream(Update.NOTHING, RunOptions.NONE.stoppedBy(stop))
        .blockLast(PATIENCE);

    assertThat(end)
        .isInstanceOfSatisfying(
            RunCompleted.class,
            completed -> assertThat(completed.unfilled())
                .containsExactly(new UnfilledJoin("joined", List.of("a"), List.of("never"))));
  }

  @Test
  @DisplayName("E22 a node can see that the run was asked to stop, and end early")
  void aNodeSeesThatItShouldStop() {
    Stop stop = new Stop();
    Graph graph = graph()
        .node(
            "long",
            (state, context) -> Flux.range(1, 1_000)
                .doOnNext(n -> {
                  if (n == 3) {
                    stop.request();
                  }
                })
                .takeUntil(n -> context.isStopping())
                .map(n -> Update.of(COUNT, 1)))
        .sequence(START, "long", END)
        .build();

    RunResult result = GraphRunner.of(graph)
        .run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop))
        .block(PATIENCE);

    assertThat(result.state().get(COUNT)).isEqualTo(3);
  }

  @Test
  void aBlockingNodeThatIsCancelledDropsNoError() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Graph graph = graph()
        .blocking("stuck", state -> {
          started.countDown();
          try {
            Thread.sleep(60_000);
            return Update.NOTHING;
          } finally {
            ended.countDown();
          }
        })
        .sequence(START, "stuck", END)
        .build();

    Disposable run = GraphRunner.of(graph).run(Update.NOTHING).subscribe();
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
    run.dispose();

    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @DisplayName("X.1 a run that was interrupted before a node goes on there")
  void anInterruptedRunGoesOn() {
    Graph graph = graph()
        .compute("a", state -> Update.append(LOG, "a"))
        .compute("b", state -> Update.append(LOG, "b"))
        .sequence(START, "a", "b", END)
        .interruptBefore("b")
        .build();
    GraphRunner runner = GraphRunner.of(graph);

    RunResult paused = runner.run(Update.NOTHING).block(PATIENCE);
    GraphEvent end = runner.resume(paused.position()).blockLast(PATIENCE);

    assertThat(paused.status()).isEqualTo(Status.INTERRUPTED);
    assertThat(((RunCompleted) end).state().get(LOG)).containsExactly("a", "b");
  }

  @Test
  @DisplayName("E7 nodes can read the remaining steps, and their task's id and attempt")
  void nodesKnowTheirTask() {
    Graph graph = graph()
        .compute(
            "a",
            (state, context) -> Update.append(
                LOG,
                context.node() + " " + context.taskId() + " " + context.attempt() + " "
                    + context.remainingSteps()))
        .sequence(START, "a", END)
        .build();

    RunResult result =
        GraphRunner.of(graph).run(Update.NOTHING, RunOptions.NONE.steps(10)).block(PATIENCE);

    assertThat(result.state().get(LOG)).containsExactly("a run-1/1/0/a 1 9");
  }

  @Test
  @DisplayName("E23 the Reactor Context reaches nodes, however they are run, and handlers")
  void theContextReachesNodes() {
    AtomicInteger tries = new AtomicInteger();
    Graph inner =
        graph().node("deep", state -> user("deep")).sequence(START, "deep", END).build();
    Graph graph = graph()
        .node("a", state -> user("a"))
        .subgraph("inner", inner)
        .node("bad", state -> Mono.error(new IllegalStateException()))
        .handler("bad", (state, failed) -> user("handler"))
        .node(
            "flaky",
            state -> user("attempt " + tries.incrementAndGet())
                .delayElement(Duration.ofMillis(1))
                .doOnNext(update -> {
                  if (tries.get() < 2) {
                    throw new IllegalStateException(update.toString());
                  }
                }))
        .policy("flaky", NodePolicy.retry(2).timeout(PATIENCE))
        .node("sent", state -> user("sent"))
        .sequence(START, "a", "inner", "bad", "flaky")
        .fanOut("flaky", to("sent"), state -> List.of(Send.to("sent")))
        .edge("sent", END)
        .build();

    RunResult result = GraphRunner.of(graph)
        .run(Update.NOTHING)
        .contextWrite(context -> context.put("user", "ada"))
        .block(PATIENCE);

    assertThat(result.state().get(LOG))
        .containsExactly("a ada", "deep ada", "handler ada", "attempt 2 ada", "sent ada");
  }

  private static Mono<Update> user(String name) {
    return Mono.deferContextual(
        context -> Mono.just(Update.append(LOG, name + " " + context.get("user"))));
  }

  @Test
  void aBlockingNodeLeavesTheCallersThread() {
    Graph graph = graph()
        .blocking("slow", state -> {
          Thread.sleep(1);
          return Update.append(LOG, String.valueOf(Schedulers.isInNonBlockingThread()));
        })
        .sequence(START, "slow", END)
        .build();

    RunResult result = GraphRunner.of(graph)
        .run(Update.NOTHING)
        .subscribeOn(Schedulers.parallel())
        .block(PATIENCE);

    assertThat(result.state().get(LOG)).containsExactly("false");
  }

  @Test
  @DisplayName("S4.11 a node that hands back a whole list is warned, and nothing is doubled")
  void handingBackAListIsWarned() {
    Graph graph = graph()
        .compute("copy", state -> Update.of(LOG, state.get(LOG)).and(COUNT, 1))
        .sequence(START, "copy", END)
        .build();

    List<GraphEvent> events =
        GraphRunner.of(graph).stream(Update.append(LOG, "x")).collectList().block(PATIENCE);

    assertThat(events)
        .filteredOn(Warning.class::isInstance)
        .extracting(event -> ((Warning) event).problem().code())
        .containsExactly("SG-152");
    assertThat(((RunCompleted) events.get(events.size() - 1)).state().get(LOG))
        .containsExactly("x");
  }

  @Test
  void theClockIsReadOncePerStep() {
    AtomicInteger reads = new AtomicInteger();
    GraphRunner runner = GraphRunner.builder(Graphs.counting(5))
        .clock(() -> Instant.ofEpochSecond(reads.incrementAndGet()))
        .build();

    List<GraphEvent> events = runner.stream(Update.NOTHING).collectList().block(PATIENCE);

    assertThat(reads).hasValue(6);
    assertThat(events.get(events.size() - 1).time()).isEqualTo(Instant.ofEpochSecond(6));
  }

  @Test
  @DisplayName("X.22 a million synchronous steps: flat stack and operator chain")
  void aMillionSteps() {
    GraphEvent end = GraphRunner.of(Graphs.counting(1_000_000)).stream(Update.NOTHING, ENDLESS)
        .blockLast(PATIENCE);

    assertThat(((RunCompleted) end).state().get(COUNT)).isEqualTo(1_000_000);
  }

  @Test
  @DisplayName("X.22 a run holds on to nothing of the steps behind it")
  void aRunForgetsItsSteps() {
    AtomicReference<WeakReference<GraphEvent>> early = new AtomicReference<>();
    GraphRunner.of(Graphs.counting(1_000)).stream(Update.NOTHING, ENDLESS)
        .ofType(StepCommitted.class)
        .doOnNext(committed -> {
          if (committed.step() == 10) {
            early.set(new WeakReference<>(committed));
          }
          if (committed.step() == 900) {
            assertThat(isCollected(early.get())).isTrue();
          }
        })
        .blockLast(PATIENCE);
  }

  private static boolean isCollected(WeakReference<?> reference) {
    for (int turn = 0; turn < 100 && reference.get() != null; turn++) {
      System.gc();
    }
    return reference.get() == null;
  }

  @Test
  void anOptionOfTheRunnerIsSetOnce() {
    assertThatThrownBy(() -> GraphRunner.builder(Graphs.counting(1))
            .timer(Schedulers.immediate())
            .timer(Schedulers.single()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("timer was already set");
    assertThatThrownBy(() -> RunOptions.NONE.steps(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
