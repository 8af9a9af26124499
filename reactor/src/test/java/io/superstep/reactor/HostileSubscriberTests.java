package io.superstep.reactor;

import static io.superstep.reactor.Graphs.COUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** A subscriber that throws never keeps a thread locked. */
class HostileSubscriberTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final InMemoryCheckpointStore store =
      InMemoryCheckpointStore.builder().build();
  private final Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();

  /** The kind of store calls: answered on the caller's JVM thread or on another one. */
  enum Mode {
    PLAIN,
    LOGGED,
    ASYNCHRONOUS,
    ASYNCHRONOUS_AND_LOGGED
  }

  private GraphRunner runner(Mode mode) {
    return runner(mode, Graphs.counting(5));
  }

  private GraphRunner runner(Mode mode, Graph graph) {
    boolean isAsynchronous = mode == Mode.ASYNCHRONOUS || mode == Mode.ASYNCHRONOUS_AND_LOGGED;
    GraphRunner.Builder builder = GraphRunner.builder(graph)
        .checkpoints(
            isAsynchronous
                ? new SlowStore(store, Mono.delay(Duration.ofMillis(1)).then())
                : store);
    return mode == Mode.PLAIN || mode == Mode.ASYNCHRONOUS
        ? builder.build()
        : builder.events(new InMemoryEventLog()).build();
  }

  static Stream<Arguments> cells() {
    return Stream.of(Mode.values())
        .flatMap(mode -> Stream.of(new IllegalStateException("broken"), new LinkageError("broken"))
            .flatMap(error ->
                IntStream.range(0, 12).mapToObj(event -> Arguments.of(mode, error, event))));
  }

  @ParameterizedTest(name = "{0}, {1}, event {2}")
  @MethodSource("cells")
  @DisplayName("Promise 11: onNext throws: the lease is released, and the error is reported")
  void onNextThrows(Mode mode, Throwable error, int event) {
    GraphThread thread = runner(mode).thread("t");

    thread.stream(Update.NOTHING).subscribe(new Throwing<>(event, error, dropped::add));

    verifyReleased(thread);
    assertThat(dropped).containsExactly(error);
  }

  static Stream<Arguments> modesAndErrors() {
    return Stream.of(Mode.values())
        .flatMap(mode -> Stream.of(new IllegalStateException("broken"), new LinkageError("broken"))
            .map(error -> Arguments.of(mode, error)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("modesAndErrors")
  @DisplayName("Promise 11: onNext throws while a task runs: the task is cancelled")
  void onNextThrowsWhileTaskRuns(Mode mode, Throwable error) {
    AtomicInteger running = new AtomicInteger();
    Graph waiting = Graphs.single(
        "node",
        state -> Flux.concat(Mono.just((NodeOutput) new Chunk("a")), Mono.never())
            .doOnSubscribe(any -> running.incrementAndGet())
            .doOnCancel(running::decrementAndGet));
    GraphRunner runner = runner(mode, waiting);
    int chunk = 3; // after the starts of the run, the step and the task

    runner.thread("t").stream(Update.NOTHING).subscribe(new Throwing<>(chunk, error, dropped::add));

    waitForDropped();
    assertThat(dropped).containsExactly(error);
    verifyNotRunning();
    assertThat(running).hasValue(0);
    assertThat(runner.stalls().watched()).isZero();
    assertThat(runner.leases().isIdle()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Promise 11: an operator of the caller throws a LinkageError: the lease is released")
  void operatorThrows(Mode mode) {
    GraphThread thread = runner(mode).thread("t");
    Error error = new LinkageError("broken");
    AtomicInteger events = new AtomicInteger();

    thread.stream(Update.NOTHING)
        .map(event -> {
          if (events.incrementAndGet() == 4) {
            throw error;
          }
          return event;
        })
        .subscribe(new Throwing<>(Integer.MAX_VALUE, error, dropped::add));

    verifyReleased(thread);
    assertThat(dropped).containsExactly(error);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Promise 11: a caller that waits for a stream whose operator throws does not hang")
  void waitingCaller(Mode mode) {
    Error error = new LinkageError("broken");

    assertThatThrownBy(() -> runner(mode).thread("t").stream(Update.NOTHING)
            .<GraphEvent>map(event -> {
              throw error;
            })
            .blockLast(PATIENCE))
        .isSameAs(error);
    assertThatThrownBy(() -> runner(mode).stream(Update.NOTHING)
            .<GraphEvent>map(event -> {
              throw error;
            })
            .blockLast(PATIENCE))
        .isSameAs(error);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Promise 11: a caller that waits for a result whose operator throws does not hang")
  void waitingForResult(Mode mode) {
    Error error = new LinkageError("broken");

    assertThatThrownBy(() -> failing(runner(mode).thread("t").run(Update.NOTHING), error))
        .isSameAs(error);
    assertThatThrownBy(() -> failing(runner(mode).run(Update.NOTHING), error)).isSameAs(error);
    assertThatThrownBy(() ->
            failing(runner(mode).thread("t").update(Update.of(COUNT, 1), "ada", null), error))
        .isSameAs(error);
    assertThatThrownBy(() -> failing(runner(mode).thread("t2").start(Update.NOTHING), error))
        .isSameAs(error);
    verifyNotRunning();
  }

  private static void failing(Mono<?> result, Error error) {
    result
        .map(value -> {
          throw error;
        })
        .block(PATIENCE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName(
      "Promise 11: the inputs of runAll throw in request: the runs under way are cancelled")
  void inputsThrow(boolean isFatal) {
    AtomicInteger running = new AtomicInteger();
    GraphRunner runner = GraphRunner.of(Graphs.single(
        "node",
        state -> Mono.<Update>never()
            .doOnSubscribe(any -> running.incrementAndGet())
            .doOnCancel(running::decrementAndGet)));
    Throwable error = isFatal ? new LinkageError("broken") : new IllegalStateException("broken");
    Flux<Update> inputs = Flux.from(subscriber -> subscriber.onSubscribe(new Subscription() {
      @Override
      public void request(long count) {
        subscriber.onNext(Update.NOTHING);
        if (error instanceof Error fatal) {
          throw fatal;
        }
        throw (RuntimeException) error;
      }

      @Override
      public void cancel() {}
    }));

    assertThatThrownBy(() -> runner.runAll(inputs, 2).blockLast(PATIENCE)).isSameAs(error);

    assertThat(running).hasValue(0);
    assertThat(runner.stalls().watched()).isZero();
  }

  @Test
  @DisplayName("Promise 11: a filter of recover() that throws a fatal error ends it with the error")
  void filterThrows() {
    Error error = new LinkageError("broken");
    Flux<ThreadSummary> listed =
        Flux.just(new ThreadSummary("t", ThreadStatus.ORPHANED, null, Instant.EPOCH));
    GraphRunner listing = GraphRunner.builder(Graphs.counting(5))
        .checkpoints(new StoreAround(store) {
          @Override
          public Flux<ThreadSummary> threads(Set<ThreadStatus> statuses) {
            return listed.delaySubscription(Duration.ofMillis(1));
          }
        })
        .build();

    assertThatThrownBy(() -> listing
            .recover(thread -> {
              throw error;
            })
            .blockLast(PATIENCE))
        .isSameAs(error);
  }

  @Test
  @DisplayName("Promise 11: the subscriber of an update throws: the lease is released")
  void updateSubscriberThrows() {
    GraphThread thread = runner(Mode.LOGGED).thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);
    Error error = new LinkageError("broken");

    thread
        .update(List.of(Amendment.of(Update.of(COUNT, 1), "ada", null)))
        .subscribe(new Throwing<>(0, error, dropped::add));

    verifyReleased(thread);
    assertThat(dropped).containsExactly(error);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Promise 11: onSubscribe throws: nothing is locked")
  void onSubscribeThrows(Mode mode) {
    GraphThread thread = runner(mode).thread("t");
    Error error = new LinkageError("broken");

    try {
      thread.stream(Update.NOTHING).subscribe(new Throwing<GraphEvent>(0, error, dropped::add) {
        @Override
        public void onSubscribe(Subscription subscription) {
          subscription.request(1);
          throw error;
        }
      });
    } catch (LinkageError thrown) {
      dropped.add(thrown);
    }

    assertThat(dropped).contains(error);
    Flux.interval(Duration.ofMillis(1))
        .concatMap(tick -> store.threads(EnumSet.of(ThreadStatus.RUNNING)).count())
        .filter(running -> running == 0)
        .next()
        .block(PATIENCE);
  }

  @Test
  @DisplayName("Promise 11: a follower that throws leaves the run and the other followers alone")
  void followerThrows() {
    GraphThread thread = runner(Mode.LOGGED).thread("t");
    Error error = new LinkageError("broken");
    thread.attach(0, Chunks.NONE).subscribe(new Throwing<>(2, error, dropped::add));
    Flux<GraphEvent> other = thread.attach(0, Chunks.NONE).replay().autoConnect(0);

    thread.run(Update.NOTHING).block(PATIENCE);

    other.takeUntil(GraphEvent.Terminal.class::isInstance).blockLast(PATIENCE);
    waitForDropped();
    assertThat(dropped).containsExactly(error);
  }

  private void verifyReleased(GraphThread thread) {
    waitForDropped();
    verifyNotRunning();
    RunResult.of(thread.resume()).block(PATIENCE);
  }

  private void verifyNotRunning() {
    Flux.interval(Duration.ofMillis(1))
        .concatMap(tick -> store.threads(EnumSet.of(ThreadStatus.RUNNING)).count())
        .filter(running -> running == 0)
        .next()
        .block(PATIENCE);
  }

  private void waitForDropped() {
    Flux.interval(Duration.ofMillis(1)).takeUntil(tick -> !dropped.isEmpty()).blockLast(PATIENCE);
  }

  /** A subscriber that throws when it receives the event with a number. */
  private static class Throwing<T> implements CoreSubscriber<T> {

    private final int event;
    private final Throwable error;
    private final Consumer<Throwable> dropped;
    private int received;

    Throwing(int event, Throwable error, Consumer<Throwable> dropped) {
      this.event = event;
      this.error = error;
      this.dropped = dropped;
    }

    @Override
    public Context currentContext() {
      return Context.of("reactor.onErrorDropped.local", dropped);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(T value) {
      if (received++ == event) {
        if (error instanceof Error fatal) {
          throw fatal;
        }
        throw (RuntimeException) error;
      }
    }

    @Override
    public void onError(Throwable failed) {
      dropped.accept(
          failed == error && error instanceof Error
              ? failed
              : new AssertionError("A signal after the end.", failed));
    }

    @Override
    public void onComplete() {
      dropped.accept(new AssertionError("A signal after the end."));
    }
  }
}
