package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Cause.Source;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.ThreadExistsException;
import io.superstep.checkpoint.UnknownCheckpointException;
import io.superstep.graph.Graph;
import io.superstep.state.Channel;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.GraphChangedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class CopyTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final CheckpointId PAUSED = CheckpointId.parse("2-1");

  private final InMemoryCheckpointStore store = new InMemoryCheckpointStore();
  private final Graph graph = graph()
      .compute("a", state -> Update.append(LOG, "a").and(COUNT, 1))
      .compute("b", state -> Update.append(LOG, "b"))
      .sequence(START, "a", "b", END)
      .interruptBefore("b")
      .build();
  private final GraphRunner runner =
      GraphRunner.builder(graph).checkpoints(store).build();
  private final GraphThread thread = runner.thread("t");
  private final GraphThread copy = runner.thread("copy");

  private static State stateOf(GraphThread thread) {
    return thread.state().block(PATIENCE).position().state();
  }

  @Test
  @DisplayName("E13 a copy begins with the whole state, with what is due, and says where from")
  void copies() {
    thread.run(Update.append(LOG, "hello")).block(PATIENCE);
    List<Checkpoint> before = thread.history().collectList().block(PATIENCE);
    State state = stateOf(thread);

    Checkpoint first = thread.copyTo("copy", PAUSED, "ada", "what if").block(PATIENCE);

    assertThat(first.thread()).isEqualTo("copy");
    assertThat(first.parent()).isNull();
    assertThat(first.cause()).isEqualTo(Cause.copy(new Source("t", PAUSED), "ada", "what if"));
    assertThat(graph.schema().start().apply(first.changes())).isEqualTo(state);
    SavedThread saved = copy.state().block(PATIENCE);
    assertThat(saved.checkpoint()).isEqualTo(first);
    assertThat(saved.position().state()).isEqualTo(state);
    assertThat(saved.position().nodes()).containsExactly("b");
    assertThat(saved.position().pause().before()).containsExactly("b");
    assertThat(thread.history().collectList().block(PATIENCE)).isEqualTo(before);
  }

  @Test
  @DisplayName("E13 a copy has the very state, with starts that were made once, and versions")
  void copiesTheVeryState() {
    AtomicInteger made = new AtomicInteger();
    Channel<Integer> seed =
        Channel.value("seed", Integer.class).startingWith(made::incrementAndGet);
    GraphRunner runner = GraphRunner.builder(Graph.builder("sample")
            .channels(LOG, seed)
            .compute("a", state -> Update.append(LOG, "seed " + state.get(seed)))
            .compute("b", state -> Update.append(LOG, "seed " + state.get(seed)))
            .sequence(START, "a", "b", END)
            .interruptBefore("b")
            .build())
        .checkpoints(store)
        .build();
    runner.thread("t").run(Update.append(LOG, "hello")).block(PATIENCE);
    State state = stateOf(runner.thread("t"));

    runner.thread("t").copyTo("copy", PAUSED, "ada", null).block(PATIENCE);

    assertThat(stateOf(runner.thread("copy"))).isEqualTo(state);
    assertThat(stateOf(runner.thread("copy")).version(LOG)).isEqualTo(2);
    runner.thread("copy").resume().blockLast(PATIENCE);
    assertThat(stateOf(runner.thread("copy")).get(LOG))
        .containsExactly("hello", "seed 1", "seed 1");
  }

  @Test
  @DisplayName("E13 a copy keeps what its graph does not know for one that does")
  void copiesStrangers() {
    thread.run(Update.append(LOG, "hello")).block(PATIENCE);
    Graph newer = Graph.builder("sample")
        .channels(LOG)
        .compute("b", state -> Update.append(LOG, "b"))
        .sequence(START, "b", END)
        .build();

    GraphRunner.builder(newer)
        .checkpoints(store)
        .build()
        .thread("t")
        .copyTo("copy", PAUSED, "ada", null)
        .block(PATIENCE);

    assertThat(stateOf(copy).get(COUNT)).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "E13 a copy goes on by itself, under task ids of its own, whatever becomes of the other")
  void goesOn() {
    thread.run(Update.NOTHING).block(PATIENCE);
    Checkpoint first = thread.copyTo("copy", PAUSED, "ada", null).block(PATIENCE);
    thread.resume().blockLast(PATIENCE);
    thread.delete().block(PATIENCE);

    copy.resume().blockLast(PATIENCE);

    assertThat(stateOf(copy).get(LOG)).containsExactly("a", "b");
    assertThat(copy.history().blockFirst(PATIENCE).credits())
        .singleElement()
        .satisfies(
            credit -> assertThat(credit.task().id()).isEqualTo("copy/" + first.id() + "/2/0/b"));
    assertThat(stateOf(copy).version(LOG)).isEqualTo(2);
  }

  @Test
  @DisplayName("E12 a copy never writes over a thread")
  void refusesThreadsThatExist() {
    thread.run(Update.NOTHING).block(PATIENCE);
    copy.run(Update.append(LOG, "own")).block(PATIENCE);

    assertThatExceptionOfType(ThreadExistsException.class)
        .isThrownBy(() -> thread.copyTo("copy", PAUSED, "ada", null).block(PATIENCE))
        .withMessageContaining("SG-409")
        .withMessageContaining("'copy'");
    assertThatExceptionOfType(ThreadExistsException.class)
        .isThrownBy(() -> thread.copyTo("t", PAUSED, "ada", null).block(PATIENCE));
    assertThat(copy.history().count().block(PATIENCE)).isEqualTo(2);
    assertThat(thread.history().count().block(PATIENCE)).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "E12 a copy of nothing, for a busy thread or another graph is refused, and not begun")
  void refusals() {
    thread.run(Update.NOTHING).block(PATIENCE);
    Graph other =
        graph().compute("a", state -> Update.NOTHING).sequence(START, "a", END).build();

    assertThatExceptionOfType(UnknownCheckpointException.class)
        .isThrownBy(
            () -> thread.copyTo("copy", CheckpointId.parse("9-1"), "ada", null).block(PATIENCE));
    assertThatExceptionOfType(GraphChangedException.class)
        .isThrownBy(() -> GraphRunner.builder(other)
            .checkpoints(store)
            .build()
            .thread("t")
            .copyTo("copy", PAUSED, "ada", null)
            .block(PATIENCE));
    Mono.from(store.acquire("copy", "somebody", PATIENCE)).block(PATIENCE);
    assertThatExceptionOfType(ThreadBusyException.class)
        .isThrownBy(() -> thread.copyTo("copy", PAUSED, "ada", null).block(PATIENCE));
    assertThat(copy.state().blockOptional(PATIENCE)).isEmpty();
  }
}
