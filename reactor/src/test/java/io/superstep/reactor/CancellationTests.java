package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunStarted;
import io.superstep.event.GraphEvent.StepStarted;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;
import reactor.test.publisher.TestPublisher;
import reactor.util.context.Context;

class CancellationTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final AtomicInteger live = new AtomicInteger();
  private final AtomicInteger started = new AtomicInteger();

  private <T> Flux<T> counted(Flux<T> work) {
    return work.doOnSubscribe(any -> {
          live.incrementAndGet();
          started.incrementAndGet();
        })
        .doFinally(any -> live.decrementAndGet());
  }

  /** Two branches of chunks and updates, then a node of its own. */
  private Graph branches() {
    return graph()
        .node("left", state -> counted(outputs("left")))
        .node("right", state -> counted(outputs("right")))
        .node("last", state -> counted(Flux.just(Update.of(COUNT, 1))))
        .edge(START, "left")
        .edge(START, "right")
        .join(Graph.all("left", "right"), "last")
        .edge("last", END)
        .build();
  }

  private static Flux<NodeOutput> outputs(String name) {
    return Flux.just(new Chunk("a"), new Chunk("b"), Update.append(LOG, name));
  }

  @Test
  @DisplayName("E20 cancelled at any event, a run leaves no task behind and starts none")
  void cancelledAtAnyEventNothingIsLeftBehind() {
    GraphRunner runner = GraphRunner.of(branches());
    int events = runner.stream(Update.NOTHING).collectList().block(PATIENCE).size();

    for (int at = 0; at <= events; at++) {
      for (long demand : new long[] {1, Long.MAX_VALUE}) {
        started.set(0);
        StepVerifier.create(runner.stream(Update.NOTHING).limitRate(1), demand == 1 ? at : demand)
            .expectNextCount(at)
            .thenCancel()
            .verify(PATIENCE);

        assertThat(live).as("cancelled after %s events", at).hasValue(0);
      }
    }
  }

  @Test
  @DisplayName("E20 cancelling stops the nodes that run")
  void cancellingStopsRunningNodes() {
    PublisherProbe<Update> probe = PublisherProbe.of(Mono.never());
    Graph waiting = graph()
        .node("wait", state -> probe.mono())
        .node("after", state -> counted(Flux.empty()))
        .sequence(START, "wait", "after", END)
        .build();

    StepVerifier.create(GraphRunner.of(waiting).stream(Update.NOTHING))
        .expectNextCount(3)
        .then(probe::assertWasSubscribed)
        .thenCancel()
        .verify(PATIENCE);

    probe.assertWasCancelled();
    assertThat(started).hasValue(0);
  }

  @Test
  @DisplayName("E20 whoever cancels when told that a node starts keeps it from being called")
  void cancellingAtTheStartOfATask() {
    AtomicInteger called = new AtomicInteger();
    Graph graph = Graphs.single("called", state -> {
      called.incrementAndGet();
      return Mono.just(Update.NOTHING);
    });

    GraphRunner.of(graph).stream(Update.NOTHING)
        .takeUntil(event -> event instanceof TaskStarted)
        .blockLast(PATIENCE);

    assertThat(called).hasValue(0);
  }

  @Test
  @DisplayName("E20 a subscriber is told that a node starts before it is called")
  void startIsAnnouncedBeforeTheCall() {
    List<Object> order = new ArrayList<>();
    Graph graph = Graphs.single("called", state -> {
      order.add("called");
      return Mono.just(Update.NOTHING);
    });

    GraphRunner.of(graph).stream(Update.NOTHING)
        .doOnNext(event -> order.add(event.getClass()))
        .blockLast(PATIENCE);

    assertThat(order).startsWith(RunStarted.class, StepStarted.class, TaskStarted.class, "called");
  }

  @Test
  @DisplayName("E20 nothing more is asked of a node whose chunk made the subscriber cancel")
  void cancellingAtAChunk() {
    List<Integer> made = new ArrayList<>();
    Graph graph = Graphs.single(
        "chunks",
        state -> Flux.<NodeOutput, Integer>generate(() -> 1, (number, sink) -> {
          made.add(number);
          sink.next(new Chunk(number));
          return number + 1;
        }));

    StepVerifier.create(
            GraphRunner.of(graph).stream(Update.NOTHING)
                .filter(event -> event instanceof TaskChunk)
                .limitRate(1),
            3)
        .expectNextCount(2)
        .thenCancel()
        .verify(PATIENCE);

    assertThat(made).hasSizeLessThanOrEqualTo(3);
  }

  @Test
  @DisplayName("E20 whoever cancels while a step ends keeps it from being committed")
  void cancellingAtTheEndOfATask() {
    AtomicInteger routed = new AtomicInteger();
    Graph graph = graph()
        .compute("last", state -> Update.of(COUNT, 1))
        .edge(START, "last")
        .route("last", Graph.to("last", END), state -> {
          routed.incrementAndGet();
          return END;
        })
        .build();

    GraphRunner.of(graph).stream(Update.NOTHING)
        .takeUntil(event -> event instanceof TaskUpdated)
        .blockLast(PATIENCE);

    assertThat(routed).hasValue(0);
  }

  @Test
  @DisplayName("X.17 an illegal request ends a run whose node never stops talking")
  void illegalRequest() {
    Graph endless = Graphs.single(
        "endless", state -> Flux.<NodeOutput>generate(sink -> sink.next(new Chunk("more"))));
    AtomicInteger heard = new AtomicInteger();
    List<Throwable> ended = new ArrayList<>();

    GraphRunner.of(endless).stream(Update.NOTHING).subscribe(new BaseSubscriber<>() {

      @Override
      protected void hookOnNext(GraphEvent event) {
        if (heard.incrementAndGet() == 10) {
          upstream().request(-1);
        }
      }

      @Override
      protected void hookOnError(Throwable error) {
        ended.add(error);
      }
    });

    assertThat(ended).singleElement().isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("X.17 a subscriber that throws where an event is made counts as one that cancels")
  void throwingSubscriberInsideAStep() {
    List<Throwable> told = new ArrayList<>();
    Consumer<Throwable> teller = told::add;
    Graph waiting = Graphs.single("wait", state -> counted(Flux.never()));
    IllegalStateException broken = new IllegalStateException("broken");

    GraphRunner.of(waiting).stream(Update.NOTHING)
        .subscribe(new ThrowingSubscriber(teller, broken));

    assertThat(told).containsExactly(broken);
    assertThat(started).hasValue(0);
    assertThat(live).hasValue(0);
  }

  @Test
  @DisplayName("X.17 a fatal error of the subscriber is signalled to it when the run is released")
  void fatallyThrowingSubscriber() {
    List<Throwable> dropped = new ArrayList<>();
    Graph waiting = Graphs.single("wait", state -> counted(Flux.never()));
    Error fatal = new LinkageError("fatal");

    GraphRunner.of(waiting).stream(Update.NOTHING)
        .subscribe(new ThrowingSubscriber(dropped::add, fatal));

    assertThat(dropped).containsExactly(fatal);
    assertThat(live).hasValue(0);
  }

  /** Throws when it is told that a task starts. */
  private record ThrowingSubscriber(
      Consumer<Throwable> teller, Throwable thrown, Consumer<Subscription> asking)
      implements CoreSubscriber<GraphEvent> {

    /** Asks for whatever comes. */
    ThrowingSubscriber(Consumer<Throwable> teller, Throwable thrown) {
      this(teller, thrown, subscription -> subscription.request(Long.MAX_VALUE));
    }

    @Override
    public Context currentContext() {
      return Context.of("reactor.onErrorDropped.local", teller);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      asking.accept(subscription);
    }

    @Override
    public void onNext(GraphEvent event) {
      if (event instanceof TaskStarted) {
        Exceptions.throwIfJvmFatal(thrown);
        throw (RuntimeException) thrown;
      }
    }

    @Override
    public void onError(Throwable error) {
      teller.accept(
          error == thrown && Exceptions.isFatal(error)
              ? error
              : new AssertionError("An error after the end.", error));
    }

    @Override
    public void onComplete() {
      teller.accept(new AssertionError("Another end after the end."));
    }
  }

  @Test
  @DisplayName("X.17 a subscriber that throws counts as one that cancels, and its error is told")
  void throwingSubscriber() {
    List<Throwable> told = new ArrayList<>();
    Consumer<Throwable> teller = told::add;
    RuntimeException broken = new IllegalStateException("broken");
    Graph waiting = Graphs.single("wait", state -> counted(Flux.never()));

    GraphRunner.of(waiting).stream(Update.NOTHING)
        .subscribe(new ThrowingSubscriber(teller, broken, subscription -> {
          subscription.request(2);
          assertThat(started).as("before anybody has heard of the node").hasValue(1);
          subscription.request(1);
        }));

    assertThat(told).containsExactly(broken);
    assertThat(live).hasValue(0);
  }

  @Test
  @DisplayName("X.17 what a node says after the run was cancelled is ignored")
  void lateWordsAreIgnored() {
    TestPublisher<Update> rude = TestPublisher.createNoncompliant(
        TestPublisher.Violation.CLEANUP_ON_TERMINATE, TestPublisher.Violation.REQUEST_OVERFLOW);
    Graph graph = Graphs.single("rude", state -> rude.flux());

    StepVerifier.create(GraphRunner.of(graph).stream(Update.NOTHING))
        .expectNextCount(3)
        .then(rude::assertSubscribers)
        .thenCancel()
        .verify(PATIENCE);
    rude.next(Update.of(COUNT, 1));
    rude.error(new IllegalStateException("too late"));

    assertThat(rude.wasCancelled()).isTrue();
  }

  @Test
  @DisplayName("E20 ten thousand cancelled runs leave nothing behind")
  void tenThousandCancelledRunsLeaveNothingBehind() {
    Graph waiting = Graphs.single("wait", state -> counted(Flux.never()));
    GraphRunner runner = GraphRunner.of(waiting);

    for (int run = 0; run < 10_000; run++) {
      runner.stream(Update.NOTHING).subscribe().dispose();
    }

    assertThat(started).hasValue(10_000);
    assertThat(live).hasValue(0);
  }

  @Test
  @DisplayName(
      "E20 what a blocking node comes to after the run was cancelled falls away in silence")
  void blockingNodesThatEndTooLate() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch cancelled = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(2);
    Graph graph = graph()
        .blocking("deaf", state -> {
          begun.countDown();
          awaitUninterruptibly(cancelled);
          return Update.of(COUNT, 1);
        })
        .blocking("broken", state -> {
          begun.countDown();
          awaitUninterruptibly(cancelled);
          throw new IllegalStateException("too late");
        })
        .edge(START, "deaf")
        .edge(START, "broken")
        .edge("deaf", END)
        .edge("broken", END)
        .build();
    Schedulers.onScheduleHook("blocking", work -> () -> {
      try {
        work.run();
      } finally {
        over.countDown();
      }
    });
    try {
      Disposable run = GraphRunner.of(graph).stream(Update.NOTHING).subscribe();
      begun.await();
      run.dispose();
      cancelled.countDown();
      assertThat(over.await(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      Schedulers.resetOnScheduleHook("blocking");
    }
    // and nothing was dropped, as after every test
  }

  @Test
  @DisplayName("E20 a run that is cancelled while a blocking node comes back drops nothing")
  void cancelledWhileABlockingNodeReturns() {
    AtomicBoolean returning = new AtomicBoolean();
    Graph graph = graph()
        .blocking("back", state -> {
          returning.set(true);
          return Update.of(COUNT, 1);
        })
        .sequence(START, "back", END)
        .build();
    GraphRunner runner = GraphRunner.of(graph);
    for (int round = 0; round < 5_000; round++) {
      returning.set(false);
      Disposable run = runner.stream(Update.NOTHING).subscribe();
      while (!returning.get()) {
        Thread.onSpinWait();
      }
      for (int moment = 0; moment < round % 100; moment++) {
        Thread.onSpinWait();
      }
      run.dispose();
    }
    // and nothing was dropped, as after every test
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean isOver = false;
    while (!isOver) {
      try {
        latch.await();
        isOver = true;
      } catch (InterruptedException deaf) {
        isOver = false;
      }
    }
  }
}
