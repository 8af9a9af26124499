package io.superstep.reactor;

import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.counting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.graph.Graph;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.CheckpointStoreContract;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class InMemoryCheckpointStoreTests extends CheckpointStoreContract {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MovingClock clock = new MovingClock(Instant.EPOCH);

  @Override
  protected CheckpointStore store() {
    return InMemoryCheckpointStore.builder().clock(clock).build();
  }

  @Override
  protected void pass(Duration time) {
    clock.pass(time);
  }

  /** A graph that waits before its second node. */
  private static final Graph PAUSING = Graphs.graph()
      .compute("first", state -> Update.of(COUNT, 1))
      .compute("second", state -> Update.of(COUNT, 10))
      .sequence(Graph.START, "first", "second", Graph.END)
      .interruptBefore("second")
      .build();

  private static List<String> threads(CheckpointStore store) {
    return Flux.from(store.threads(EnumSet.allOf(ThreadStatus.class)))
        .map(ThreadSummary::thread)
        .sort()
        .collectList()
        .block(PATIENCE);
  }

  @Test
  @DisplayName("S2.34 threads that are done go when their time is up, those that wait stay")
  void oldThreadsGo() {
    InMemoryCheckpointStore store =
        InMemoryCheckpointStore.builder().clock(clock).ttl(Duration.ofDays(7)).build();
    GraphRunner counting = GraphRunner.builder(counting(3)).checkpoints(store).build();
    GraphRunner pausing = GraphRunner.builder(PAUSING).checkpoints(store).build();
    counting.thread("done").run(Update.NOTHING).block(PATIENCE);
    pausing.thread("waiting").run(Update.NOTHING).block(PATIENCE);

    clock.pass(Duration.ofDays(6));
    assertThat(threads(store)).containsExactly("done", "waiting");
    clock.pass(Duration.ofDays(2));

    assertThat(threads(store)).containsExactly("waiting");
    assertThat(counting.thread("done").state().blockOptional(PATIENCE)).isEmpty();
    RunResult ended = RunResult.of(pausing.thread("waiting").resume()).block(PATIENCE);
    assertThat(ended.state().get(COUNT)).isEqualTo(11);
  }

  @Test
  @DisplayName("S2.34 no more threads are kept than asked for, but for those with work to do")
  void manyThreadsGo() {
    InMemoryCheckpointStore store =
        InMemoryCheckpointStore.builder().clock(clock).maxDone(5).build();
    GraphRunner counting = GraphRunner.builder(counting(1)).checkpoints(store).build();
    GraphRunner pausing = GraphRunner.builder(PAUSING).checkpoints(store).build();
    for (int thread = 0; thread < 20; thread++) {
      counting.thread("done-" + thread).run(Update.NOTHING).block(PATIENCE);
      pausing.thread("waiting-" + thread).run(Update.NOTHING).block(PATIENCE);
    }

    assertThat(threads(store)).filteredOn(name -> name.startsWith("waiting")).hasSize(20);
    assertThat(threads(store)).filteredOn(name -> name.startsWith("done")).hasSizeLessThan(6);
  }

  @Test
  @DisplayName("S2.36 the states of a thread share what did not change")
  void statesShareTheirValues() {
    InMemoryCheckpointStore store = new InMemoryCheckpointStore();
    GraphRunner runner = GraphRunner.builder(counting(2)).checkpoints(store).build();
    GraphThread thread = runner.thread("t");
    thread.run(Update.append(Graphs.LOG, "kept")).block(PATIENCE);

    List<List<String>> logs = thread
        .history()
        .concatMap(checkpoint -> thread.state(checkpoint.id()))
        .map(saved -> saved.position().state().get(Graphs.LOG))
        .collectList()
        .block(PATIENCE);

    assertThat(logs).hasSize(3).allSatisfy(log -> assertThat(log).isSameAs(logs.get(0)));
  }

  @Test
  @DisplayName("E13 a thread that was done and forgotten begins anew")
  void forgottenThreadsBeginAnew() {
    InMemoryCheckpointStore store =
        InMemoryCheckpointStore.builder().clock(clock).ttl(Duration.ofDays(1)).build();
    GraphThread thread =
        GraphRunner.builder(counting(1)).checkpoints(store).build().thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);
    clock.pass(Duration.ofDays(2));

    thread.run(Update.NOTHING).block(PATIENCE);

    SavedThread saved = thread.state().block(PATIENCE);
    assertThat(saved.position().state().get(COUNT)).isEqualTo(1);
    assertThat(Mono.from(store.delete("t")).block(PATIENCE)).isEqualTo(2);
  }

  @Test
  @DisplayName("S2.34 threads that are done may be bounded by how much they hold together")
  void boundedByCheckpoints() {
    InMemoryCheckpointStore bounded =
        InMemoryCheckpointStore.builder().clock(clock).maxDoneCheckpoints(20).build();
    GraphRunner runner = GraphRunner.builder(counting(4)).checkpoints(bounded).build();

    for (int thread = 0; thread < 50; thread++) {
      runner.thread("t" + thread).run(Update.NOTHING).block(PATIENCE);
    }

    long kept = bounded
        .threads(EnumSet.allOf(ThreadStatus.class))
        .concatMap(thread -> bounded.history(thread.thread(), HistoryFilter.ALL, Schemas.NONE))
        .count()
        .block(PATIENCE);
    assertThat(kept).isPositive().isLessThanOrEqualTo(20);
    assertThatThrownBy(() ->
            InMemoryCheckpointStore.builder().maxDoneCheckpoints(1).maxDone(1).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not both");
  }
}
