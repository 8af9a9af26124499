package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.counting;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.state.Update;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Who may write to a thread while a run waits for somebody to ask for more. */
class LeaseTests extends OnAThread {

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final FaultyStore counted = new FaultyStore(store, Fault.LATE, Integer.MAX_VALUE);
  private final List<GraphEvent> told = new ArrayList<>();
  private final List<Throwable> errors = new ArrayList<>();

  private GraphThread counting5() {
    return GraphRunner.builder(counting(5))
        .checkpoints(counted)
        .timer(time)
        .build()
        .thread("t");
  }

  /** Asks for nothing by itself. */
  private final class Slow extends BaseSubscriber<GraphEvent> {

    @Override
    protected void hookOnSubscribe(Subscription subscription) {}

    @Override
    protected void hookOnNext(GraphEvent event) {
      told.add(event);
    }

    @Override
    protected void hookOnError(Throwable error) {
      errors.add(error);
    }
  }

  private Slow started(RunOptions options) {
    Slow slow = new Slow();
    counting5().stream(Update.NOTHING, options).subscribe(slow);
    return slow;
  }

  private boolean isBusy() {
    return Mono.from(store.acquire("t", "other", Duration.ofMillis(1)))
        .flatMap(lease -> Mono.from(store.release(lease, Release.SETTLED)).thenReturn(false))
        .onErrorResume(ThreadBusyException.class, busy -> Mono.just(true))
        .block(PATIENCE);
  }

  @Test
  @DisplayName("E18 on a thread too, nothing happens before something is asked for")
  void nothingBeforeDemand() {
    Slow slow = started(RunOptions.NONE);

    assertThat(counted.calls()).isZero();
    slow.cancel();
    assertThat(counted.calls()).isZero();
    started(RunOptions.NONE).request(1);
    assertThat(told).hasSize(1);
    assertThat(counted.calls()).as("lease, load, input").isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E18 a run that waits for demand lets go of its thread, and takes it again")
  void restsWhileNothingIsAskedFor(Durability mode) {
    Slow slow = started(RunOptions.NONE.durability(mode));
    slow.request(mode == Durability.EXIT ? 6 : 7); // with EXIT the input is not saved yet
    assertThat(told.get(told.size() - 1)).isInstanceOf(StepCommitted.class);
    assertThat(isBusy()).isTrue();

    time.advanceTimeBy(Hold.LEASE);
    assertThat(isBusy()).isFalse();
    clock.pass(Hold.LEASE.multipliedBy(10));
    time.advanceTimeBy(Hold.LEASE.multipliedBy(10));
    slow.request(Long.MAX_VALUE);

    assertThat(errors).isEmpty();
    assertThat(told.get(told.size() - 1)).isInstanceOf(RunCompleted.class);
    assertThat(counting5().state().block(PATIENCE).position().state().get(COUNT))
        .isEqualTo(5);
    assertThat(isBusy()).isFalse();
  }

  @Test
  @DisplayName("E15 the tasks of a run that has taken its thread again have greater executions")
  void executionsGrowWithTheLease() {
    Slow slow = started(RunOptions.NONE);
    slow.request(7);
    time.advanceTimeBy(Hold.LEASE);

    slow.request(Long.MAX_VALUE);

    assertThat(told)
        .filteredOn(GraphEvent.TaskStarted.class::isInstance)
        .extracting(event -> ((GraphEvent.TaskStarted) event).execution())
        .startsWith(new Execution(1, 1), new Execution(2, 1))
        .endsWith(new Execution(2, 1))
        .hasSize(5);
  }

  @Test
  @DisplayName("S2.9 a run whose thread somebody took meanwhile is told so, and runs nothing")
  void somebodyElseWasThere() {
    Slow slow = started(RunOptions.NONE);
    slow.request(7);
    time.advanceTimeBy(Hold.LEASE);
    thread(counting(5)).resume().blockLast(PATIENCE);

    slow.request(Long.MAX_VALUE);

    assertThat(errors).singleElement().isInstanceOf(CheckpointConflictException.class);
    assertThat(told).as("no step more").hasSize(8);
    assertThat(thread(counting(5)).history().count().block(PATIENCE)).isEqualTo(6);
  }

  @Test
  @DisplayName("S2.9 a run whose thread somebody holds when it wants to go on is told so")
  void somebodyElseIsThere() {
    Slow slow = started(RunOptions.NONE);
    slow.request(7);
    time.advanceTimeBy(Hold.LEASE);
    Mono.from(store.acquire("t", "other", Hold.LEASE)).block(PATIENCE);

    slow.request(Long.MAX_VALUE);

    assertThat(errors).singleElement().isInstanceOf(ThreadBusyException.class);
    assertThat(told).as("no step more").hasSize(8);
  }

  @Test
  @DisplayName("S2.9 a run whose task takes long keeps its thread")
  void atWork() {
    GraphThread thread = GraphRunner.builder(Graphs.single("wait", state -> Mono.<Update>never()))
        .checkpoints(counted)
        .timer(time)
        .build()
        .thread("t");
    thread.stream(Update.NOTHING).subscribe(told::add, errors::add);

    for (int tick = 0; tick < 10; tick++) {
      time.advanceTimeBy(Hold.LEASE.dividedBy(2));
      clock.pass(Hold.LEASE.dividedBy(2));
      assertThat(isBusy()).isTrue();
    }
  }

  /** Ends a charge beside something that fails, or hangs, as {@code broken} says. */
  private Graph charging() {
    return graph()
        .compute("first", state -> called("first"))
        .compute("charge", state -> called("charge"))
        .policy("charge", NodePolicy.NONE.actingOutside())
        .compute("bad", state -> failing("bad"))
        .edge(START, "first")
        .edge("first", "charge")
        .edge("first", "bad")
        .edge("charge", END)
        .edge("bad", END)
        .build();
  }

  @Test
  @DisplayName("S2.9 X.13 a run whose step somebody else was at meanwhile is told so")
  void somebodyElseWasAtTheStep() {
    Slow slow = new Slow();
    GraphRunner.builder(charging()).checkpoints(counted).timer(time).build().thread("t").stream(
            Update.NOTHING)
        .subscribe(slow);
    slow.request(7);
    time.advanceTimeBy(Hold.LEASE);
    thread(charging()).resume().onErrorComplete().blockLast(PATIENCE);
    broken.set(false);

    slow.request(Long.MAX_VALUE);

    assertThat(errors).singleElement().isInstanceOf(CheckpointConflictException.class);
    assertThat(calls()).isEqualTo(Map.of("first", 1, "charge", 1, "bad", 1));
    thread(charging()).resume().blockLast(PATIENCE);
    assertThat(calls()).isEqualTo(Map.of("first", 1, "charge", 1, "bad", 2));
  }

  @Test
  @DisplayName("S2.9 a busy run keeps its thread, whenever it is asked whether it needs it")
  void busyRuns() {
    Graph graph = graph()
        .compute("tick", state -> {
          time.advanceTimeBy(Hold.LEASE.dividedBy(3));
          return Update.of(COUNT, 1);
        })
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> state.get(COUNT) < 5 ? "tick" : END)
        .build();
    GraphThread thread =
        GraphRunner.builder(graph).checkpoints(counted).timer(time).build().thread("t");

    thread.stream(Update.NOTHING)
        .doOnNext(event -> time.advanceTimeBy(Hold.LEASE.dividedBy(3)))
        .blockLast(PATIENCE);

    assertThat(thread
            .history()
            .map(checkpoint -> checkpoint.id().fence())
            .distinct()
            .count()
            .block(PATIENCE))
        .as("one lease")
        .isEqualTo(1);
  }

