package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.TASK;
import static io.superstep.reactor.Graphs.graph;
import static io.superstep.reactor.Graphs.parallel;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.graph.Graph;
import io.superstep.graph.NodeAction;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class ParallelTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static NodeAction late(String name, Duration delay) {
    return state -> Mono.delay(delay).map(tick -> Update.append(LOG, name));
  }

  @Test
  @DisplayName("S0.17 eight nodes that each take 100 ms take 100 ms together")
  void parallelMeansParallel() {
    Map<String, NodeAction> nodes = new LinkedHashMap<>();
    IntStream.range(0, 8).forEach(n -> nodes.put("n" + n, late("n" + n, Duration.ofMillis(100))));

    StepVerifier.withVirtualTime(() -> GraphRunner.of(parallel(nodes).build()).run(Update.NOTHING))
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(99))
        .thenAwait(Duration.ofMillis(1))
        .assertNext(result -> assertThat(result.state().get(LOG)).hasSize(8))
        .expectComplete()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("E5 the merged state is in plan order, whatever finished first")
  void theMergedStateIsInPlanOrder() {
    Map<String, NodeAction> nodes = new LinkedHashMap<>();
    nodes.put("slow", late("slow", Duration.ofSeconds(3)));
    nodes.put("fast", late("fast", Duration.ofSeconds(1)));
    nodes.put("medium", late("medium", Duration.ofSeconds(2)));

    StepVerifier.withVirtualTime(() -> GraphRunner.of(parallel(nodes).build()).run(Update.NOTHING))
        .thenAwait(Duration.ofSeconds(3))
        .assertNext(
            result -> assertThat(result.state().get(LOG)).containsExactly("slow", "fast", "medium"))
        .expectComplete()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("S0.19 a wide fan-out gives one result in a thousand runs of shuffled timing")
  void aThousandShuffledRunsGiveOneResult() {
    Random random = new Random(42);
    Graph graph = graph()
        .compute("plan", state -> Update.NOTHING)
        .node(
            "worker",
            state -> Mono.fromCallable(
                    () -> Update.append(LOG, "w" + state.get(TASK)).and(COUNT, state.get(TASK)))
                .delayElement(Duration.ofNanos(random.nextInt(200_000)), Schedulers.parallel()))
        .edge(START, "plan")
        .fanOut(
            "plan",
            to("worker"),
            state ->
                IntStream.range(0, 16).mapToObj(n -> Send.to("worker", TASK, n)).toList())
        .edge("worker", END)
        .build();
    GraphRunner runner = GraphRunner.of(graph);
    List<String> expected = IntStream.range(0, 16).mapToObj(n -> "w" + n).toList();

    for (int run = 0; run < 1_000; run++) {
      RunResult result = runner.run(Update.NOTHING).block(PATIENCE);

      assertThat(result.state().get(LOG)).isEqualTo(expected);
      assertThat(result.state().get(COUNT)).isEqualTo(120);
    }
  }

  @Test
  @DisplayName("S4.8 a node that waits does not block another run on the same scheduler")
  void aNodeThatWaitsBlocksNobody() {
    GraphRunner runner =
        GraphRunner.of(Graphs.single("wait", late("wait", Duration.ofMillis(200))));

    StepVerifier.withVirtualTime(() -> Mono.zip(
            runner.run(Update.NOTHING).subscribeOn(Schedulers.single()),
            runner.run(Update.NOTHING).subscribeOn(Schedulers.single())))
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(199))
        .thenAwait(Duration.ofMillis(1))
        .expectNextCount(1)
        .expectComplete()
        .verify(PATIENCE);
  }

  @Test
  void aRunnerServesTenThousandRunsAtOnce() {
    GraphRunner runner = GraphRunner.of(graph()
        .node("a", state -> Mono.just(Update.of(COUNT, 1)).delayElement(Duration.ofMillis(1)))
        .node("b", state -> Mono.just(Update.append(LOG, "seen " + state.get(COUNT))))
        .sequence(START, "a", "b", END)
        .build());

    List<String> seen = reactor.core.publisher.Flux.range(0, 10_000)
        .flatMap(
            n -> runner
                .run(Update.of(COUNT, n))
                .map(result -> result.state().get(LOG).get(0)),
            10_000)
        .collectList()
        .block(PATIENCE);

    assertThat(seen).hasSize(10_000).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("E18 no more tasks run at once than the run allows")
  void theRunsLimitHolds() {
    Gauge gauge = new Gauge();

    StepVerifier.withVirtualTime(() -> GraphRunner.of(workers(gauge, NodePolicy.NONE))
            .run(Update.NOTHING, RunOptions.NONE.concurrency(3)))
        .thenAwait(Duration.ofSeconds(4))
        .assertNext(result -> assertThat(result.state().get(COUNT)).isEqualTo(10))
        .expectComplete()
        .verify(PATIENCE);
    assertThat(gauge.highest).hasValue(3);
  }

  @Test
  @DisplayName("E18 no more tasks of a node run at once than its policy allows")
  void theNodesLimitHolds() {
    Gauge gauge = new Gauge();

    StepVerifier.withVirtualTime(() ->
            GraphRunner.of(workers(gauge, NodePolicy.NONE.concurrency(4))).run(Update.NOTHING))
        .thenAwait(Duration.ofSeconds(3))
        .assertNext(result -> assertThat(result.state().get(COUNT)).isEqualTo(10))
        .expectComplete()
        .verify(PATIENCE);
    assertThat(gauge.highest).hasValue(4);
  }

  @Test
  @DisplayName("E18 nested graphs do not deadlock on a limit of one")
  void nestedGraphsDoNotDeadlock() {
    Gauge gauge = new Gauge();
    Graph inner = workers(gauge, NodePolicy.NONE);
    Graph outer = graph()
        .subgraph("left", inner)
        .subgraph("right", inner)
        .sequence(START, "left", END)
        .sequence(START, "right", END)
        .build();

    StepVerifier.withVirtualTime(
            () -> GraphRunner.of(outer).run(Update.NOTHING, RunOptions.NONE.concurrency(1)))
        .thenAwait(Duration.ofSeconds(20))
        .assertNext(result -> assertThat(result.state().get(COUNT)).isEqualTo(20))
        .expectComplete()
        .verify(PATIENCE);
    assertThat(gauge.highest).hasValue(1);
  }

  @Test
  @DisplayName("E18 thousands of nested graphs that wait for one permit neither recurse nor hang")
  void manyNestedGraphsWaitForOnePermit() {
    Graph inner = graph()
        .node("a", state -> Mono.just(Update.of(COUNT, 1)).hide())
        .sequence(START, "a", END)
        .build();
    Graph outer = graph()
        .compute("plan", state -> Update.NOTHING)
        .node("slow", state -> Mono.delay(Duration.ofMillis(50)).map(tick -> Update.NOTHING))
        .subgraph("inner", inner)
        .edge(START, "plan")
        .edge("plan", "slow")
        .fanOut(
            "plan",
            to("inner"),
            state -> IntStream.range(0, 3_000)
                .mapToObj(n -> Send.to("inner", TASK, n))
                .toList())
        .edge("slow", END)
        .edge("inner", END)
        .build();

    RunResult result = GraphRunner.of(outer)
        .run(Update.NOTHING, RunOptions.NONE.concurrency(1))
        .block(PATIENCE);

    assertThat(result.state().get(COUNT)).isEqualTo(3_000);
  }

  /** Ten tasks of one second each. */
  private static Graph workers(Gauge gauge, NodePolicy policy) {
    return graph()
        .compute("plan", state -> Update.NOTHING)
        .node(
            "worker",
            state ->
                gauge.around(Mono.delay(Duration.ofSeconds(1)).map(tick -> Update.of(COUNT, 1))))
        .edge(START, "plan")
        .fanOut(
            "plan",
            to("worker"),
            state ->
                IntStream.range(0, 10).mapToObj(n -> Send.to("worker", TASK, n)).toList())
        .edge("worker", END)
        .policy("worker", policy)
        .build();
  }

  /** How many run at once. */
  private static final class Gauge {

    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger highest = new AtomicInteger();

    <T> Mono<T> around(Mono<T> work) {
      // before the word is passed on, because whoever hears it may start the next
      return work.doOnSubscribe(any -> highest.accumulateAndGet(now.incrementAndGet(), Math::max))
          .doOnTerminate(now::decrementAndGet);
    }
  }
}
