package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.event.GraphEvent;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.state.Channel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;

class RunObserverTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final RecordingObserver observer = new RecordingObserver();
  private final Set<String> places = ConcurrentHashMap.newKeySet();

  private GraphRunner observed(Graph graph) {
    return GraphRunner.builder(graph).observedBy(observer).build();
  }

  private void everythingEndedOnce() {
    assertThat(observer.ended()).containsExactlyInAnyOrderElementsOf(observer.begun());
    assertThat(observer.open())
        .as("scopes that were not closed where they were opened")
        .isZero();
  }

  @Nested
  class IsTold {

    @Test
    @DisplayName("E23 an observer is told of each run, step, task and attempt, in their order")
    void ofEveryStage() {
      Graph inner = graph()
          .compute("deep", state -> Update.NOTHING)
          .sequence(START, "deep", END)
          .build();
      Graph graph = graph()
          .node("a", state -> Mono.just(Update.of(COUNT, 1)))
          .subgraph("inner", inner)
          .sequence(START, "a", "inner", END)
          .build();

      observed(graph).run(Update.NOTHING).block(PATIENCE);

      assertThat(observer.told())
          .containsExactly(
              "run sample",
              "step 1",
              "task a",
              "attempt a 1",
              "attempt a 1 COMPLETED",
              "task a COMPLETED",
              "step 1 COMPLETED",
              "step 2",
              "task inner",
              "attempt inner 1",
              "inner/run sample",
              "inner/step 1",
              "inner/task deep",
              "inner/attempt deep 1",
              "inner/attempt deep 1 COMPLETED",
              "inner/task deep COMPLETED",
              "inner/step 1 COMPLETED",
              "inner/run sample COMPLETED",
              "attempt inner 1 COMPLETED",
              "task inner COMPLETED",
              "step 2 COMPLETED",
              "run sample COMPLETED");
    }

    @Test
    @DisplayName("E23 each attempt ends with its own error; the handler belongs to the task")
    void ofEveryAttempt() {
      Graph graph = graph()
          .node("bad", state -> Mono.error(new IllegalStateException()))
          .policy("bad", NodePolicy.retry(2).backoff(Duration.ofHours(1), Duration.ofHours(1)))
          .handler("bad", (state, failed) -> Mono.just(Update.NOTHING))
          .sequence(START, "bad", END)
          .build();

      StepVerifier.withVirtualTime(() -> observed(graph).run(Update.NOTHING))
          .expectSubscription()
          .thenAwait(Duration.ofHours(2))
          .expectNextCount(1)
          .verifyComplete();

      assertThat(observer.told())
          .containsExactly(
              "run sample",
              "step 1",
              "task bad",
              "attempt bad 1",
              "attempt bad 1 FAILED IllegalStateException",
              "attempt bad 2",
              "attempt bad 2 FAILED IllegalStateException",
              "task bad COMPLETED",
              "step 1 COMPLETED",
              "run sample COMPLETED");
    }

    @Test
    @DisplayName("E23 of a timeout, as the error of the attempt")
    void ofATimeout() {
      Graph graph = graph()
          .node("slow", state -> Mono.never())
          .policy("slow", NodePolicy.NONE.timeout(Duration.ofHours(1)))
          .sequence(START, "slow", END)
          .build();

      StepVerifier.withVirtualTime(() -> observed(graph).run(Update.NOTHING))
          .expectSubscription()
          .thenAwait(Duration.ofHours(2))
          .verifyError();

      assertThat(observer.told())
          .endsWith(
              "attempt slow 1 FAILED NodeTimeoutException",
              "task slow FAILED NodeTimeoutException",
              "step 1 FAILED NodeFailedException",
              "run sample FAILED NodeFailedException");
      everythingEndedOnce();
    }

    @Test
    @DisplayName("E23 of a failure, when it happens, and of the siblings it cancels")
    void ofAFailure() {
      Graph graph = graph()
          .node("waits", state -> Mono.never())
          .node("bad", state -> Mono.just(Update.of("cuont", 1)))
          .edge(START, "waits")
          .edge(START, "bad")
          .edge("waits", END)
          .edge("bad", END)
          .build();

      StepVerifier.create(observed(graph).stream(Update.NOTHING), 2)
          .expectNextCount(2)
          .then(() -> assertThat(observer.told())
              .containsSubsequence(
                  "attempt bad 1 FAILED InvalidUpdateException",
                  "task bad FAILED InvalidUpdateException",
                  "attempt waits 1 CANCELLED",
                  "task waits CANCELLED",
                  "step 1 FAILED NodeFailedException",
                  "run sample FAILED NodeFailedException"))
          .thenRequest(10)
          .expectNextCount(3)
          .verifyError();
      everythingEndedOnce();
    }

    @Test
    @DisplayName("E23 of a step that cannot be committed")
    void ofARefusedCommit() {
      Graph graph = graph()
          .compute("a", state -> Update.NOTHING)
          .edge(START, "a")
          .route("a", to("a", END), state -> {
            throw new IllegalStateException();
          })
          .build();

      StepVerifier.create(observed(graph).run(Update.NOTHING)).verifyError();

      assertThat(observer.told()).contains("task a COMPLETED");
      assertThat(observer.told().get(6)).startsWith("step 1 FAILED");
      assertThat(observer.told().get(7)).startsWith("run sample FAILED");
      everythingEndedOnce();
    }

    @Test
    @DisplayName("E23 of pauses and stops")
    void ofPausesAndStops() {
      Stop stop = new Stop();
      stop.request();
      Graph graph = graph()
          .compute("a", state -> Update.NOTHING)
          .interruptAfter("a")
          .sequence(START, "a", END)
          .build();

      observed(graph).run(Update.NOTHING).block(PATIENCE);
      observed(graph).run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop)).block(PATIENCE);

      assertThat(observer.told())
          .endsWith(
              "step 1 COMPLETED", "run sample INTERRUPTED", "run sample", "run sample STOPPED");
    }

    @Test
    @DisplayName("E23 of a run that nobody asked anything of before it was cancelled")
    void ofARunThatNeverStarted() {
      StepVerifier.create(observed(Graphs.counting(1)).stream(Update.NOTHING), 0)
          .expectSubscription()
          .thenCancel()
          .verify(PATIENCE);

      assertThat(observer.told()).containsExactly("run sample", "run sample CANCELLED");
    }

    @Test
    @DisplayName("E23 of a subscriber that breaks the rules")
    void ofABrokenRule() {
      observed(Graphs.counting(1)).stream(Update.NOTHING).subscribe(new CoreSubscriber<>() {
        @Override
        public void onSubscribe(Subscription subscription) {
          subscription.request(0);
        }

        @Override
        public void onNext(GraphEvent event) {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onComplete() {}
      });

      assertThat(observer.told())
          .containsExactly("run sample", "run sample FAILED IllegalArgumentException");
    }
  }

  /** Chunks, another thread, a graph inside, and a node that needs two attempts. */
  private static Graph lively() {
    Graph inner = graph()
        .node("deep", state -> Flux.<NodeOutput>just(new Chunk("a"), Update.of(COUNT, 1)))
        .sequence(START, "deep", END)
        .build();
    return graph()
        .node("left", state -> Flux.<NodeOutput>just(new Chunk("a"), Update.append(LOG, "left")))
        .subgraph("right", inner)
        .node(
            "flaky",
            (state, context) -> context.attempt() == 1
                ? Mono.error(new IllegalStateException())
                : Mono.just(Update.of(COUNT, 1)))
        .policy("flaky", NodePolicy.retry(2))
        .edge(START, "left")
        .edge(START, "right")
        .join(Graph.all("left", "right"), "flaky")
        .edge("flaky", END)
        .build();
  }

  @Test
  @DisplayName("E23 cancelled at any event, all that was begun is ended, and once")
  void cancelledAtAnyEventEverythingIsEndedOnce() {
    int events =
        observed(lively()).stream(Update.NOTHING).collectList().block(PATIENCE).size();

    for (int at = 0; at <= events; at++) {
      for (long demand : new long[] {at, Long.MAX_VALUE}) {
        StepVerifier.create(observed(lively()).stream(Update.NOTHING), demand)
            .expectNextCount(at)
            .thenCancel()
            .verify(PATIENCE);
        everythingEndedOnce();
      }
    }
  }

  @Test
  @DisplayName("E23 an attempt that begins while its run is cancelled is ended too")
  void anAttemptThatBeginsTooLateIsEnded() {
    Disposable.Swap run = Disposables.swap();
    observer.meddling(stage -> {
      if (stage instanceof Stage.Attempt attempt && attempt.number() == 2) {
        run.dispose();
      }
    });
    Graph graph = graph()
        .node("bad", state -> Mono.error(new IllegalStateException()))
        .policy("bad", NodePolicy.retry(2).backoff(Duration.ofHours(1), Duration.ofHours(1)))
        .sequence(START, "bad", END)
        .build();
    VirtualTimeScheduler time = VirtualTimeScheduler.create();

    run.replace(GraphRunner.builder(graph)
        .observedBy(observer)
        .timer(time)
        .build()
        .run(Update.NOTHING)
        .subscribe());
    time.advanceTimeBy(Duration.ofHours(2));

    assertThat(observer.told()).contains("run sample CANCELLED", "attempt bad 2 CANCELLED");
    everythingEndedOnce();
  }

  @Test
  @DisplayName("E23 who looks on changes nothing of what the subscriber hears")
  void whoLooksOnChangesNothing() {
    List<String> alone = Graphs.kinds(
        GraphRunner.of(lively()).stream(Update.NOTHING).collectList().block(PATIENCE));

    assertThat(
            Graphs.kinds(observed(lively()).stream(Update.NOTHING).collectList().block(PATIENCE)))
        .isEqualTo(alone);
  }

  @Test
  @DisplayName("E23 each attempt sees the context that is lent to it, the handler that of its task")
  void eachAttemptSeesItsOwnContext() {
    Graph inner =
        graph().node("deep", state -> lent()).sequence(START, "deep", END).build();
    Graph graph = graph()
        .node("a", state -> lent())
        .subgraph("inner", inner)
        .node(
            "flaky",
            (state, context) ->
                context.attempt() == 1 ? Mono.error(new IllegalStateException()) : lent())
        .policy("flaky", NodePolicy.retry(2))
        .node("bad", state -> Mono.error(new IllegalStateException()))
        .handler("bad", (state, failed) -> lent())
        .sequence(START, "a", "inner", "flaky", "bad", END)
        .build();

    RunResult result = observed(graph).run(Update.NOTHING).block(PATIENCE);

    assertThat(result.state().get(LOG))
        .containsExactly("attempt a 1", "inner/attempt deep 1", "attempt flaky 2", "task bad");
  }

  private static Mono<Update> lent() {
    return RecordingObserver.lent().map(stage -> Update.append(LOG, stage));
  }

  @Test
  @DisplayName("E23 the code of a node is entered where it is called, and left again")
  void codeIsEnteredWhereItIsCalled() {
    Channel<Integer> most = Channel.reduced("most", Integer.class, 0, (current, update) -> {
      look("reducer");
      return update;
    });
    Graph graph = Graph.builder("sample")
        .channels(most)
        .compute("compute", state -> look("compute").and(Update.of(most, 1)))
        .compute("computeAgain", state -> look("computeAgain"))
        .policy("computeAgain", NodePolicy.retry(2))
        .node("action", state -> Mono.just(look("action")).hide())
        .node("actionAgain", state -> Mono.just(look("actionAgain")).hide())
        .policy("actionAgain", NodePolicy.retry(2).timeout(PATIENCE))
        .node("callable", state -> Mono.fromCallable(() -> look("callable")))
        .blocking("blocking", state -> look("blocking"))
        .node("bad", state -> Mono.error(new IllegalStateException()))
        .handler("bad", (state, failed) -> Mono.just(look("handler")))
        .edge(START, "compute")
        .sequence("compute", "computeAgain", "action", "actionAgain", "callable", "blocking", "bad")
        .route("bad", to("bad", END), state -> look("router").isEmpty() ? END : "bad")
        .build();

    observed(graph).run(Update.NOTHING).block(PATIENCE);

    assertThat(places)
        .containsExactlyInAnyOrder(
            "compute in attempt compute 1",
            "reducer in step 1",
            "computeAgain in attempt computeAgain 1",
            "action in attempt action 1",
            "actionAgain in attempt actionAgain 1",
            "callable in attempt callable 1",
            "blocking in attempt blocking 1",
            "handler in task bad",
            "router in step 7");
    everythingEndedOnce();
  }

  @Test
  @DisplayName("E23 a subscriber hears of a node from outside the node's code")
  void subscribersAreNotInsideANode() {
    Graph graph = Graph.builder("sample")
        .compute("compute", state -> Update.NOTHING)
        .node("known", state -> Mono.just(new Chunk("said")))
        .sequence(START, "compute", "known", END)
        .build();

    observed(graph).stream(Update.NOTHING).doOnNext(event -> look("told")).blockLast(PATIENCE);

    assertThat(places).containsExactly("told in " + RecordingObserver.here());
  }

  private Update look(String place) {
    places.add(place + " in " + RecordingObserver.here());
    return Update.NOTHING;
  }

  /** Where an observer can throw. */
  enum Fault {
    BEGIN_RUN,
    BEGIN_ATTEMPT,
    NO_WATCH,
    LEND,
    ENTER,
    LEAVE,
    END
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E23 an observer that throws does not break the run, and is not silently forgotten")
  void anObserverThatThrowsBreaksNothing(Fault fault) {
    Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
    Hooks.resetOnErrorDropped();
    Hooks.onErrorDropped(dropped::add);

    RunResult result = GraphRunner.builder(lively())
        .observedBy(stage -> new Faulty(fault).begin(stage))
        .build()
        .run(Update.NOTHING)
        .block(PATIENCE);

    assertThat(result.isCompleted()).isTrue();
    assertThat(dropped)
        .isNotEmpty()
        .allMatch(error -> fault == Fault.NO_WATCH
            ? error instanceof NullPointerException
            : error.getMessage().equals(fault.name()));
  }

  private record Faulty(Fault fault) implements Watch {

    private void fail(Fault place) {
      if (fault == place) {
        throw new IllegalStateException(place.name());
      }
    }

    @Override
    @SuppressWarnings("NullAway") // as observers without null checks do
    public Watch begin(Stage stage) {
      fail(stage instanceof Stage.Run ? Fault.BEGIN_RUN : Fault.BEGIN_ATTEMPT);
      return fault == Fault.NO_WATCH ? null : this;
    }

    @Override
    public Context lend(Context context) {
      fail(Fault.LEND);
      return context;
    }

    @Override
    public Scope enter() {
      fail(Fault.ENTER);
      return () -> fail(Fault.LEAVE);
    }

    @Override
    public void end(Ending ending, @Nullable Throwable error) {
      fail(Fault.END);
    }
  }

  @Test
  void anObserverCanBeGivenOnce() {
    GraphRunner.Builder builder = GraphRunner.builder(Graphs.counting(1)).observedBy(observer);

    assertThatThrownBy(() -> builder.observedBy(observer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("observedBy was already set to ");
  }
}
