package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static io.superstep.reactor.Graphs.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.GraphEvent.QuestionAsked;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.RunStopped;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.UnknownCursorException;
import io.superstep.graph.Graph;
import io.superstep.question.Question;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;

/** Threads whose runner is closed, and the runner that takes them over. */
class ShutdownTests extends OnAThread {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(1);

  private final InMemoryEventLog log = InMemoryEventLog.builder().build();
  private final List<GraphRunner> runners = new CopyOnWriteArrayList<>();
  private Sinks.Empty<Void> gate = Sinks.empty();

  private GraphRunner runner(Graph graph) {
    GraphRunner runner =
        GraphRunner.builder(graph).checkpoints(store).events(log).clock(clock).build();
    runners.add(runner);
    return runner;
  }

  @AfterEach
  void closeAll() {
    runners.forEach(runner -> runner.close(SHORT).blockLast(PATIENCE));
  }

  private ThreadStatus status() {
    return Flux.from(store.threads(Set.of(ThreadStatus.values())))
        .map(ThreadSummary::status)
        .blockLast(PATIENCE);
  }

  private List<String> named(ThreadStatus status) {
    return Flux.from(store.threads(Set.of(status)))
        .map(ThreadSummary::thread)
        .collectList()
        .block(PATIENCE);
  }

  private static void until(GraphThread thread, Class<? extends GraphEvent> kind, int times) {
    thread
        .attach(0, Chunks.NONE)
        .filter(event -> kind.isInstance(event) && event.path().isEmpty())
        .take(times)
        .blockLast(PATIENCE);
  }

  /** Begins to close, and completes when that is done. */
  private static Mono<List<String>> closing(GraphRunner runner, Duration timeout) {
    Mono<List<String>> closed = runner.close(timeout).collectList().cache();
    closed.subscribe();
    return closed;
  }

  private static boolean isOver(Mono<?> mono) {
    return mono.toFuture().isDone();
  }

  private static List<Recovery> recovered(GraphRunner runner) {
    return runner.recover().collectList().block(PATIENCE);
  }

  /** Works until the gate is open, and then asks. */
  private Graph asking() {
    return graph()
        .node("work", state -> gate.asMono().then(Mono.fromSupplier(() -> called("work"))))
        .node(
            "asker",
            (state, context) ->
                Mono.from(context.ask("ok", Question.yesNo("Ok?"))).map(yes -> called("asker")))
        .sequence(START, "work", "asker", END)
        .build();
  }

  @Test
  @DisplayName("E22 a thread of a closed runner is taken over at once, and asks its question")
  void handsOver() {
    GraphRunner first = runner(asking());
    first.thread("t").start(Update.NOTHING).block(PATIENCE);
    until(first.thread("t"), TaskStarted.class, 1);
    Mono<List<String>> closed = closing(first, LONG);
    gate.tryEmitEmpty();
    assertThat(closed.block(PATIENCE)).isEmpty();
    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
    GraphRunner second = runner(asking());
    GraphThread thread = second.thread("t");

    assertThat(recovered(second)).containsExactly(new Recovery("t", null));
    until(thread, QuestionAsked.class, 1);
    until(thread, RunInterrupted.class, 1);

    assertThat(thread.questions().map(TaskNote.Asked::key).collectList().block(PATIENCE))
        .containsExactly("ok");
    assertThat(second.close(LONG).collectList().block(PATIENCE)).isEmpty();
    assertThat(status()).isEqualTo(ThreadStatus.WAITING);
    GraphRunner third = runner(asking());
    assertThat(recovered(third)).isEmpty();
    third.thread("t").resume(Resume.answer("ok", true)).blockLast(PATIENCE);
    assertThat(calls()).isEqualTo(Map.of("work", 1, "asker", 1));
    assertThat(status()).isEqualTo(ThreadStatus.DONE);
  }

