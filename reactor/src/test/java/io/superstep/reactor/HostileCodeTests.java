package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.ThreadStatus;
import io.superstep.error.SuperstepException;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.state.Update;
import io.superstep.testkit.HostilePlace;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

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
    assertThat(place.needsAnswer() || names(end, error))
        .as("names the error: %s", end)
        .isTrue();
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
    assertThat(names(end, error)).as("names the error: %s", end).isTrue();
    assertThat(runner.stalls().watched()).isZero();
    assertThat(runner.leases().isIdle()).isTrue();
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

  /** A method of an observer that throws. */
  enum Hook {
    BEGIN_RUN,
    BEGIN_STAGE,
    ENTER,
    LEAVE,
    LEND,
    END
  }

  static Stream<Arguments> hooks() {
    return Arrays.stream(Hook.values())
        .flatMap(hook -> HostilePlace.errors().stream().map(error -> Arguments.of(hook, error)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("hooks")
  @DisplayName("Promise 11: an observer that throws affects neither the run nor its lease")
  void observer(Hook hook, Error error) {
    List<Throwable> dropped = new CopyOnWriteArrayList<>();
    Consumer<Throwable> drop = dropped::add;
    for (int way = 0; way < 3; way++) {
      InMemoryCheckpointStore store = InMemoryCheckpointStore.builder().build();
      Graph graph = Graphs.graph()
          .node("node", state -> Mono.just(Update.append(Graphs.LOG, "a")).hide())
          .blocking("next", state -> Update.append(Graphs.LOG, "b"))
          .sequence(Graph.START, "node", "next", Graph.END)
          .build();
      GraphRunner.Builder builder =
          GraphRunner.builder(graph).checkpoints(store).observedBy(new Observer(hook, error));
      GraphRunner runner = (way == 2 ? builder.events(new InMemoryEventLog()) : builder).build();
      Mono<RunResult> run =
          way == 0 ? runner.run(Update.NOTHING) : runner.thread("t").run(Update.NOTHING);

      RunResult result =
          run.contextWrite(Context.of("reactor.onErrorDropped.local", drop)).block(PATIENCE);

      assertThat(result.isCompleted()).isTrue();
      assertThat(dropped).isNotEmpty().allMatch(error::equals);
      assertThat(runner.leases().isIdle()).isTrue();
      assertThat(runner.stalls().watched()).isZero();
    }
  }

  /** An observer of all stages that throws in one method. */
  private static final class Observer implements Watch {

    private final Hook failing;
    private final Error error;

    Observer(Hook failing, Error error) {
      this.failing = failing;
      this.error = error;
    }

    private void fail(Hook hook) {
      if (hook == failing) {
        throw error;
      }
    }

    @Override
    public Watch begin(Stage stage) {
      fail(stage instanceof Stage.Run ? Hook.BEGIN_RUN : Hook.BEGIN_STAGE);
      return this;
    }

    @Override
    public Scope enter() {
      fail(Hook.ENTER);
      return () -> fail(Hook.LEAVE);
    }

    @Override
    public Context lend(Context context) {
      fail(Hook.LEND);
      return context;
    }

    @Override
    public void end(Ending ending, @Nullable Throwable cause) {
      fail(Hook.END);
    }
  }

  /** Returns whether {@code end} has {@code error} as a cause, suppressed, or names its type. */
  private static boolean names(@Nullable Throwable end, Error error) {
    return end != null
        && (end == error
            || String.valueOf(end.getMessage()).contains(error.getClass().getSimpleName())
            || names(end.getCause(), error)
            || Arrays.stream(end.getSuppressed()).anyMatch(each -> names(each, error)));
  }

  /** Returns the error that a run ends with; null if it completes. */
  private static @Nullable Throwable end(Mono<?> run) {
    return run.materialize()
        .mapNotNull(signal -> signal.getThrowable())
        .timeout(PATIENCE)
        .block(PATIENCE.multipliedBy(2));
  }
}
