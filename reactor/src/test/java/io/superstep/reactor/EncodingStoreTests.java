package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.Send;
import io.superstep.json.InvalidJsonException;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import io.superstep.testkit.CheckpointStoreContract;
import io.superstep.testkit.EncodingStore;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class EncodingStoreTests extends CheckpointStoreContract {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Channel<@Nullable Object> ANY = Channel.value("any", Object.class);
  private static final Channel<@Nullable Object> ARGUMENT =
      Channel.value("argument", Object.class).argument();

  private final MovingClock clock = new MovingClock(Instant.EPOCH);

  @Override
  protected CheckpointStore store() {
    return new EncodingStore(InMemoryCheckpointStore.builder().clock(clock).build());
  }

  @Override
  protected void pass(Duration time) {
    clock.pass(time);
  }

  /** All that can be done with a thread, over what was read back. */
  @Nested
  class Threads extends GraphThreadTests {

    @Override
    CheckpointStore around(InMemoryCheckpointStore memory) {
      return new EncodingStore(memory);
    }
  }

  /** The same with graphs inside graphs. */
  @Nested
  class NestedThreads extends NestedThreadTests {

    @Override
    CheckpointStore around(InMemoryCheckpointStore memory) {
      return new EncodingStore(memory);
    }
  }

  /** Something that no JSON can hold. */
  private static final class Connection {}

  private final CheckpointStore store = store();

  private GraphThread thread(Graph graph) {
    return GraphRunner.builder(graph).checkpoints(store).build().thread("t");
  }

  private static void requireRefused(Mono<?> run, String channel) {
    assertThatExceptionOfType(InvalidJsonException.class)
        .isThrownBy(() -> run.block(PATIENCE))
        .withMessageContaining("'" + channel + "'")
        .withMessageNotContaining("Connection@");
  }

  @Test
  @DisplayName("S2.33 a value that could not be stored fails the run, and its step is not written")
  void unstorableValues() {
    Graph graph = Graph.builder("sample")
        .channels(ANY, LOG)
        .compute("good", state -> Update.append(LOG, "good"))
        .compute("bad", state -> Update.of(ANY, new Connection()))
        .sequence(START, "good", "bad", END)
        .build();

    requireRefused(thread(graph).run(Update.NOTHING), "any");

    SavedThread left = thread(graph).state().block(PATIENCE);
    assertThat(left.position().nodes()).containsExactly("bad");
    assertThat(left.position().state().get(LOG)).containsExactly("good");
    assertThat(thread(graph).history().count().block(PATIENCE)).isEqualTo(2);
  }

  @Test
  @DisplayName("S2.33 an input that could not be stored begins nothing")
  void unstorableInputs() {
    Graph graph = Graph.builder("sample")
        .channels(ANY, LOG)
        .compute("good", state -> Update.append(LOG, "good"))
        .sequence(START, "good", END)
        .build();

    requireRefused(thread(graph).run(Update.of(ANY, new Connection())), "any");

    assertThat(thread(graph).state().blockOptional(PATIENCE)).isEmpty();
  }

  @Test
  @DisplayName("S2.33 what a task ended with is written down only if it could be stored")
  void unstorableNotes() {
    AtomicBoolean broken = new AtomicBoolean(true);
    Graph graph = Graph.builder("sample")
        .channels(ANY, LOG)
        .compute("bad", state -> Update.of(ANY, broken.get() ? new Connection() : "fine"))
        .node("slow", state -> broken.get() ? Mono.never() : Mono.just(Update.NOTHING))
        .edge(START, "bad")
        .edge(START, "slow")
        .edge("bad", END)
        .edge("slow", END)
        .build();

    requireRefused(thread(graph).run(Update.NOTHING), "any");

    assertThat(thread(graph).state().block(PATIENCE).notes()).isEmpty();
    broken.set(false);
    thread(graph).resume().blockLast(PATIENCE);
    assertThat(thread(graph).state().block(PATIENCE).position().state().get(ANY))
        .isEqualTo("fine");
  }

  @Test
  @DisplayName("S2.33 what a send brings along has to be storable too")
  void unstorableArguments() {
    Graph graph = Graph.builder("sample")
        .channels(ANY, LOG, ARGUMENT)
        .compute("scatter", state -> Update.NOTHING)
        .compute("work", state -> Update.append(LOG, "work"))
        .edge(START, "scatter")
        .fanOut(
            "scatter",
            Graph.to("work"),
            state -> List.of(Send.to("work", Update.of(ARGUMENT, new Connection()))))
        .edge("work", END)
        .build();

    requireRefused(thread(graph).run(Update.NOTHING), "argument");

    assertThat(thread(graph).history().count().block(PATIENCE)).isEqualTo(1);
  }

  @Test
  @DisplayName("E14 S2.33 what a graph inside holds has to be storable too")
  void unstorableInside() {
    Graph inner = Graph.builder("inner")
        .channels(ANY, LOG)
        .compute("bad", state -> Update.of(ANY, new Connection()))
        .compute("after", state -> Update.NOTHING)
        .sequence(START, "bad", "after", END)
        .build();
    Graph graph = Graph.builder("sample")
        .channels(LOG)
        .subgraph("inner", inner)
        .sequence(START, "inner", END)
        .build();

    requireRefused(thread(graph).run(Update.NOTHING), "any");
  }

  @Test
  @DisplayName("E14 S2.33 what is sent to the graph around is of the schema of that")
  void sendsToTheGraphAround() {
    Graph inner = Graph.builder("inner")
        .channels(LOG)
        .compute("first", state -> Update.append(LOG, "first"))
        .node(
            "up",
            state -> Mono.just(
                Command.send(Send.to("work", Update.of(ARGUMENT, "storable"))).inParent()))
        .compute("more", state -> Update.append(LOG, "more"))
        .edge(START, "first")
        .edge("first", "up")
        .edge("first", "more")
        .edge("up", END)
        .edge("more", END)
        .build();
    Graph graph = Graph.builder("sample")
        .channels(LOG, ARGUMENT)
        .subgraph("inner", inner)
        .mayGoTo("inner", "work")
        .compute("work", state -> Update.append(LOG, "work " + state.get(ARGUMENT)))
        .edge(START, "inner")
        .edge("inner", END)
        .edge("work", END)
        .build();

    assertThat(thread(graph).run(Update.NOTHING).block(PATIENCE).state().get(LOG))
        .containsExactly("first", "more", "work storable");
  }

  @Test
  @DisplayName("E14 S2.33 a store that is new to a thread knows what its graphs inside hold")
  void newToAThread() {
    Channel<@Nullable Object> client = Channel.value("client", Object.class).runtimeOnly();
    InMemoryCheckpointStore memory = new InMemoryCheckpointStore();
    AtomicBoolean broken = new AtomicBoolean(true);
    Graph inner = Graph.builder("inner")
        .channels(ANY, LOG, client)
        .compute("first", state -> Update.append(LOG, "first"))
        .compute(
            "bad",
            state -> Update.of(ANY, broken.get() ? new Connection() : "fine")
                .and(client, new Connection()))
        .node("slow", state -> broken.get() ? Mono.never() : Mono.just(Update.NOTHING))
        .edge(START, "first")
        .edge("first", "bad")
        .edge("first", "slow")
        .edge("bad", END)
        .edge("slow", END)
        .interruptAfter("first")
        .build();
    Graph graph = Graph.builder("sample")
        .channels(LOG)
        .subgraph("inner", inner)
        .sequence(START, "inner", END)
        .build();
    GraphRunner.builder(graph)
        .checkpoints(new EncodingStore(memory))
        .build()
        .thread("t")
        .run(Update.NOTHING)
        .block(PATIENCE);
    GraphThread again = GraphRunner.builder(graph)
        .checkpoints(new EncodingStore(memory))
        .build()
        .thread("t");

    requireRefused(again.resume().then(), "any");
    broken.set(false);
    again.resume().blockLast(PATIENCE);

    assertThat(again.state().block(PATIENCE).position().state().get(LOG)).containsExactly("first");
  }

  @Test
  @DisplayName("E14 S2.33 reading back a graph inside opens nothing that lives as long as a run")
  void opensNothing() {
    AtomicInteger opened = new AtomicInteger();
    Channel<Object> client = Channel.value("client", Object.class)
        .startingWith(() -> {
          opened.incrementAndGet();
          return new Connection();
        })
        .runtimeOnly();
    Graph inner = Graph.builder("inner")
        .channels(LOG, client)
        .compute("a", state -> Update.append(LOG, "a"))
        .compute("b", state -> Update.append(LOG, "b"))
        .compute("c", state -> Update.append(LOG, "c"))
        .sequence(START, "a", "b", "c", END)
        .build();
    Graph graph = Graph.builder("sample")
        .channels(LOG)
        .subgraph("inner", inner)
        .sequence(START, "inner", END)
        .build();

    thread(graph).run(Update.NOTHING).block(PATIENCE);

    assertThat(opened).hasValue(1);
  }

  @Test
  @DisplayName("S2.33 what is loaded is equal to what was live, and not the same")
  void readsBack() {
    Graph graph = Graph.builder("sample")
        .channels(ANY, LOG)
        .compute("say", state -> Update.append(LOG, "said").and(ANY, List.of(1, 2.5, "three")))
        .sequence(START, "say", END)
        .build();

    RunResult live = thread(graph).run(Update.NOTHING).block(PATIENCE);

    SavedThread loaded = thread(graph).state().block(PATIENCE);
    assertThat(loaded.position().state()).isEqualTo(live.state());
    assertThat(loaded.position().state().get(ANY)).isNotSameAs(live.state().get(ANY));
    assertThat(loaded.position().state().version(LOG)).isEqualTo(1);
  }
}