  @Test
  @DisplayName("E22 X.15 ten restarts during one call of a model do not park its thread")
  void restartsDoNotPark() {
    Graph slow = single(
        "slow",
        state -> gate.asMono()
            .then(Mono.fromSupplier(() -> called("slow")))
            .doOnSubscribe(any ->
                calls.computeIfAbsent("begun", name -> new AtomicInteger()).incrementAndGet()));
    GraphRunner current = runner(slow);
    current.thread("t").start(Update.NOTHING).block(PATIENCE);
    for (int restart = 1; restart <= 10; restart++) {
      until(current.thread("t"), TaskStarted.class, restart);

      assertThat(current.close(SHORT).collectList().block(PATIENCE)).containsExactly("t");
      assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
      current = runner(slow);
      assertThat(recovered(current)).containsExactly(new Recovery("t", null));
    }

    gate.tryEmitEmpty();
    until(current.thread("t"), RunCompleted.class, 1);
    assertThat(calls()).isEqualTo(Map.of("begun", 11, "slow", 1));
  }

  @Test
  @DisplayName("E22 what a person stops stays STOPPED, also while the runner is closed")
  void peopleWin() {
    GraphRunner first = runner(asking());
    first.thread("t").start(Update.NOTHING).block(PATIENCE);
    until(first.thread("t"), TaskStarted.class, 1);
    Mono<List<String>> closed = closing(first, LONG);
    first.thread("t").stop().block(PATIENCE);
    gate.tryEmitEmpty();
    closed.block(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.STOPPED);

    GraphRunner second = runner(single("never", state -> Mono.never()));
    second.thread("cut").start(Update.NOTHING).block(PATIENCE);
    until(second.thread("cut"), TaskStarted.class, 1);
    second.thread("cut").stop().block(PATIENCE);
    assertThat(second.close(SHORT).collectList().block(PATIENCE)).containsExactly("cut");
    assertThat(named(ThreadStatus.STOPPED)).containsExactlyInAnyOrder("t", "cut");
  }

  @Test
  @DisplayName("E22 runs with a subscriber are handed over too, unless their own signal stops them")
  void subscribedRuns() {
    GraphRunner runner = runner(asking());
    AtomicReference<Mono<List<String>>> closed = new AtomicReference<>();

    StepVerifier.create(
            runner.thread("t").stream(Update.NOTHING).filter(RunStopped.class::isInstance))
        .then(() -> closed.set(closing(runner, LONG)))
        .then(() -> assertThat(isOver(closed.get())).isFalse())
        .then(gate::tryEmitEmpty)
        .expectNextCount(1)
        .expectComplete()
        .verify(PATIENCE);
    assertThat(closed.get().block(PATIENCE)).isEmpty();
    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);

