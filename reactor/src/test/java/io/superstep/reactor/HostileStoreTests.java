package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.event.EventLog;
import io.superstep.state.Update;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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

  static Stream<Arguments> cells() {
    return Arrays.stream(Failure.values())
        .flatMap(failure -> Arrays.stream(Durability.values())
            .flatMap(durability -> Stream.of(
                    "acquire", "load", "commit", "record", "release", "open", "append")
                .map(method -> Arguments.of(method, failure, durability))));
  }

  /** A proxy of {@code target} in which the call with a number of one method fails. */
  private static <T> T failing(Class<T> type, T target, String failing, Failure failure, int call) {
    int[] calls = new int[1];
    InvocationHandler handler = (proxy, method, arguments) -> {
      if (method.getName().equals(failing) && ++calls[0] == call) {
        return failure.publisher();
      }
      return method.invoke(target, arguments);
    };
    return type.cast(Proxy.newProxyInstance(
        HostileStoreTests.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @ParameterizedTest(name = "{0}, {1}, {2}")
  @MethodSource("cells")
  @DisplayName("Promise 11: the run ends, and its lease is not renewed")
  void ends(String method, Failure failure, Durability durability) {
    for (int call : List.of(1, 2)) {
      verify(method, failure, durability, call);
    }
  }

  private static void verify(String method, Failure failure, Durability durability, int call) {
    InMemoryCheckpointStore store = InMemoryCheckpointStore.builder().build();
    GraphRunner runner = GraphRunner.builder(Graphs.parallel(Map.of(
                "a", state -> Mono.just(Update.append(Graphs.LOG, "a")),
                "b", state -> Mono.just(Update.append(Graphs.LOG, "b"))))
            .build())
        .checkpoints(failing(CheckpointStore.class, store, method, failure, call))
        .events(failing(EventLog.class, new InMemoryEventLog(), method, failure, call))
        .defaults(RunOptions.DEFAULT.durability(durability))
        .build();

    Throwable end = end(runner.thread("t").run(Update.NOTHING));

    assertThat(end == null || end instanceof NoClassDefFoundError)
        .as("ended with %s", end)
        .isTrue();
    assertThat(runner.stalls().watched()).isZero();
    assertThat(runner.leases().isIdle()).isTrue();
    if (!method.equals("release")) { // else the lease expires
      assertThat(store.threads(EnumSet.of(ThreadStatus.RUNNING)).collectList().block(PATIENCE))
          .isEmpty();
    }
  }

  private static @Nullable Throwable end(Mono<?> run) {
    return run.materialize()
        .mapNotNull(signal -> signal.getThrowable())
        .timeout(PATIENCE)
        .onErrorResume(thrown -> Mono.just(thrown))
        .block(PATIENCE.multipliedBy(2));
  }
}