  @Test
  @DisplayName("S2.9 a run that has ended holds no thread while its last words wait")
  void endedRuns() {
    Slow slow = new Slow();
    GraphRunner.builder(charging()).checkpoints(counted).timer(time).build().thread("t").stream(
            Update.NOTHING)
        .subscribe(slow);
    slow.request(8);
    assertThat(errors).isEmpty();
    assertThat(isBusy()).isTrue();

    time.advanceTimeBy(Hold.LEASE);

    assertThat(isBusy()).isFalse();
    slow.request(Long.MAX_VALUE);
    assertThat(errors).hasSize(1);
  }

  @Test
  @DisplayName("E18 asking for nothing is an error, and nothing happens")
  void illegalRequests() {
    started(RunOptions.NONE).request(1);
    int before = counted.calls();
    counting5().stream(Update.NOTHING).subscribe(new CoreSubscriber<>() {
      @Override
      public void onSubscribe(Subscription subscription) {
        subscription.request(0);
      }

      @Override
      public void onNext(GraphEvent event) {
        told.add(event);
      }

      @Override
      public void onError(Throwable error) {
        errors.add(error);
      }

      @Override
      public void onComplete() {}
    });

    assertThat(errors).singleElement().isInstanceOf(IllegalArgumentException.class);
    assertThat(counted.calls()).isEqualTo(before);
  }

  @Test
  @DisplayName("S2.9 all runs of a runner keep their threads, whichever ends first")
  void allRunsKeepTheirThreads() {
    AtomicInteger renewals = new AtomicInteger();
    CheckpointStore counting = new StoreAround(store) {
      @Override
      public Publisher<Lease> renew(Lease lease, Duration duration) {
        renewals.incrementAndGet();
        return super.renew(lease, duration);
      }
    };
    Graph waiting = Graphs.single("wait", state -> Mono.<Update>never());
    GraphRunner runner =
        GraphRunner.builder(waiting).checkpoints(counting).timer(time).build();
    Disposable first = runner.thread("a").run(Update.NOTHING).subscribe();
    Disposable second = runner.thread("b").run(Update.NOTHING).subscribe();
    Disposable third = runner.thread("c").run(Update.NOTHING).subscribe();

    time.advanceTimeBy(Hold.LEASE.dividedBy(3));
    assertThat(renewals.get()).isEqualTo(3);

    second.dispose();
    time.advanceTimeBy(Hold.LEASE.dividedBy(3));
    assertThat(renewals.get()).isEqualTo(5);

    first.dispose();
    third.dispose();
    time.advanceTimeBy(Hold.LEASE);
    assertThat(renewals.get()).isEqualTo(5);
  }
}