    Stop stop = new Stop();
    Sinks.Empty<Void> other = Sinks.empty();
    GraphRunner second = runner(graph()
        .node("a", state -> other.asMono().then(Mono.just(Update.append(LOG, "a"))))
        .compute("b", state -> Update.append(LOG, "b"))
        .sequence(START, "a", "b", END)
        .build());
    StepVerifier.create(second.thread("u").run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop)))
        .then(() -> closing(second, LONG))
        .then(stop::request)
        .then(other::tryEmitEmpty)
        .assertNext(result -> assertThat(result.status()).isEqualTo(RunResult.Status.STOPPED))
        .expectComplete()
        .verify(PATIENCE);
    assertThat(named(ThreadStatus.STOPPED)).containsExactly("u");
  }

  @Test
  @DisplayName("E22 a run that is cancelled while its runner is closed is handed over")
  void cancelledRuns() {
    GraphRunner runner = runner(single("never", state -> Mono.never()));

    StepVerifier.create(
            runner.thread("t").stream(Update.NOTHING).filter(TaskStarted.class::isInstance))
        .expectNextCount(1)
        .then(() -> closing(runner, LONG))
        .thenCancel()
        .verify(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
  }

  @Test
  @DisplayName("E22 a run with a subscriber that does not end in time is cut off and handed over")
  void cutOff() {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    GraphRunner runner = GraphRunner.builder(single("never", state -> Mono.never()))
        .checkpoints(store)
        .timer(timer)
        .build();
    AtomicReference<Mono<List<String>>> closed = new AtomicReference<>();

    StepVerifier.create(
            runner.thread("t").stream(Update.NOTHING).filter(TaskStarted.class::isInstance))
        .expectNextCount(1)
        .then(() -> closed.set(closing(runner, LONG)))
        .then(() -> timer.advanceTimeBy(LONG))
        .expectErrorSatisfies(error -> assertThat(error)
            .isInstanceOf(RunnerClosedException.class)
            .hasMessageContaining("SG-159")
            .hasMessageContaining("thread 't'"))
        .verify(PATIENCE);

    assertThat(closed.get().block(PATIENCE)).containsExactly("t");
    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
  }

  @Test
  @DisplayName("E22 a run that is cancelled while its runner is open is STOPPED")
  void cancelledRunsOfOpenRunners() {
    GraphRunner runner = runner(single("never", state -> Mono.never()));

    StepVerifier.create(
            runner.thread("t").stream(Update.NOTHING).filter(TaskStarted.class::isInstance))
        .expectNextCount(1)
        .thenCancel()
        .verify(PATIENCE);
    runner.close(LONG).blockLast(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.STOPPED);
  }

  @Test
  @DisplayName("E22 a run that comes to its end while its runner is closed is DONE")
  void completedRuns() {
    GraphRunner runner =
        runner(single("work", state -> gate.asMono().then(Mono.just(Update.append(LOG, "x")))));
    runner.thread("t").start(Update.NOTHING).block(PATIENCE);
    until(runner.thread("t"), TaskStarted.class, 1);
    Mono<List<String>> closed = closing(runner, LONG);

    gate.tryEmitEmpty();
    closed.block(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.DONE);
    assertThat(recovered(runner(asking()))).isEmpty();
  }

  @Test
  @DisplayName("E22 E8 a run that fails while its runner is closed is not handed over")
  void failedRuns() {
    GraphRunner runner = runner(single(
        "bad", state -> gate.asMono().then(Mono.error(new IllegalStateException("broken")))));
    runner.thread("t").start(Update.NOTHING).block(PATIENCE);
    until(runner.thread("t"), TaskStarted.class, 1);
    Mono<List<String>> closed = closing(runner, LONG);

    gate.tryEmitEmpty();
    closed.block(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.FAILED);
    assertThat(recovered(runner(asking()))).isEmpty();
  }

  /** A graph whose node fails in the first run, and waits for the gate in the following ones. */
  private Graph failingOnce() {
    return single(
        "work",
        state -> broken.getAndSet(false)
            ? Mono.error(new IllegalStateException("broken"))
            : gate.asMono().then(Mono.fromSupplier(() -> called("work"))));
  }

  @Test
  @DisplayName("E22 E8 a failed thread that is resumed is handed over by a closed runner")
  void resumedAfterAFailure() {
    GraphRunner first = runner(failingOnce());
    first.thread("t").run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.FAILED);
    first.thread("t").start(Resume.GO_ON).block(PATIENCE);
    until(first.thread("t"), TaskStarted.class, 2);

    assertThat(first.close(SHORT).collectList().block(PATIENCE)).containsExactly("t");
    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
    GraphRunner second = runner(failingOnce());
    assertThat(recovered(second)).containsExactly(new Recovery("t", null));
    gate.tryEmitEmpty();
    until(second.thread("t"), RunCompleted.class, 1);

    assertThat(calls()).isEqualTo(Map.of("work", 1));
  }

  @Test
  @DisplayName("E22 a run whose save fails while its runner is closed is not handed over")
  void failedSaves() {
    FaultyStore failing = new FaultyStore(store, Fault.FAIL_BEFORE, 4);
    GraphRunner runner = GraphRunner.builder(asking()).checkpoints(failing).build();

    StepVerifier.create(runner.thread("t").run(Update.NOTHING))
        .then(() -> closing(runner, LONG))
        .then(gate::tryEmitEmpty)
        .expectError(TimeoutException.class)
        .verify(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.STOPPED);
  }

  @Test
  @DisplayName("E22 E20 a run that waits for demand while its runner is closed is handed over")
  void starvedRuns() {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    GraphRunner runner =
        GraphRunner.builder(Graphs.counting(3)).checkpoints(store).timer(timer).build();

    StepVerifier.create(runner.thread("t").stream(Update.NOTHING), 2)
        .expectNextCount(2)
        .then(() -> closing(runner, LONG).block(PATIENCE))
        .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3)))
        .then(() -> assertThat(status()).isEqualTo(ThreadStatus.ORPHANED))
        .thenCancel()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("E22 E20 also if it was waiting before its runner is closed")
  void restingRuns() {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    Graph graph = Graphs.counting(3);
    GraphRunner runner =
        GraphRunner.builder(graph).checkpoints(store).timer(timer).build();

    StepVerifier.create(runner.thread("t").stream(Update.NOTHING), 2)
        .expectNextCount(2)
        .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3)))
        .then(() -> assertThat(status()).isEqualTo(ThreadStatus.STOPPED))
        .then(() -> closing(runner, LONG).block(PATIENCE))
        .then(() -> assertThat(status()).isEqualTo(ThreadStatus.ORPHANED))
        .thenRequest(Long.MAX_VALUE)
        .thenConsumeWhile(event -> !(event instanceof RunStopped))
        .expectNextCount(1)
        .expectComplete()
        .verify(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
  }

  @Test
  @DisplayName("E22 E20 a thread that another run has taken meanwhile is not handed over")
  void restingAndTaken() {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    Graph graph = Graphs.counting(3);
    GraphRunner runner =
        GraphRunner.builder(graph).checkpoints(store).timer(timer).build();

    StepVerifier.create(runner.thread("t").stream(Update.NOTHING), 2)
        .expectNextCount(2)
        .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3)))
        .then(() -> runner(graph).thread("t").resume().blockLast(PATIENCE))
        .then(() -> closing(runner, LONG).block(PATIENCE))
        .then(() -> assertThat(status()).isEqualTo(ThreadStatus.DONE))
        .thenCancel()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("E22 E20 also if it begins to wait for demand when its runner is already closing")
  void starvedWhileClosing() {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    for (EventLog kept : Arrays.asList(null, log)) {
      GraphRunner.Builder builder =
          GraphRunner.builder(asking()).checkpoints(store).timer(timer);
      GraphRunner runner = (kept == null ? builder : builder.events(kept)).build();
      String thread = kept == null ? "t" : "logged";
      Sinks.Empty<Void> before = gate;
      gate = Sinks.empty();
      AtomicReference<Mono<List<String>>> closed = new AtomicReference<>();

      StepVerifier.create(runner.thread(thread).stream(Update.NOTHING), 4)
          .expectNextCount(4)
          .then(() -> closed.set(closing(runner, LONG)))
          .then(() -> assertThat(isOver(closed.get())).isFalse())
          .then(() -> gate.tryEmitEmpty())
          .then(() -> assertThat(closed.get().block(PATIENCE)).isEmpty())
          .then(() -> assertThat(named(ThreadStatus.ORPHANED)).contains(thread))
          .thenCancel()
          .verify(PATIENCE);
      gate = before;
    }
    assertThat(Flux.from(log.read("logged", 0, Schemas.NONE)).collectList().block(PATIENCE))
        .last()
        .isInstanceOf(RunStopped.class);
  }

  @Test
  @DisplayName("E22 E20 a thread that another run has left waiting or stopped is not handed over")
  void restingAndLeft() {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    gate.tryEmitEmpty();
    for (boolean isStopped : List.of(false, true)) {
      String thread = isStopped ? "stopped" : "waiting";
      Graph graph = graph()
          .node(
              "asker",
              (state, context) ->
                  Mono.from(context.ask("ok", Question.yesNo("Ok?"))).map(yes -> called("asker")))
          .sequence(START, "asker", END)
          .build();
      GraphRunner runner =
          GraphRunner.builder(graph).checkpoints(store).timer(timer).build();
      Stop stop = new Stop();
      RunOptions options = isStopped ? RunOptions.NONE.stoppedBy(stop) : RunOptions.NONE;
      if (isStopped) {
        stop.request();
      }

      StepVerifier.create(runner.thread(thread).stream(Update.NOTHING), 2)
          .expectNextCount(2)
          .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3)))
          .then(
              () -> runner(graph).thread(thread).resume(Resume.GO_ON, options).blockLast(PATIENCE))
          .then(() -> closing(runner, LONG).block(PATIENCE))
          .thenCancel()
          .verify(PATIENCE);
    }
    assertThat(named(ThreadStatus.WAITING)).containsExactly("waiting");
    assertThat(named(ThreadStatus.STOPPED)).containsExactly("stopped");
  }

  @Test
  @DisplayName("E22 closing waits for a lease that is being acquired")
  void waitsForAcquisitions() {
    CheckpointStore slow = new StoreAround(store) {
      @Override
      public Publisher<Lease> acquire(String thread, String owner, Duration time) {
        return gate.asMono().then(Mono.from(super.acquire(thread, owner, time)));
      }
    };
    GraphRunner runner = GraphRunner.builder(asking()).checkpoints(slow).build();
    Mono<RunResult> run = runner.thread("t").run(Update.NOTHING).cache();
    run.subscribe(any -> {}, refused -> {});

    Mono<List<String>> closed = closing(runner, LONG);
    assertThat(isOver(closed)).isFalse();
    gate.tryEmitEmpty();

    assertThat(closed.block(PATIENCE)).isEmpty();
    assertThatExceptionOfType(RunnerClosedException.class).isThrownBy(() -> run.block(PATIENCE));
    assertThat(status()).isNull(); // nothing was written, and no lease is held
  }

  @Test
  @DisplayName("E22 a detached run that is cut off before it begins reports no success")
  void cutOffBeforeItBegins() {
    CheckpointStore slow = new StoreAround(store) {
      @Override
      public Publisher<Lease> acquire(String thread, String owner, Duration time) {
        return gate.asMono().then(Mono.from(super.acquire(thread, owner, time)));
      }
    };
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    GraphRunner runner =
        GraphRunner.builder(asking()).checkpoints(slow).timer(timer).build();

    StepVerifier.create(runner.thread("t").start(Update.NOTHING))
        .then(timer::advanceTime)
        .then(() -> closing(runner, SHORT))
        .then(() -> timer.advanceTimeBy(SHORT))
        .expectErrorSatisfies(error -> assertThat(error)
            .isInstanceOf(RunnerClosedException.class)
            .hasMessageContaining("SG-159"))
        .verify(PATIENCE);
    gate.tryEmitEmpty();

    assertThat(status()).isNull(); // the input was not stored
  }

  @Test
  @DisplayName("E22 a store that refuses to hand a thread over is reported")
  void refusedRelease() {
    List<RunnerEvent> reported = new CopyOnWriteArrayList<>();
    CheckpointStore refusing = new StoreAround(store) {
      @Override
      public Publisher<Boolean> release(Lease lease, Release how) {
        return Mono.error(new IllegalStateException("no " + how));
      }
    };
    GraphRunner runner = GraphRunner.builder(asking())
        .checkpoints(refusing)
        .observedBy(new Reporting(reported::add))
        .build();

    StepVerifier.create(
            runner.thread("t").stream(Update.NOTHING).filter(RunStopped.class::isInstance))
        .then(() -> closing(runner, LONG))
        .then(gate::tryEmitEmpty)
        .expectNextCount(1)
        .expectComplete()
        .verify(PATIENCE);

    assertThat(reported)
        .filteredOn(RunnerEvent.LeaseNotReleased.class::isInstance)
        .extracting(event -> event.error().getMessage())
        .containsExactly("no HANDED_OVER");
  }

  /** Releases no lease before the gate is open. */
  private final class SlowRelease extends StoreAround {

    SlowRelease() {
      super(store);
    }

    @Override
    public Publisher<Boolean> release(Lease lease, Release how) {
      return gate.asMono().then(Mono.from(super.release(lease, how)));
    }
  }

  @Test
  @DisplayName(
      "E22 closing waits until the leases of cancelled runs are released, but not for ever")
  void waitsForReleases() {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    GraphRunner runner = GraphRunner.builder(single("never", state -> Mono.never()))
        .checkpoints(new SlowRelease())
        .timer(timer)
        .build();
    runner.thread("t").start(Update.NOTHING).subscribe();
    timer.advanceTime();

    AtomicBoolean isClosed = new AtomicBoolean();
    StepVerifier.create(runner.close(LONG).doOnComplete(() -> isClosed.set(true)))
        .then(() -> timer.advanceTimeBy(LONG))
        .expectNext("t")
        .then(() -> assertThat(status()).isEqualTo(ThreadStatus.RUNNING))
        .then(() -> assertThat(isClosed).isFalse())
        .then(gate::tryEmitEmpty)
        .expectComplete()
        .verify(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
  }

  @Test
  @DisplayName("E22 closing waits no longer than five seconds for a store that releases no lease")
  void waitsNotForEver() {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    GraphRunner runner = GraphRunner.builder(single("never", state -> Mono.never()))
        .checkpoints(new SlowRelease())
        .timer(timer)
        .build();
    runner.thread("t").start(Update.NOTHING).subscribe();
    timer.advanceTime();

    StepVerifier.create(runner.close(LONG))
        .then(() -> timer.advanceTimeBy(LONG))
        .expectNext("t")
        .then(() -> timer.advanceTimeBy(Duration.ofSeconds(5)))
        .expectComplete()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("X.19 E22 followers receive the last facts of a closed runner, and complete")
  void followersComplete() {
    GraphRunner runner = runner(asking());
    GraphThread thread = runner.thread("t");
    thread.start(Update.NOTHING).block(PATIENCE);
    until(thread, TaskStarted.class, 1);
    Mono<List<GraphEvent>> followed = thread.attach(0).collectList().cache();
    Disposable following = followed.subscribe();
    Mono<List<String>> closed = closing(runner, LONG);
    assertThat(following.isDisposed()).as("ended while a run is under way").isFalse();

    gate.tryEmitEmpty();
    closed.block(PATIENCE);

    assertThat(facts(followed.block(PATIENCE))).isEqualTo(logged());
    assertThat(logged()).last().isInstanceOf(RunStopped.class);
    assertThat(facts(thread.attach(2).collectList().block(PATIENCE)))
        .as("of who comes later")
        .isEqualTo(logged().subList(2, logged().size()));
    StepVerifier.create(thread.attach(99)).verifyError(UnknownCursorException.class);
  }

  @Test
  @DisplayName("X.19 E20 a slow follower of a closed runner receives each fact once, when it asks")
  void slowFollowers() {
    GraphRunner runner = runner(asking());
    GraphThread thread = runner.thread("t");
    thread.start(Update.NOTHING).block(PATIENCE);
    until(thread, TaskStarted.class, 1);

    StepVerifier.create(thread.attach(0, Chunks.NONE), 1)
        .expectNextCount(1)
        .then(() -> {
          Mono<List<String>> closed = closing(runner, LONG);
          gate.tryEmitEmpty();
          closed.block(PATIENCE);
        })
        .thenRequest(1)
        .expectNext(logged().get(1))
        .thenRequest(Long.MAX_VALUE)
        .recordWith(ArrayList::new)
        .thenConsumeWhile(any -> true)
        .consumeRecordedWith(
            rest -> assertThat(rest).isEqualTo(logged().subList(2, logged().size())))
        .expectComplete()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("X.19 a follower of a run that was cancelled continues at another runner")
  void followersReconnect() {
    Graph graph =
        single("slow", state -> gate.asMono().then(Mono.fromSupplier(() -> called("slow"))));
    GraphRunner first = runner(graph);
    first.thread("t").start(Update.NOTHING).block(PATIENCE);
    until(first.thread("t"), TaskStarted.class, 1);
    Mono<List<GraphEvent>> followed = first.thread("t").attach(0).collectList().cache();
    followed.subscribe();
    assertThat(first.close(SHORT).collectList().block(PATIENCE)).containsExactly("t");
    List<GraphEvent> seen = new ArrayList<>(facts(followed.block(PATIENCE)));
    GraphRunner second = runner(graph);
    long cursor = seen.get(seen.size() - 1).sequence();
    Mono<List<GraphEvent>> rest = second
        .thread("t")
        .attach(cursor)
        .takeUntil(RunCompleted.class::isInstance)
        .collectList()
        .cache();
    rest.subscribe();

    recovered(second);
    gate.tryEmitEmpty();

    seen.addAll(facts(rest.block(PATIENCE)));
    assertThat(seen).isEqualTo(logged());
  }

  @Test
  @DisplayName("X.19 E20 a follower that throws when it is ended keeps no other from completing")
  void throwingFollowers() {
    GraphRunner runner = runner(Graphs.counting(1));
    GraphThread thread = runner.thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);
    List<Throwable> dropped = new ArrayList<>();
    for (int each = 0; each < 3; each++) {
      thread
          .attach(0, Chunks.NONE)
          .doOnComplete(() -> {
            throw new StackOverflowError();
          })
          .contextWrite(
              Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add))
          .subscribe(any -> {}, any -> {});
    }
    Mono<List<GraphEvent>> followed = thread.attach(0).collectList().cache();
    followed.subscribe();

    runner.close(LONG).blockLast(PATIENCE);

    assertThat(facts(followed.block(PATIENCE))).isEqualTo(logged());
    assertThat(dropped).hasSize(3).hasOnlyElementsOfType(StackOverflowError.class);
  }

  private List<GraphEvent> logged() {
    return Flux.from(log.read("t", 0, Schemas.NONE)).collectList().block(PATIENCE);
  }

  private static List<GraphEvent> facts(List<GraphEvent> events) {
    return events.stream().filter(event -> !(event instanceof Provisional)).toList();
  }

  @Test
  @DisplayName("E22 E14 a graph that is stopped beside a question is taken over, and ends")
  void besideAQuestion() {
    Graph inner = graph()
        .node("one", state -> gate.asMono().then(Mono.fromSupplier(() -> called("one"))))
        .compute("two", state -> called("two"))
        .sequence(START, "one", "two", END)
        .build();
    Graph graph = graph()
        .subgraph("inner", inner)
        .node(
            "asker",
            (state, context) ->
                Mono.from(context.ask("ok", Question.yesNo("Ok?"))).map(yes -> called("asker")))
        .edge(START, "inner")
        .edge(START, "asker")
        .edge("inner", END)
        .edge("asker", END)
        .build();
    GraphRunner first = runner(graph);
    first.thread("t").start(Update.NOTHING).block(PATIENCE);
    until(first.thread("t"), QuestionAsked.class, 1);
    Mono<List<String>> closed = closing(first, LONG);
    gate.tryEmitEmpty();
    closed.block(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
    GraphRunner second = runner(graph);

    recovered(second);
    until(second.thread("t"), RunInterrupted.class, 2);

    second.close(LONG).blockLast(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.WAITING);
    assertThat(calls()).isEqualTo(Map.of("one", 1, "two", 1));
  }
}
