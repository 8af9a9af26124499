package io.superstep.reactor;

import static io.superstep.reactor.Graphs.COUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.ThreadStatus;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
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
    boolean isAsynchronous = mode == Mode.ASYNCHRONOUS || mode == Mode.ASYNCHRONOUS_AND_LOGGED;
    GraphRunner.Builder builder = GraphRunner.builder(Graphs.counting(5))
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
