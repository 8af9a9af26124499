package io.superstep.reactor;

import static io.superstep.reactor.Graphs.COUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.graph.Graph;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

@DisplayName("A pipeline of inputs")
class RunAllTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger mostAtOnce = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  private final Flux<Update> inputs =
      Flux.range(1, 1_000).doOnNext(asked::set).map(n -> Update.of(COUNT, n));

  /** A graph that doubles its count, later for small ones. */
  private final Graph doubling = Graphs.single(
      "double",
      state -> Mono.defer(() -> {
        mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
        return Mono.delay(Duration.ofMillis(state.get(COUNT) % 2 == 0 ? 1 : 3))
            .doOnNext(tick -> running.decrementAndGet())
            .map(tick -> Update.of(COUNT, state.get(COUNT)));
      }));

  private static int count(RunResult result) {
    State state = result.state();
    return state.get(COUNT);
  }

  @Test
  @DisplayName("E20 nothing is asked for, nor run, whose result is not asked for")
  void noRunStartsUnasked() {
    StepVerifier.create(GraphRunner.of(doubling).runAll(inputs, 4).map(RunAllTests::count), 0)
        .then(() -> assertThat(asked).hasValue(0))
        .thenRequest(2)
        .expectNext(2, 4)
        .then(() -> assertThat(asked).hasValue(2))
        .thenRequest(100)
        .expectNextSequence(IntStream.rangeClosed(3, 102).mapToObj(n -> 2 * n).toList())
        .then(() -> assertThat(asked).hasValue(102))
        .thenCancel()
        .verify(PATIENCE);
    assertThat(mostAtOnce.get()).isBetween(2, 4);
  }

  @Test
  @DisplayName("E18 results come in the order of the inputs, however many run at once")
  void resultsComeInOrder() {
    List<Integer> results = GraphRunner.of(doubling)
        .runAll(inputs, 16)
        .map(RunAllTests::count)
        .collectList()
        .block(PATIENCE);

    assertThat(results)
        .isEqualTo(IntStream.rangeClosed(1, 1_000).mapToObj(n -> 2 * n).toList());
    assertThat(mostAtOnce.get()).isBetween(2, 16);
    assertThat(running).hasValue(0);
  }

  @Test
  @DisplayName("E8 the first run that fails ends the others")
  void aFailureEndsAll() {
    AtomicInteger cancelled = new AtomicInteger();
    Graph graph = Graphs.single(
        "odd",
        state -> state.get(COUNT) == 3
            ? Mono.error(new IllegalStateException("three"))
            : Mono.<Update>never().doOnCancel(cancelled::incrementAndGet));

    StepVerifier.create(GraphRunner.of(graph).runAll(inputs, 8))
        .expectErrorSatisfies(error -> assertThat(error).isInstanceOf(NodeFailedException.class))
        .verify(PATIENCE);
    assertThat(cancelled.get()).isGreaterThanOrEqualTo(2);
    assertThat(asked.get()).isLessThanOrEqualTo(8);
  }

  @Test
  @DisplayName("E20 cancelling stops the runs and the inputs")
  void cancellingStopsAll() {
    TestPublisher<Update> source = TestPublisher.create();
    AtomicInteger cancelled = new AtomicInteger();
    Graph graph = Graphs.single(
        "stuck", state -> Mono.<Update>never().doOnCancel(cancelled::incrementAndGet));

    StepVerifier.create(GraphRunner.of(graph).runAll(source.flux(), 4))
        .then(() -> source.next(Update.NOTHING, Update.NOTHING))
        .thenCancel()
        .verify(PATIENCE);
    source.assertCancelled();
    assertThat(cancelled).hasValue(2);
  }

  @Test
  @DisplayName("E20 inputs from another thread, and a subscriber on a third, lose nothing")
  void racesLoseNothing() {
    GraphRunner runner = GraphRunner.of(Graphs.single(
        "same", state -> Mono.just(Update.of(COUNT, 0)).publishOn(Schedulers.parallel())));

    Integer sum = runner
        .runAll(inputs.publishOn(Schedulers.boundedElastic()), 8)
        .publishOn(Schedulers.single(), 3)
        .map(RunAllTests::count)
        .reduce(0, Integer::sum)
        .block(PATIENCE);

    assertThat(sum).isEqualTo(500_500);
  }

  @Test
  @DisplayName("E8 after a failure no further input is run, and no other failure is dropped")
  void afterAFailureNothingStarts() {
    AtomicInteger started = new AtomicInteger();
    Graph graph = Graphs.single("bad", state -> {
      started.incrementAndGet();
      return Mono.error(new IllegalStateException("bad"));
    });

    StepVerifier.create(GraphRunner.of(graph).runAll(inputs, 8)).expectError().verify(PATIENCE);
    assertThat(started).hasValue(1);
  }

  @Test
  @DisplayName("E8 runs that fail while the others are let go drop nothing")
  void failuresAtTheSameTimeDropNothing() {
    TestPublisher<Update> all = TestPublisher.create();
    Graph graph = Graphs.single(
        "bad", state -> all.flux().concatWith(Mono.error(new IllegalStateException("bad"))));

    StepVerifier.create(GraphRunner.of(graph).runAll(inputs, 8))
        .then(all::complete)
        .expectError()
        .verify(PATIENCE);
  }

  @Test
  void inputsThatFailOrEndAreTold() {
    GraphRunner runner = GraphRunner.of(Graphs.counting(1));

    StepVerifier.create(runner.runAll(Flux.empty(), 2)).expectComplete().verify(PATIENCE);
    StepVerifier.create(runner.runAll(Flux.error(new IllegalStateException("source")), 2))
        .expectErrorMessage("source")
        .verify(PATIENCE);
    assertThatThrownBy(() -> runner.runAll(inputs, 0)).hasMessageContaining("concurrency");
  }
}
