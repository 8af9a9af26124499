package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.ThreadStatus;
import io.superstep.error.SuperstepException;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.state.Update;
import io.superstep.testkit.HostilePlace;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Errors of every kind, thrown in every place where user code runs, end the run. */
class HostileCodeTests {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  static Stream<Arguments> cells() {
    return Arrays.stream(HostilePlace.values())
        .flatMap(place -> HostilePlace.errors().stream().map(error -> Arguments.of(place, error)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("cells")
  @DisplayName("Promise 11: a run without a thread ends with a typed error")
  void run(HostilePlace place, Error error) {
    GraphRunner runner = GraphRunner.of(place.graph(error));

    Throwable end = end(runner.run(Update.NOTHING));

    assertThat(end).isInstanceOf(SuperstepException.class);
    assertThat(runner.stalls().watched()).isZero();
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("cells")
  @DisplayName("Promise 11: a run of a thread ends with a typed error and releases its lease")
  void thread(HostilePlace place, Error error) {
    verifyThread(place, error, null);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("cells")
  @DisplayName("Promise 11: the same with an event log, which has the end of the run")
  void logged(HostilePlace place, Error error) {
    InMemoryEventLog log = InMemoryEventLog.builder().build();

    verifyThread(place, error, log);

    if (place != HostilePlace.DEFAULT_VALUE) {
      GraphEvent last =
          Flux.from(log.read("t", 0, place.graph(error).schemas())).blockLast(PATIENCE);
      assertThat(last).isInstanceOf(GraphEvent.RunFailed.class);
    }
  }

  private static void verifyThread(HostilePlace place, Error error, @Nullable EventLog log) {
    InMemoryCheckpointStore store = InMemoryCheckpointStore.builder().build();
    GraphRunner.Builder builder = GraphRunner.builder(place.graph(error)).checkpoints(store);
    GraphRunner runner = (log == null ? builder : builder.events(log)).build();
    GraphThread thread = runner.thread("t");

    Mono<?> run = thread.run(Update.NOTHING);
    if (place.needsAnswer()) {
      run = run.thenMany(thread.resume(Resume.answer("q", "because"))).then();
    }
    Throwable end = end(run);

    assertThat(end).isInstanceOf(SuperstepException.class);
    assertThat(runner.stalls().watched()).isZero();
    assertThat(store.threads(EnumSet.of(ThreadStatus.RUNNING)).collectList().block(PATIENCE))
        .isEmpty();
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("cells")
  @DisplayName("Promise 11: a detached run ends, and close() finds nothing to cancel")
  void detached(HostilePlace place, Error error) {
    InMemoryCheckpointStore store = InMemoryCheckpointStore.builder().build();
    GraphRunner runner = GraphRunner.builder(place.graph(error))
        .checkpoints(store)
        .events(InMemoryEventLog.builder().build())
        .build();

    end(runner.thread("t").start(Update.NOTHING));

    assertThat(runner.close(PATIENCE).collectList().block(PATIENCE)).isEmpty();
    assertThat(store.threads(EnumSet.of(ThreadStatus.RUNNING)).collectList().block(PATIENCE))
        .isEmpty();
  }

  /** Returns the error that a run ends with; null if it completes. */
  private static @Nullable Throwable end(Mono<?> run) {
    return run.materialize()
        .mapNotNull(signal -> signal.getThrowable())
        .timeout(PATIENCE)
        .block(PATIENCE.multipliedBy(2));
  }
}
