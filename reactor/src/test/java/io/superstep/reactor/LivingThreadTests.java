package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.counting;
import static io.superstep.reactor.Graphs.graph;
import static io.superstep.reactor.Graphs.kinds;
import static io.superstep.reactor.Graphs.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.UnfinishedThreadException;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunFailed;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.RunStopped;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.Terminal;
import io.superstep.event.UnknownCursorException;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.retry.Retry;

/** Threads that go on whether or not anybody listens. */
class LivingThreadTests extends OnAThread {

  private final InMemoryEventLog log = InMemoryEventLog.builder().build();
  private final List<GraphRunner> runners = new CopyOnWriteArrayList<>();

  private GraphRunner runner(Graph graph) {
    return runner(graph, store);
  }

  private GraphRunner runner(Graph graph, CheckpointStore over) {
    GraphRunner runner =
        GraphRunner.builder(graph).checkpoints(over).events(log).clock(clock).build();
    runners.add(runner);
    return runner;
  }

  /** Those who vanish are still there in truth, and would go on to renew their leases. */
  @AfterEach
  void cutOff() {
    runners.forEach(runner -> runner.close(Duration.ofMillis(1)).blockLast(PATIENCE));
  }

  private List<GraphEvent> logged() {
    return Flux.from(log.read("t", 0, Schemas.NONE)).collectList().block(PATIENCE);
  }

  private ThreadStatus status() {
    return Flux.from(store.threads(Set.of(ThreadStatus.values())))
        .filter(summary -> summary.thread().equals("t"))
        .map(ThreadSummary::status)
        .blockLast(PATIENCE);
  }

  /** Follows until something of {@code kind} is told at the top, once or several times. */
  private static List<GraphEvent> until(
      GraphThread thread, long after, Class<? extends GraphEvent> kind, int times) {
    AtomicInteger seen = new AtomicInteger();
    return thread
        .attach(after, Chunks.NONE)
        .takeUntil(event ->
            kind.isInstance(event) && event.path().isEmpty() && seen.incrementAndGet() == times)
        .collectList()
        .block(PATIENCE);
  }

  private static List<Long> numbers(List<GraphEvent> events) {
    return events.stream()
        .filter(event -> !(event instanceof Provisional))
        .map(GraphEvent::sequence)
        .toList();
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  @Test
  @DisplayName("X.19 a detached run outlives its caller, and is followed from where it began")
  void detached() {
    Sinks.Empty<Void> gate = Sinks.empty();
    GraphThread thread = runner(single(
            "work", state -> gate.asMono().then(Mono.just(Update.append(LOG, "done")))))
        .thread("t");

    long cursor = thread.start(Update.NOTHING).block(PATIENCE);
    until(thread, cursor, GraphEvent.TaskStarted.class, 1);
    assertThat(status()).isEqualTo(ThreadStatus.RUNNING);
    gate.tryEmitEmpty();
    List<GraphEvent> told = until(thread, cursor, RunCompleted.class, 1);

    assertThat(cursor).isZero();
    assertThat(kinds(told))
        .containsExactly(
            "RunStarted",
            "CheckpointSaved",
            "StepStarted",
            "TaskStarted",
            "TaskCompleted",
            "StepCommitted",
            "CheckpointSaved",
            "RunCompleted");
    assertThat(log(thread.state().block(PATIENCE))).containsExactly("done");
  }

  @Test
  @DisplayName(
      "X.19 facts are numbered over all runs of a thread, and whoever comes back misses none")
  void cursors() {
    GraphThread thread = runner(counting(2)).thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);
    List<GraphEvent> streamed = events(thread.stream(Update.of(COUNT, -2)));
    thread.start(Update.of(COUNT, -1)).block(PATIENCE);
    List<GraphEvent> all = until(thread, 0, RunCompleted.class, 3);

    assertThat(numbers(all)).isEqualTo(upTo(numbers(all).size()));
    assertThat(all)
        .containsSubsequence(
            streamed.stream().filter(event -> !(event instanceof Provisional)).toList());
    for (int seen = 0; seen < all.size(); seen++) {
      assertThat(thread
              .attach(seen, Chunks.NONE)
              .take(all.size() - seen)
              .collectList()
              .block(PATIENCE))
          .isEqualTo(all.subList(seen, all.size()));
    }
  }

