package io.superstep.reactor;

import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.counting;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.state.Update;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
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
        .flatMap(lease -> Mono.from(store.release(lease)).thenReturn(false))
        .onErrorResume(ThreadBusyException.class, busy -> Mono.just(true))
        .block(PATIENCE);
  }

  @Test
  @DisplayName("E18 on a thread too, nothing happens before something is asked for")
  void nothingBeforeDemand() {
    Slow slow = started(RunOptions.DEFAULT);

    assertThat(counted.calls()).isZero();
    slow.cancel();
    assertThat(counted.calls()).isZero();
    started(RunOptions.DEFAULT).request(1);
    assertThat(told).hasSize(1);
    assertThat(counted.calls()).as("lease, load, input").isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E18 a run that waits for demand lets go of its thread, and takes it again")
  void restsWhileNothingIsAskedFor(Durability mode) {
    Slow slow = started(RunOptions.DEFAULT.durability(mode));
    slow.request(6);
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
  @DisplayName("S2.9 a run whose thread somebody took meanwhile is told so, and runs nothing")
  void somebodyElseWasThere() {
    Slow slow = started(RunOptions.DEFAULT);
    slow.request(6);
    time.advanceTimeBy(Hold.LEASE);
    thread(counting(5)).resume().blockLast(PATIENCE);

    slow.request(Long.MAX_VALUE);

    assertThat(errors).singleElement().isInstanceOf(CheckpointConflictException.class);
    assertThat(told).as("no step more").hasSize(7);
    assertThat(thread(counting(5)).history().count().block(PATIENCE)).isEqualTo(6);
  }

  @Test
  @DisplayName("S2.9 a run whose thread somebody holds when it wants to go on is told so")
  void somebodyElseIsThere() {
    Slow slow = started(RunOptions.DEFAULT);
    slow.request(6);
    time.advanceTimeBy(Hold.LEASE);
    Mono.from(store.acquire("t", "other", Hold.LEASE)).block(PATIENCE);

    slow.request(Long.MAX_VALUE);

    assertThat(errors).singleElement().isInstanceOf(ThreadBusyException.class);
    assertThat(told).as("no step more").hasSize(7);
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
}
