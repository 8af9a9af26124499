package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.event.EventLog;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;

/** A store that throws or signals a fatal error ends the run, in every durability mode. */
class HostileStoreTests {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static Error error() {
    return new NoClassDefFoundError("on purpose");
  }

  /** The way in which a call of a store fails. */
  enum Failure {
    THROWS,
    THROWS_ON_SUBSCRIPTION,
    SIGNALS,
    CALLABLE;

    Publisher<?> publisher() {
      return switch (this) {
        case THROWS -> throw error();
        case THROWS_ON_SUBSCRIPTION ->
          (Publisher<Object>) subscriber -> {
            throw error();
          };
        case SIGNALS -> Flux.error(error()).hide();
        case CALLABLE ->
          Mono.fromCallable(() -> {
            throw error();
          });
      };
    }
  }

  /** A failure of the log after the failure of the run has no receiver, and is dropped. */
  private static void ignore(Throwable dropped) {}

  /** The JVM thread on which the engine makes the next call. */
  enum Delivery {
    IMMEDIATE {
      @Override
      Object of(Object result) {
        return result;
      }
    },
    DELAYED {
      @Override
      Object of(Object result) {
        return result instanceof Publisher<?> publisher
            ? Flux.from(publisher).delaySubscription(Duration.ofMillis(1))
            : result;
      }
    };

    abstract Object of(Object result);
  }

  /** What the graph does while its store fails. */
  enum Work {
    PARALLEL {
      @Override
      Graph graph() {
        return Graphs.parallel(Map.of(
                "a", state -> Mono.just(Update.append(Graphs.LOG, "a")),
                "b", state -> Mono.just(Update.append(Graphs.LOG, "b"))))
            .build();
      }
    },
    RETRIED {
      @Override
      Graph graph() {
        AtomicInteger attempts = new AtomicInteger();
        return Graphs.graph()
            .node(
                "a",
                state -> Mono.defer(() -> attempts.incrementAndGet() == 1
                    ? Mono.error(new IllegalStateException("the first attempt"))
                    : Mono.just(Update.append(Graphs.LOG, "a"))))
            .policy("a", NodePolicy.retry(2).actingOutside())
            .sequence(START, "a", END)
            .build();
      }
    },
    FAILING {
      @Override
      Graph graph() {
        return Graphs.single("a", state -> Mono.error(new IllegalStateException("on purpose")));
      }
    };

    abstract Graph graph();
  }

  static Stream<Arguments> cells() {
    return Arrays.stream(Failure.values())
        .flatMap(failure -> Arrays.stream(Durability.values())
            .flatMap(durability -> Stream.of(
                    "acquire", "load", "commit", "record", "release", "open", "append")
                .flatMap(method -> Arrays.stream(Delivery.values())
                    .map(delivery -> Arguments.of(method, failure, durability, delivery)))));
  }

  /** A proxy of {@code target} in which the call with a number of one method fails. */
  private static <T> T failing(
      Class<T> type, T target, String failing, Failure failure, int call, Delivery delivery) {
    AtomicInteger calls = new AtomicInteger();
    InvocationHandler handler = (proxy, method, arguments) ->
        method.getName().equals(failing) && calls.incrementAndGet() == call
            ? failure.publisher()
            : delivery.of(method.invoke(target, arguments));
    return type.cast(Proxy.newProxyInstance(
        HostileStoreTests.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @ParameterizedTest(name = "{0}, {1}, {2}, {3}")
  @MethodSource("cells")
  @DisplayName("Promise 11: the run ends, and its lease is not renewed")
  void ends(String method, Failure failure, Durability durability, Delivery delivery) {
    for (Work work : Work.values()) {
      for (int call : List.of(1, 2)) {
        verify(work, method, failure, durability, delivery, call);
      }
    }
  }

  private static void verify(
      Work work,
      String method,
      Failure failure,
      Durability durability,
      Delivery delivery,
      int call) {
    InMemoryCheckpointStore store = InMemoryCheckpointStore.builder().build();
    EventLog log = new InMemoryEventLog();
    GraphRunner runner = GraphRunner.builder(work.graph())
        .checkpoints(failing(CheckpointStore.class, store, method, failure, call, delivery))
        .events(failing(EventLog.class, log, method, failure, call, delivery))
        .defaults(RunOptions.NONE.durability(durability))
        .build();

    Throwable end = end(runner.thread("t").run(Update.NOTHING));

    assertThat(end == null
            || end instanceof NoClassDefFoundError
            || (work == Work.FAILING && end instanceof NodeFailedException))
        .as("%s, call %s ended with %s", work, call, end)
        .isTrue();
    assertThat(runner.stalls().watched()).isZero();
    assertThat(runner.leases().isIdle()).isTrue();
    if (!method.equals("release")) { // else the lease expires
      assertThat(store.threads(EnumSet.of(ThreadStatus.RUNNING)).collectList().block(PATIENCE))
          .isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Promise 11: a renewal that fails is repeated")
  void renewed(Failure failure) {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    Sinks.One<Update> output = Sinks.one();
    InMemoryCheckpointStore store = InMemoryCheckpointStore.builder().build();
    GraphRunner runner = GraphRunner.builder(Graphs.single("a", state -> output.asMono()))
        .checkpoints(failing(CheckpointStore.class, store, "renew", failure, 1, Delivery.IMMEDIATE))
        .timer(timer)
        .build();

    StepVerifier.create(runner.thread("t").run(Update.NOTHING))
        .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3).multipliedBy(3)))
        .then(() -> output.tryEmitValue(Update.append(Graphs.LOG, "a")))
        .assertNext(result -> assertThat(result.isCompleted()).isTrue())
        .expectComplete()
        .verify(PATIENCE);

    assertThat(runner.leases().isIdle()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "Promise 11: an error of the store at one thread does not affect deadlines of others")
  void settled(Failure failure) {
    InMemoryCheckpointStore store = InMemoryCheckpointStore.builder().build();
    Graph graph = Graphs.single("a", state -> Mono.never());
    for (String thread : List.of("1", "2")) {
      GraphRunner.builder(graph).checkpoints(store).build().thread(thread).stream(Update.NOTHING)
          .take(1)
          .blockLast(PATIENCE);
    }
    GraphRunner runner = GraphRunner.builder(graph)
        .checkpoints(failing(CheckpointStore.class, store, "load", failure, 1, Delivery.DELAYED))
        .build();

    List<Settlement> settled = runner.settleDue().collectList().block(PATIENCE);

    assertThat(settled)
        .singleElement()
        .extracting(Settlement::error)
        .isInstanceOf(NoClassDefFoundError.class);
  }

  private static @Nullable Throwable end(Mono<?> run) {
    return run.contextWrite(Context.of(
            "reactor.onErrorDropped.local", (Consumer<Throwable>) HostileStoreTests::ignore))
        .materialize()
        .mapNotNull(signal -> signal.getThrowable())
        .timeout(PATIENCE)
        .onErrorResume(thrown -> Mono.just(thrown))
        .block(PATIENCE.multipliedBy(2));
  }
}