  @Test
  @DisplayName("X.20 whoever follows before the first run hears it from its first event on")
  void followedBeforeItExists() {
    GraphThread thread = runner(counting(1)).thread("t");
    Mono<List<GraphEvent>> followed = thread
        .attach(0, Chunks.NONE)
        .takeUntil(Terminal.class::isInstance)
        .collectList()
        .cache();
    followed.subscribe();

    thread.start(Update.NOTHING).block(PATIENCE);

    assertThat(followed.block(PATIENCE)).isEqualTo(logged());
  }

  @Test
  @DisplayName("X.19 a browser that goes away, or reads nothing, keeps no run from going on")
  void followersDoNotMatter() {
    GraphThread thread = runner(counting(50)).thread("t");
    thread.attach(0).subscribe().dispose();
    List<BaseSubscriber<GraphEvent>> stuck = Flux.range(0, 100)
        .map(any -> {
          BaseSubscriber<GraphEvent> follower = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
              subscription.request(1);
            }
          };
          thread.attach(0).subscribe(follower);
          return follower;
        })
        .collectList()
        .block(PATIENCE);

    thread.start(Update.NOTHING).block(PATIENCE);

    assertThat(until(thread, 0, RunCompleted.class, 1)).isNotEmpty();
    stuck.forEach(BaseSubscriber::dispose);
  }

  @Test
  @DisplayName("X.19 a follower gets the chunks of the task that runs, by choice")
  void chunks() {
    Sinks.Empty<Void> gate = Sinks.empty();
    GraphThread thread = runner(single(
            "speak",
            state -> Flux.concat(
                Flux.just(new Chunk("a"), new Chunk("b")),
                gate.asMono().then(Mono.just(Update.append(LOG, "ab"))))))
        .thread("t");
    thread.start(Update.NOTHING).block(PATIENCE);
    until(thread, 0, GraphEvent.TaskStarted.class, 1);

    List<GraphEvent> soFar =
        thread.attach(0, Chunks.SO_FAR).take(6).collectList().block(PATIENCE);
    gate.tryEmitEmpty();

    assertThat(kinds(soFar))
        .containsExactly(
            "RunStarted",
            "CheckpointSaved",
            "StepStarted",
            "TaskStarted",
            "TaskChunk",
            "TaskChunk");
    assertThat(until(thread, 0, RunCompleted.class, 1)).noneMatch(Provisional.class::isInstance);
  }

  @Test
  @DisplayName("X.19 a run that fails is an error for who subscribed, and a fact in the log")
  void failedRuns() {
    GraphThread thread =
        runner(single("bad", state -> Mono.error(new IllegalStateException()))).thread("t");

    assertThatExceptionOfType(NodeFailedException.class)
        .isThrownBy(() -> thread.run(Update.NOTHING).block(PATIENCE));
    assertThat(logged().get(logged().size() - 1)).isInstanceOf(RunFailed.class);
    thread.start(Resume.GO_ON).block(PATIENCE);

    List<GraphEvent> all = until(thread, 0, RunFailed.class, 2);
    assertThat(numbers(all)).isEqualTo(upTo(numbers(all).size()));
    assertThat(status()).isEqualTo(ThreadStatus.FAILED);
  }

  @Test
  @DisplayName("E11 what cannot begin is told to who starts it")
  void refusedStarts() {
    GraphThread thread = runner(graph()
            .compute("a", state -> called("a"))
            .interruptBefore("a")
            .sequence(START, "a", END)
            .build())
        .thread("t");
    assertThatExceptionOfType(UnknownThreadException.class)
        .isThrownBy(() -> thread.start(Resume.GO_ON).block(PATIENCE));
    thread.start(Update.NOTHING).block(PATIENCE);
    until(thread, 0, RunInterrupted.class, 1);

    assertThatExceptionOfType(UnfinishedThreadException.class)
        .isThrownBy(() -> untilNotBusy(thread.start(Update.NOTHING)).block(PATIENCE));
  }

  /** A run that has told its end may not have given its thread back yet. */
  static <T> Mono<T> untilNotBusy(Mono<T> work) {
    return work.retryWhen(Retry.backoff(1_000, Duration.ofMillis(1))
        .maxBackoff(Duration.ofMillis(5))
        .filter(ThreadBusyException.class::isInstance));
  }

  @Test
  @DisplayName("X.19 cursors before what was trimmed, and beyond the end, are told as such")
  void badCursors() {
    GraphThread thread = runner(counting(1)).thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);

    assertThatExceptionOfType(UnknownCursorException.class)
        .isThrownBy(() -> thread.attach(99).blockFirst(PATIENCE));
    Mono.from(log.trim("t", 4)).block(PATIENCE);
    assertThatExceptionOfType(EventsTrimmedException.class)
        .isThrownBy(() -> thread.attach(1).blockFirst(PATIENCE));
    assertThat(thread.attach(3).blockFirst(PATIENCE).sequence()).isEqualTo(4);
    thread.run(Update.of(COUNT, -1)).block(PATIENCE);
    assertThat(numbers(thread.attach(3, Chunks.NONE).take(4).collectList().block(PATIENCE)))
        .containsExactly(4L, 5L, 6L, 7L);
  }

  @Test
  @DisplayName("X.19 without a log nobody can follow")
  void withoutALog() {
    assertThatIllegalStateException()
        .isThrownBy(() -> thread(counting(1)).attach(0))
        .withMessageContaining("build the runner with events(log)");
  }

  @Test
  @DisplayName("X.19 a step that was committed and not told is told by whoever goes on")
  void toldLater() {
    AtomicInteger calls = new AtomicInteger();
    FaultyLog dying = new FaultyLog(log);
    GraphRunner first = GraphRunner.builder(counting(3))
        .checkpoints(store)
        .events(dying)
        .clock(clock)
        .build();
    runners.add(first);
    dying.dieAt(event -> event instanceof StepCommitted && calls.incrementAndGet() == 2);
    first.thread("t").start(Update.NOTHING).block(PATIENCE);
    dying.struck().block(PATIENCE);
    clock.pass(Hold.LEASE.plusSeconds(1));
    assertThat(logged()).filteredOn(StepCommitted.class::isInstance).hasSize(1);

    GraphThread thread = runner(counting(3)).thread("t");
    thread.resume().blockLast(PATIENCE);

    List<GraphEvent> all = logged();
    assertThat(numbers(all)).isEqualTo(upTo(numbers(all).size()));
    assertThat(all)
        .filteredOn(StepCommitted.class::isInstance)
        .extracting(GraphEvent::step)
        .containsExactly(1, 2, 3);
    assertThat(all)
        .filteredOn(GraphEvent.CheckpointSaved.class::isInstance)
        .extracting(event -> ((GraphEvent.CheckpointSaved) event).checkpoint())
        .isEqualTo(thread
            .history()
            .map(checkpoint -> checkpoint.id())
            .sort()
            .collectList()
            .block(PATIENCE));
  }

  @Test
  @DisplayName("X.19 somebody who has lost the thread cannot tell anything any more")
  void losersTellNothing() {
    Sinks.Empty<Void> gate = Sinks.empty();
    Graph graph = single("work", state -> gate.asMono().then(Mono.just(Update.append(LOG, "x"))));
    Mono<Throwable> lost = runner(graph).thread("t").stream(Update.NOTHING)
        .then(Mono.<Throwable>empty())
        .onErrorResume(Mono::just)
        .cache();
    lost.subscribe();
    clock.pass(Hold.LEASE.plusSeconds(1));
    Mono<GraphEvent> other = runner(graph).thread("t").resume().last().cache();
    other.subscribe();

    gate.tryEmitEmpty();

    assertThat(lost.block(PATIENCE)).isNotNull();
    other.block(PATIENCE);
    assertThat(numbers(logged())).isEqualTo(upTo(numbers(logged()).size()));
    assertThat(logged()).filteredOn(StepCommitted.class::isInstance).hasSize(1);
  }

  @Nested
  class Recovering {

    /** Runs until the store is dead, and lets the lease run out. */
    private void vanish(Graph graph, int call) {
      FaultyStore dying = new FaultyStore(store, Fault.DIE_AFTER, call);
      runner(graph, dying).thread("t").start(Update.NOTHING).onErrorComplete().subscribe();
      dying.struck().block(PATIENCE);
      clock.pass(Hold.LEASE.plusSeconds(1));
    }

    @Test
    @DisplayName("X.15 a thread whose runner died is taken over and comes to its end")
    void takesOver() {
      vanish(counting(3), 4);
      assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
      GraphRunner other = runner(counting(3));

      List<Recovery> recovered = other.recover().collectList().block(PATIENCE);

      assertThat(recovered).containsExactly(new Recovery("t", null));
      until(other.thread("t"), 0, RunCompleted.class, 1);
      assertThat(other.thread("t").state().block(PATIENCE).position().state().get(COUNT))
          .isEqualTo(3);
      assertThat(other.recover(thread -> false).collectList().block(PATIENCE)).isEmpty();
    }

    @Test
    @DisplayName("X.15 after three recoveries without a committed step a thread is parked")
    void parks() {
      Graph poison = single("poison", state -> Mono.never());
      vanish(poison, 3);
      for (int recovery = 1; recovery <= 3; recovery++) {
        GraphRunner doomed = runner(poison);
        assertThat(doomed.recover().collectList().block(PATIENCE))
            .containsExactly(new Recovery("t", null));
        until(doomed.thread("t"), 0, GraphEvent.TaskStarted.class, recovery);
        clock.pass(Hold.LEASE.plusSeconds(1));
      }

      assertThat(status()).isEqualTo(ThreadStatus.PARKED);
      assertThat(runner(poison).recover().collectList().block(PATIENCE)).isEmpty();
    }

    @Test
    @DisplayName("X.15 a thread that somebody is at, or was stopped, is left alone")
    void leavesTheLivingAlone() {
      Sinks.Empty<Void> gate = Sinks.empty();
      GraphRunner runner = runner(single(
          "work", state -> gate.asMono().then(Mono.just(Update.append(LOG, "done")))));
      runner.thread("t").start(Update.NOTHING).block(PATIENCE);

      assertThat(runner.recover().collectList().block(PATIENCE)).isEmpty();
      assertThatExceptionOfType(ThreadBusyException.class)
          .isThrownBy(() -> runner.thread("t").takenOver().block(PATIENCE));
      gate.tryEmitEmpty();
      until(runner.thread("t"), 0, RunCompleted.class, 1);
    }

    @Test
    @DisplayName("X.15 taking over lifts no pause, and answers no question")
    void liftsNoPause() {
      Sinks.Empty<Void> gate = Sinks.empty();
      Graph inner = graph()
          .compute("look", state -> called("look"))
          .interruptBefore("look")
          .sequence(START, "look", END)
          .build();
      Graph graph = graph()
          .subgraph("inner", inner)
          .node(
              "asker",
              (state, context) ->
                  Mono.from(context.ask("ok", Question.yesNo("Ok?"))).map(yes -> called("asker")))
          .node("slow", state -> gate.asMono().then(Mono.fromSupplier(() -> called("slow"))))
          .edge(START, "inner")
          .edge(START, "asker")
          .edge(START, "slow")
          .edge("inner", END)
          .edge("asker", END)
          .edge("slow", END)
          .build();
      GraphRunner doomed = runner(graph);
      doomed.thread("t").start(Update.NOTHING).block(PATIENCE);
      until(doomed.thread("t"), 0, GraphEvent.QuestionAsked.class, 1);
      clock.pass(Hold.LEASE.plusSeconds(1));
      assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
      GraphRunner other = runner(graph);

      other.recover().collectList().block(PATIENCE);
      gate.tryEmitEmpty();
      until(other.thread("t"), 0, RunInterrupted.class, 1);

      assertThat(calls().keySet()).containsOnly("slow");
      assertThat(untilNotBusy(RunResult.of(other.thread("t").resume(Resume.answer("ok", true))))
              .block(PATIENCE)
              .isCompleted())
          .isTrue();
      assertThat(calls().keySet()).containsOnly("slow", "look", "asker");
    }
  }

  @Nested
  class Queueing {

    private final Channel<String> topic = Channel.value("topic", String.class).writeOnce();

    /** Takes as long as the gate is closed, and says what it was given. */
    private Graph slow(Sinks.Empty<Void> gate) {
      return graph()
          .node(
              "work",
              state -> gate.asMono().then(Mono.fromSupplier(() -> Update.append(LOG, "worked"))))
          .sequence(START, "work", END)
          .build();
    }

    @Test
    @DisplayName("E11 an input that comes while a run is under way begins when that has ended")
    void waits() {
      Sinks.Empty<Void> gate = Sinks.empty();
      GraphThread thread = runner(slow(gate)).thread("t");
      thread.start(Update.append(LOG, "first")).block(PATIENCE);

      assertThatExceptionOfType(ThreadBusyException.class)
          .isThrownBy(() -> thread.run(Update.NOTHING).block(PATIENCE));
      QueuedInput second = thread.queue(Update.append(LOG, "second"), "ada").block(PATIENCE);
      QueuedInput third = thread.queue(Update.append(LOG, "third"), "bob").block(PATIENCE);
      assertThat(thread.queued().collectList().block(PATIENCE)).containsExactly(second, third);
      gate.tryEmitEmpty();
      until(thread, 0, RunCompleted.class, 3);

      assertThat(log(thread.state().block(PATIENCE)))
          .containsExactly("first", "worked", "second", "worked", "third", "worked");
      assertThat(thread.queued().collectList().block(PATIENCE)).isEmpty();
    }

    @Test
    @DisplayName("E11 an input for a thread that has nothing to do begins at once")
    void beginsAtOnce() {
      GraphThread thread = runner(counting(1)).thread("t");

      thread.queue(Update.NOTHING, "ada").block(PATIENCE);

      assertThat(until(thread, 0, RunCompleted.class, 1)).isNotEmpty();
    }

    @Test
    @DisplayName("E11 two clients who queue at once lose nothing, and no two turns overlap")
    void twoClients() {
      GraphRunner one = runner(counting(1));
      GraphRunner another = runner(counting(1));

      Flux.range(0, 40)
          .flatMap(
              number -> (number % 2 == 0 ? one : another)
                  .thread("t")
                  .queue(Update.append(LOG, "" + number).and(COUNT, -1), "client")
                  .subscribeOn(Schedulers.boundedElastic()),
              40)
          .blockLast(PATIENCE);
      List<GraphEvent> all = until(one.thread("t"), 0, RunCompleted.class, 40);

      assertThat(log(one.thread("t").state().block(PATIENCE))).hasSize(40).doesNotHaveDuplicates();
      assertThat(numbers(all)).isEqualTo(upTo(numbers(all).size()));
      assertThat(one.thread("t").queued().collectList().block(PATIENCE)).isEmpty();
    }

    @Test
    @DisplayName("E11 an input waits while the thread waits for somebody, and begins after that")
    void waitsForPeople() {
      Graph graph = graph()
          .node(
              "asker",
              (state, context) -> Mono.from(context.ask("ok", Question.yesNo("Ok?")))
                  .map(yes -> Update.append(LOG, "told " + yes)))
          .sequence(START, "asker", END)
          .build();
      GraphThread thread = runner(graph).thread("t");
      thread.run(Update.append(LOG, "first")).block(PATIENCE);
      thread.queue(Update.append(LOG, "second"), "ada").block(PATIENCE);
      assertThat(thread.queued().collectList().block(PATIENCE)).hasSize(1);

      untilNotBusy(RunResult.of(thread.resume(Resume.answer("ok", true)))).block(PATIENCE);
      until(thread, 0, RunInterrupted.class, 2);

      assertThat(log(thread.state().block(PATIENCE)))
          .containsExactly("first", "told true", "second");
    }

    @Test
    @DisplayName("E11 an input that does not fit is refused, and does not wait")
    void refused() {
      Channel<Integer> other = Channel.value("other", Integer.class);
      GraphThread thread = runner(counting(1)).thread("t");

      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> thread.queue(Update.of(other, 1), "ada").block(PATIENCE));
      assertThat(thread.queued().collectList().block(PATIENCE)).isEmpty();
    }

    @Test
    @DisplayName("E11 an input that is refused when its turn has come is given up, and recorded")
    void givenUp() {
      Graph graph = Graph.builder("sample")
          .channels(topic, LOG)
          .compute("work", state -> Update.append(LOG, "worked"))
          .sequence(START, "work", END)
          .build();
      GraphThread thread = runner(graph).thread("t");
      thread.run(Update.of(topic, "a")).block(PATIENCE);

      QueuedInput bad = thread.queue(Update.of(topic, "b"), "ada").block(PATIENCE);
      thread.queue(Update.NOTHING, "bob").block(PATIENCE);
      until(thread, 0, RunCompleted.class, 2);

      assertThat(log(thread.state().block(PATIENCE))).containsExactly("worked", "worked");
      assertThat(thread
              .history()
              .mapNotNull(checkpoint -> checkpoint.cause().reason())
              .collectList()
              .block(PATIENCE))
          .singleElement()
          .satisfies(reason -> assertThat(reason).contains(bad.id(), "SG-2"));
    }

    @Test
    @DisplayName("E11 an input outlives the runner, and whoever recovers the thread begins with it")
    void outlivesTheRunner() {
      Sinks.Empty<Void> gate = Sinks.empty();
      GraphRunner doomed = runner(slow(gate));
      doomed.thread("t").start(Update.append(LOG, "first")).block(PATIENCE);
      until(doomed.thread("t"), 0, GraphEvent.TaskStarted.class, 1);
      // by the store: queue(...) would try to begin, and might get the lease that has expired
      QueuedInput second =
          new QueuedInput("second", Update.append(LOG, "second"), "ada", clock.instant());
      Mono.from(store.enqueue("t", second, slow(gate).schemas())).block(PATIENCE);
      clock.pass(Hold.LEASE.plusSeconds(1));
      gate.tryEmitEmpty();
      Sinks.Empty<Void> open = Sinks.empty();
      open.tryEmitEmpty();
      GraphRunner other = runner(slow(open));

      other.recover().collectList().block(PATIENCE);
      until(other.thread("t"), 0, RunCompleted.class, 2);

      assertThat(log(other.thread("t").state().block(PATIENCE)))
          .containsExactly("first", "worked", "second", "worked");
    }
  }

  @Nested
  class Stopping {

    @Test
    @DisplayName("E22 a detached run is stopped, once, and goes on later")
    void stops() {
      Sinks.Empty<Void> gate = Sinks.empty();
      Graph graph = graph()
          .node("a", state -> gate.asMono().then(Mono.just(Update.append(LOG, "a"))))
          .compute("b", state -> Update.append(LOG, "b"))
          .sequence(START, "a", "b", END)
          .build();
      GraphThread thread = runner(graph).thread("t");
      assertThat(thread.stop().block(PATIENCE)).isFalse();
      thread.start(Update.NOTHING).block(PATIENCE);

      until(thread, 0, GraphEvent.TaskStarted.class, 1);
      assertThat(thread.stop().block(PATIENCE)).isTrue();
      gate.tryEmitEmpty();
      until(thread, 0, RunStopped.class, 1);

      assertThat(log(thread.state().block(PATIENCE))).containsExactly("a");
      untilNotBusy(RunResult.of(thread.resume())).block(PATIENCE);
      assertThat(log(thread.state().block(PATIENCE))).containsExactly("a", "b");
    }

    @Test
    @DisplayName(
        "E22 a runner that is closed stops its runs, begins none, and tells whom it cut off")
    void closes() {
      Sinks.Empty<Void> gate = Sinks.empty();
      Graph graph = graph()
          .node("a", state -> gate.asMono().then(Mono.just(Update.append(LOG, "a"))))
          .node("b", state -> Mono.never())
          .sequence(START, "a", "b", END)
          .build();
      GraphRunner runner = runner(graph);
      runner.thread("t").start(Update.NOTHING).block(PATIENCE);
      Mono<List<String>> closed =
          runner.close(Duration.ofMinutes(1)).collectList().cache();
      closed.subscribe();
      gate.tryEmitEmpty();

      assertThat(closed.block(PATIENCE)).isEmpty();
      assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
      assertThatExceptionOfType(RunnerClosedException.class)
          .isThrownBy(() -> runner.thread("t").resume().blockLast(PATIENCE));
      assertThatExceptionOfType(RunnerClosedException.class)
          .isThrownBy(() -> runner.run(Update.NOTHING).block(PATIENCE));

      GraphRunner stubborn = runner(graph);
      stubborn.thread("t").start(Resume.GO_ON).block(PATIENCE);
      until(stubborn.thread("t"), 0, GraphEvent.TaskStarted.class, 2);
      assertThat(stubborn.close(Duration.ofMillis(1)).collectList().block(PATIENCE))
          .containsExactly("t");
    }

    @Test
    @DisplayName("E22 nodes see that their runner is closed")
    void nodesSeeIt() {
      Sinks.Empty<Void> begun = Sinks.empty();
      GraphRunner runner = runner(graph()
          .node(
              "a",
              (state, context) -> Mono.from(context.stopping())
                  .then(
                      Mono.fromSupplier(() -> Update.append(LOG, "early " + context.isStopping())))
                  .doOnSubscribe(any -> begun.tryEmitEmpty()))
          .policy("a", NodePolicy.NONE)
          .sequence(START, "a", END)
          .build());
      runner.thread("t").start(Update.NOTHING).block(PATIENCE);
      begun.asMono().block(PATIENCE);

      runner.close(Duration.ofMinutes(1)).collectList().block(PATIENCE);

      assertThat(log(runner.thread("t").state().block(PATIENCE))).containsExactly("early true");
    }
  }

  @Test
  @DisplayName("E22 a thread is not deleted while it runs, and what it told goes with it")
  void deletes() {
    Sinks.Empty<Void> gate = Sinks.empty();
    GraphThread thread = runner(single(
            "work", state -> gate.asMono().then(Mono.just(Update.append(LOG, "done")))))
        .thread("t");
    thread.start(Update.NOTHING).block(PATIENCE);
    assertThatExceptionOfType(ThreadBusyException.class)
        .isThrownBy(() -> thread.delete().block(PATIENCE));
    gate.tryEmitEmpty();
    until(thread, 0, RunCompleted.class, 1);

    untilNotBusy(thread.delete()).block(PATIENCE);

    assertThat(logged()).isEmpty();
    assertThat(thread.state().block(PATIENCE)).isNull();
  }

  @Nested
  class Refusals {

    private void vanish(Graph graph) {
      FaultyStore dying = new FaultyStore(store, Fault.DIE_AFTER, 3);
      runner(graph, dying).thread("t").start(Update.NOTHING).onErrorComplete().subscribe();
      dying.struck().block(PATIENCE);
      clock.pass(Hold.LEASE.plusSeconds(1));
    }

    @Test
    @DisplayName("X.15 an orphan stays one when somebody passes by")
    void orphansStayOrphans() {
      Graph graph = counting(2);
      vanish(graph);
      GraphRunner passing = runner(graph);
      GraphThread thread = passing.thread("t");

      assertThatExceptionOfType(UnfinishedThreadException.class)
          .isThrownBy(() -> thread.run(Update.NOTHING).block(PATIENCE));
      assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
      Graph other = single("other", state -> Mono.empty());
      assertThat(runner(other).recover().blockLast(PATIENCE).isTakenOver()).isFalse();
      assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
      thread.queue(Update.of(COUNT, -1), "ada").block(PATIENCE);
      passing.close(PATIENCE).blockLast(PATIENCE); // it looks whether the input can begin

      GraphRunner taking = runner(graph);
      taking.recover().blockLast(PATIENCE);
      until(taking.thread("t"), 0, RunCompleted.class, 2);
    }

    @Test
    @DisplayName("X.15 a thread that came to its end before its runner vanished is done, once told")
    void doneAfterAll() {
      Graph graph = counting(1);
      FaultyStore dying = new FaultyStore(store, Fault.DIE_BEFORE, 5); // the lease stays
      runner(graph, dying).thread("t").start(Update.NOTHING).onErrorComplete().subscribe();
      dying.struck().block(PATIENCE);
      clock.pass(Hold.LEASE.plusSeconds(1));
      assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
      GraphRunner other = runner(graph);

      assertThat(other.recover().collectList().block(PATIENCE)).hasSize(1);
      other.close(Duration.ofSeconds(5)).blockLast(PATIENCE);

      assertThat(status()).isEqualTo(ThreadStatus.DONE);
    }

    @Test
    @DisplayName("X.19 a log that throws fails the run")
    void throwingLog() {
      EventLog throwing = new FaultyLog(log) {
        @Override
        public Publisher<Void> append(
            String thread, long fence, List<GraphEvent> events, Schemas schemas) {
          if (events.get(0) instanceof GraphEvent.TaskStarted) {
            throw new IllegalArgumentException("thrown");
          }
          return Mono.from(super.append(thread, fence, events, schemas))
              .publishOn(Schedulers.boundedElastic());
        }
      };

      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> GraphRunner.builder(counting(1))
              .checkpoints(store)
              .events(throwing)
              .build()
              .thread("t")
              .run(Update.NOTHING)
              .block(PATIENCE));
      assertThat(logged().get(logged().size() - 1)).isInstanceOf(RunFailed.class);
    }

    @Test
    @DisplayName("E22 a closed runner takes no input, and leaves those that wait to others")
    void closedRunnersTakeNothing() {
      GraphRunner closed = runner(counting(1));
      closed.close(Duration.ofSeconds(1)).blockLast(PATIENCE);
      assertThatExceptionOfType(RunnerClosedException.class)
          .isThrownBy(() -> closed.thread("t").start(Update.NOTHING).block(PATIENCE));
      assertThat(closed.thread("t").state().block(PATIENCE)).isNull();
      closed.thread("t").queue(Update.NOTHING, "ada").block(PATIENCE);
      assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
      assertThat(closed.recover().blockLast(PATIENCE).refusal())
          .isInstanceOf(RunnerClosedException.class);

      GraphRunner other = runner(counting(1));
      other.recover().blockLast(PATIENCE);
      until(other.thread("t"), 0, RunCompleted.class, 1);
    }

    @Test
    @DisplayName("E11 an input that cannot begin is not tried for ever, and the error is reported")
    void noPingPong() {
      AtomicInteger acquires = new AtomicInteger();
      CheckpointStore refusing = new StoreAround(store) {
        @Override
        public Publisher<Lease> acquire(String thread, String owner, Duration time) {
          acquires.incrementAndGet();
          return super.acquire(thread, owner, time);
        }

        @Override
        public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
          return Mono.error(new IllegalStateException("disk full"));
        }
      };
      Sinks.One<Throwable> reported = Sinks.one();
      GraphRunner runner = GraphRunner.builder(counting(1))
          .checkpoints(refusing)
          .events(log)
          .clock(clock)
          .observedBy(new Reporting(event -> {
            if (event instanceof RunnerEvent.DetachedRunFailed) {
              reported.tryEmitValue(event.error());
            }
          }))
          .build();
      runners.add(runner);

      runner.thread("t").queue(Update.NOTHING, "ada").block(PATIENCE);

      assertThat(reported.asMono().block(PATIENCE)).hasMessageContaining("disk full");
      assertThat(acquires).hasValue(1);
    }

    @Test
    @DisplayName("E11 an input that is refused is given up in every mode of durability")
    void givenUpInEveryMode() {
      Channel<String> once = Channel.value("once", String.class).writeOnce();
      Graph graph = Graph.builder("sample")
          .channels(once, LOG)
          .compute("work", state -> Update.append(LOG, "worked"))
          .sequence(START, "work", END)
          .build();
      for (Durability mode : Durability.values()) {
        GraphThread thread = GraphRunner.builder(graph)
            .checkpoints(store)
            .events(log)
            .defaults(RunOptions.NONE.durability(mode))
            .build()
            .thread(mode.name());
        thread.run(Update.of(once, "a")).block(PATIENCE);
        thread.queue(Update.of(once, "b"), "ada").block(PATIENCE);
        thread.queue(Update.NOTHING, "bob").block(PATIENCE);
        until(thread, 0, RunCompleted.class, 2);
        assertThat(thread.queued().collectList().block(PATIENCE)).isEmpty();
      }
    }

    @Test
    @DisplayName("E5 with a log too, nothing begins that was not asked for")
    void demandWithALog() {
      Graph graph =
          graph().compute("a", state -> called("a")).sequence(START, "a", END).build();

      StepVerifier.create(runner(graph).thread("t").stream(Update.NOTHING), 0)
          .thenRequest(1)
          .expectNextMatches(GraphEvent.RunStarted.class::isInstance)
          .then(() -> assertThat(calls()).isEmpty())
          .thenRequest(1)
          .expectNextMatches(GraphEvent.CheckpointSaved.class::isInstance)
          .then(() -> assertThat(calls()).isEmpty())
          .thenRequest(1)
          .expectNextMatches(GraphEvent.StepStarted.class::isInstance)
          .thenRequest(99)
          .thenConsumeWhile(any -> true)
          .verifyComplete();
    }

    @Test
    @DisplayName("X.19 a step that was not told is told before the next turn, or after an update")
    void toldBeforeAnythingElse() {
      FaultyLog dying = new FaultyLog(log);
      dying.dieAt(event -> event instanceof StepCommitted && event.step() == 2);
      GraphRunner doomed = GraphRunner.builder(counting(2))
          .checkpoints(store)
          .events(dying)
          .clock(clock)
          .build();
      runners.add(doomed);
      doomed.thread("t").start(Update.NOTHING).onErrorComplete().subscribe();
      dying.struck().block(PATIENCE);
      clock.pass(Hold.LEASE.plusSeconds(1));
      GraphThread thread = runner(counting(2)).thread("t");
      thread.update(Update.append(LOG, "x"), "ada", null).block(PATIENCE);

      thread.run(Update.of(COUNT, -1)).block(PATIENCE);

      assertThat(logged())
          .filteredOn(StepCommitted.class::isInstance)
          .extracting(GraphEvent::step)
          .containsExactly(1, 2, 1);
      assertThat(numbers(logged())).isEqualTo(upTo(numbers(logged()).size()));
    }

    @Test
    @DisplayName("E21 a log that fails loses nothing that was done, in any mode")
    void failingLogs() {
      for (Durability mode : Durability.values()) {
        String id = mode.name();
        FaultyLog failing = new FaultyLog(log);
        failing.failAt(event -> event instanceof StepCommitted && event.step() == 3);
        GraphThread thread = GraphRunner.builder(counting(5))
            .checkpoints(store)
            .events(failing)
            .clock(clock)
            .build()
            .thread(id);

        assertThatExceptionOfType(IllegalStateException.class)
            .isThrownBy(() ->
                thread.run(Update.NOTHING, RunOptions.NONE.durability(mode)).block(PATIENCE));
        assertThat(thread.history().count().block(PATIENCE)).isGreaterThanOrEqualTo(4);
        GraphThread again = runner(counting(5)).thread(id);
        again.resume().blockLast(PATIENCE);
        assertThat(again.state().block(PATIENCE).position().state().get(COUNT)).isEqualTo(5);
      }
    }
  }
}
