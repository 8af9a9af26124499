package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.HostilePlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** Retries, handlers, timeouts and observers with errors that Reactor considers fatal. */
class FatalErrorPolicyTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final AtomicInteger attempts = new AtomicInteger();
  private final List<Throwable> handled = new ArrayList<>();

  static Stream<Error> errors() {
    return HostilePlace.errors().stream();
  }

  private Graph failing(Throwable error, NodePolicy policy) {
    return graph()
        .node(
            "node",
            state -> Mono.defer(() -> {
              attempts.incrementAndGet();
              return Mono.error(error);
            }))
        .policy("node", policy)
        .handler("node", (state, failure) -> {
          handled.add(failure.error());
          return Mono.just(Update.of(COUNT, 1));
        })
        .sequence(START, "node", END)
        .build();
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("E15 VirtualMachineError and LinkageError are not retried by default")
  void notRetriedByDefault(Error error) {
    GraphRunner.of(failing(error, NodePolicy.retry(3)))
        .run(Update.NOTHING)
        .onErrorComplete()
        .block(PATIENCE);

    boolean isPermanent = error instanceof VirtualMachineError || error instanceof LinkageError;
    assertThat(attempts).hasValue(isPermanent ? 1 : 3);
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("E15 retryOn opts in, but never after an OutOfMemoryError")
  void retriedOnDemand(Error error) {
    GraphRunner.of(failing(error, NodePolicy.retry(3).retryOn(any -> true)))
        .run(Update.NOTHING)
        .onErrorComplete()
        .block(PATIENCE);

    assertThat(attempts).hasValue(error instanceof OutOfMemoryError ? 1 : 3);
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("E16 the handler receives the error itself, but never an OutOfMemoryError")
  void handled(Error error) {
    Throwable end = GraphRunner.of(failing(error, NodePolicy.NONE))
        .run(Update.NOTHING)
        .materialize()
        .mapNotNull(signal -> signal.getThrowable())
        .block(PATIENCE);

    if (error instanceof OutOfMemoryError) {
      assertThat(handled).isEmpty();
      assertThat(end).isInstanceOf(NodeFailedException.class).hasCause(error);
    } else {
      assertThat(handled).containsExactly(error);
      assertThat(end).isNull();
    }
  }

  private Graph nested(Graph inner, NodePolicy policy) {
    return graph()
        .subgraph("outer", inner)
        .policy("outer", policy)
        .handler("outer", (state, failure) -> {
          handled.add(failure.error());
          return Mono.just(Update.of(COUNT, 1));
        })
        .sequence(START, "outer", END)
        .build();
  }

  private Graph inner(Error error) {
    return graph()
        .compute("inner", state -> {
          attempts.incrementAndGet();
          throw error;
        })
        .sequence(START, "inner", END)
        .build();
  }

  private Graph innerRouter(Error error) {
    return graph()
        .compute("inner", state -> Update.NOTHING)
        .edge(START, "inner")
        .route("inner", Graph.to("inner", END), state -> {
          attempts.incrementAndGet();
          throw error;
        })
        .build();
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("E15 a subgraph is retried by the rules of the error inside")
  void nestedNotRetried(Error error) {
    boolean isPermanent = error instanceof VirtualMachineError || error instanceof LinkageError;
    for (Graph inner : List.of(inner(error), innerRouter(error))) {
      attempts.set(0);

      GraphRunner.of(nested(inner, NodePolicy.retry(3)))
          .run(Update.NOTHING)
          .onErrorComplete()
          .block(PATIENCE);

      assertThat(attempts).hasValue(isPermanent ? 1 : 3);
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("E15 retryOn opts in to errors inside a subgraph, but never to an OutOfMemoryError")
  void nestedRetriedOnDemand(Error error) {
    List<Throwable> tested = new ArrayList<>();
    NodePolicy policy = NodePolicy.retry(3).retryOn(failure -> {
      tested.add(failure);
      return true;
    });

    GraphRunner.of(nested(inner(error), policy))
        .run(Update.NOTHING)
        .onErrorComplete()
        .block(PATIENCE);

    assertThat(attempts).hasValue(error instanceof OutOfMemoryError ? 1 : 3);
    assertThat(tested)
        .hasSize(error instanceof OutOfMemoryError ? 0 : 2)
        .allSatisfy(failure ->
            assertThat(failure).isInstanceOf(NodeFailedException.class).hasCause(error));
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("E16 no handler runs after an OutOfMemoryError inside a subgraph")
  void nestedHandled(Error error) {
    Throwable end = GraphRunner.of(nested(inner(error), NodePolicy.NONE))
        .run(Update.NOTHING)
        .materialize()
        .mapNotNull(signal -> signal.getThrowable())
        .block(PATIENCE);

    if (error instanceof OutOfMemoryError) {
      assertThat(handled).isEmpty();
      assertThat(end).isInstanceOf(NodeFailedException.class).hasRootCause(error);
    } else {
      assertThat(handled).hasSize(1);
      assertThat(handled.get(0)).isInstanceOf(NodeFailedException.class).hasCause(error);
      assertThat(end).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("E16 the handler receives an error that Mono.error signals as it is")
  void notWrapped(Error error) {
    Graph graph = graph()
        .node("node", state -> Mono.error(error))
        .handler("node", (state, failure) -> {
          handled.add(failure.error());
          return Mono.just(Update.of(COUNT, 1));
        })
        .sequence(START, "node", END)
        .build();

    GraphRunner.of(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    assertThat(handled).isEqualTo(error instanceof OutOfMemoryError ? List.of() : List.of(error));
  }

  @Test
  @DisplayName("E15 a publisher that never calls onSubscribe is timed out")
  void neverSubscribed() {
    Publisher<Update> silent = subscriber -> {};

    StepVerifier.withVirtualTime(() -> GraphRunner.of(graph()
                .node("node", state -> silent)
                .policy("node", NodePolicy.NONE.timeout(Duration.ofSeconds(3)))
                .sequence(START, "node", END)
                .build())
            .run(Update.NOTHING))
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(2900))
        .thenAwait(Duration.ofMillis(100))
        .expectErrorSatisfies(
            failed -> assertThat(failed).hasCauseInstanceOf(NodeTimeoutException.class))
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("E15 a publisher that calls onSubscribe after its timeout is cancelled")
  void subscribedTooLate() {
    AtomicInteger cancelled = new AtomicInteger();
    Publisher<Update> late = subscriber -> Mono.delay(Duration.ofSeconds(5))
        .subscribe(tick ->
            Flux.<Update>never().doOnCancel(cancelled::incrementAndGet).subscribe(subscriber));

    StepVerifier.withVirtualTime(() -> GraphRunner.of(graph()
                .node("node", state -> late)
                .policy("node", NodePolicy.NONE.idleTimeout(Duration.ofSeconds(3)))
                .sequence(START, "node", END)
                .build())
            .run(Update.NOTHING)
            .onErrorResume(NodeFailedException.class, failed -> Mono.empty())
            .then(Mono.delay(Duration.ofSeconds(5))))
        .thenAwait(Duration.ofSeconds(10))
        .expectNext(0L)
        .expectComplete()
        .verify(PATIENCE);
    assertThat(cancelled).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("Promise 11: a clock that throws ends the run, on any JVM thread")
  void clock(boolean isOnThread) {
    Error error = new LinkageError("broken");
    InMemoryCheckpointStore store = InMemoryCheckpointStore.builder().build();
    GraphRunner runner = GraphRunner.builder(failing(error, NodePolicy.NONE))
        .checkpoints(store)
        .clock(() -> {
          throw error;
        })
        .build();
    Flux<GraphEvent> events =
        isOnThread ? runner.thread("t").stream(Update.NOTHING) : runner.stream(Update.NOTHING);

    assertThatThrownBy(() -> events.subscribeOn(Schedulers.parallel()).blockLast(PATIENCE))
        .isSameAs(error);

    assertThat(runner.leases().isIdle()).isTrue();
    assertThat(attempts).hasValue(0);
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("E19 an error of the observer is dropped, and the run completes")
  void observer(Error error) {
    List<Throwable> dropped = new ArrayList<>();
    Consumer<Throwable> hook = dropped::add;
    Graph graph = graph()
        .compute("node", state -> Update.append(LOG, "a"))
        .sequence(START, "node", END)
        .build();
    GraphRunner runner = GraphRunner.builder(graph)
        .observedBy(stage -> {
          throw error;
        })
        .build();

    RunResult result = runner
        .run(Update.NOTHING)
        .contextWrite(Context.of("reactor.onErrorDropped.local", hook))
        .block(PATIENCE);

    assertThat(result.isCompleted()).isTrue();
    assertThat(dropped).containsExactly(error);
  }
}
