package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.counting;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.UnknownCheckpointException;
import io.superstep.graph.Graph;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PruningTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MovingClock clock = new MovingClock(Instant.EPOCH);

  private GraphThread thread(InMemoryCheckpointStore store, Graph graph) {
    return GraphRunner.builder(graph).checkpoints(store).clock(clock).build().thread("t");
  }

  private InMemoryCheckpointStore store() {
    return InMemoryCheckpointStore.builder().clock(clock).build();
  }

  private static List<Checkpoint> oldestFirst(GraphThread thread) {
    return thread
        .history()
        .collectSortedList(Comparator.comparing(Checkpoint::id))
        .block(PATIENCE);
  }

  /** Folds what is left of a thread, and compares each state with the one that is loaded. */
  private static void requireFolds(GraphThread thread, State start) {
    State state = start;
    for (Checkpoint checkpoint : oldestFirst(thread)) {
      state = state.apply(checkpoint.changes());
      assertThat(state)
          .isEqualTo(thread.state(checkpoint.id()).block(PATIENCE).position().state());
    }
  }

  @Test
  @DisplayName("S2.34 S2.37 the last five stay, and folding them from their base gives each state")
  void lastOnes() {
    GraphThread thread = thread(store(), counting(20));
    thread.run(Update.append(LOG, "hello")).block(PATIENCE);
    SavedThread before = thread.state().block(PATIENCE);

    assertThat(thread.prune(Retention.last(5)).block(PATIENCE)).isEqualTo(16);

    List<Checkpoint> left = oldestFirst(thread);
    assertThat(left).hasSize(5);
    assertThat(left.get(0).parent()).isNull();
    assertThat(left.get(0).changes().effects()).containsOnlyKeys("count", "log");
    assertThat(left.get(1).changes().effects()).containsOnlyKeys("count");
    requireFolds(thread, counting(20).schema().start());
    assertThat(thread.state().block(PATIENCE)).isEqualTo(before);
    assertThatExceptionOfType(UnknownCheckpointException.class)
        .isThrownBy(() -> thread.fork(CheckpointId.parse("1-1"), Update.NOTHING).blockLast());
    thread.fork(left.get(0).id(), Update.append(LOG, "again")).blockLast(PATIENCE);
    assertThat(thread.state().block(PATIENCE).position().state().get(COUNT)).isEqualTo(20);
  }

  @Test
  @DisplayName("S2.34 a paused thread goes on after it was pruned, and never goes as a whole")
  void pausedThreads() {
    Graph pausing = graph()
        .compute("a", state -> Update.append(LOG, "a"))
        .compute("b", state -> Update.append(LOG, "b"))
        .sequence(START, "a", "b", END)
        .interruptBefore("b")
        .build();
    GraphThread thread = thread(store(), pausing);
    thread.run(Update.NOTHING).block(PATIENCE);
    clock.pass(Duration.ofDays(8));
    Retention retention = Retention.last(1).andDoneFor(Duration.ofDays(7));

    assertThat(thread.prune(retention).block(PATIENCE)).isEqualTo(1);
    thread.resume().blockLast(PATIENCE);

    assertThat(thread.state().block(PATIENCE).position().state().get(LOG))
        .containsExactly("a", "b");
    assertThat(thread.prune(retention).block(PATIENCE)).as("done just now").isEqualTo(1);
    clock.pass(Duration.ofDays(8));
    assertThat(thread.prune(retention).block(PATIENCE)).isEqualTo(1);
    assertThat(thread.state().blockOptional(PATIENCE)).isEmpty();
    assertThat(thread.run(Update.NOTHING).block(PATIENCE).state().get(LOG)).containsExactly("a");
  }

  @Test
  @DisplayName("S2.34 a store that prunes by itself never keeps twice as many as it has to")
  void prunesByItself() {
    InMemoryCheckpointStore store =
        InMemoryCheckpointStore.builder().retention(Retention.last(5)).build();
    AtomicLong most = new AtomicLong();
    Graph watched = graph()
        .compute("tick", state -> {
          most.accumulateAndGet(
              store.history("t", HistoryFilter.ALL, Schemas.NONE).count().block(), Math::max);
          return Update.of(COUNT, 1);
        })
        .edge(START, "tick")
        .route("tick", Graph.to("tick", END), state -> state.get(COUNT) < 200 ? "tick" : END)
        .build();
    GraphThread thread = thread(store, watched);

    thread.run(Update.append(LOG, "hello")).block(PATIENCE);

    assertThat(most).hasValueBetween(5, 9);
    requireFolds(thread, watched.schema().start());
    assertThat(thread.state().block(PATIENCE).checkpoint().id().sequence()).isEqualTo(201);
    assertThat(thread.state().block(PATIENCE).position().state().get(COUNT)).isEqualTo(200);
  }

  @Test
  @DisplayName("S2.34 a store that prunes by age keeps what is young, however much there was")
  void prunesByItselfByAge() {
    InMemoryCheckpointStore store = InMemoryCheckpointStore.builder()
        .clock(clock)
        .retention(Retention.youngerThan(Duration.ofMinutes(1)))
        .build();
    GraphThread thread = thread(store, counting(500));
    thread.run(Update.NOTHING).block(PATIENCE);
    assertThat(thread.history().count().block(PATIENCE)).isEqualTo(501);

    clock.pass(Duration.ofHours(1));
    thread.update(Update.append(LOG, "late"), "ada", null).block(PATIENCE);

    assertThat(thread.history().count().block(PATIENCE)).isEqualTo(1);
    requireFolds(thread, counting(500).schema().start());
  }

  @Test
  @DisplayName("S2.34 a store that prunes by itself lets threads that are done go in their time")
  void forgetsByItself() {
    InMemoryCheckpointStore store = InMemoryCheckpointStore.builder()
        .clock(clock)
        .retention(Retention.doneFor(Duration.ofDays(7)))
        .build();
    GraphThread thread = thread(store, counting(3));
    thread.run(Update.NOTHING).block(PATIENCE);

    clock.pass(Duration.ofDays(6));
    assertThat(thread.history().count().block(PATIENCE)).isEqualTo(4);
    clock.pass(Duration.ofDays(2));

    assertThat(thread.state().blockOptional(PATIENCE)).isEmpty();
  }
}
