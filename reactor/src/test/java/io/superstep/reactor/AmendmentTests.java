package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.graph.Graph;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.Update;
import io.superstep.step.InvalidRouteException;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class AmendmentTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Channel<String> CLIENT =
      Channel.value("client", String.class).startingAt("there").runtimeOnly();

  private final InMemoryCheckpointStore store = new InMemoryCheckpointStore();
  private final AtomicBoolean broken = new AtomicBoolean(true);
  private final Map<String, Integer> calls = new ConcurrentHashMap<>();
  private final Graph graph = Graph.builder("sample")
      .channels(COUNT, LOG, CLIENT)
      .compute("a", state -> said("a"))
      .compute("b", state -> said("b"))
      .compute("c", state -> said("c"))
      .edge(START, "a")
      .route("a", to("b", "c"), state -> state.get(CLIENT).isEmpty() ? "c" : "b")
      .sequence("b", "c", END)
      .interruptBefore("b")
      .build();
  private final GraphThread thread = thread(graph, store);

  private static GraphThread thread(Graph graph, CheckpointStore store) {
    return GraphRunner.builder(graph).checkpoints(store).build().thread("t");
  }

  private Update said(String node) {
    calls.merge(node, 1, Integer::sum);
    return Update.append(LOG, node);
  }

  private static Amendment by(String author, String text) {
    return Amendment.of(Update.append(LOG, text), author, "because");
  }

  private List<String> log() {
    return thread.state().block(PATIENCE).position().state().get(LOG);
  }

  @Test
  @DisplayName("E12 several updates in one go are consecutive checkpoints, each with its author")
  void inOneGo() {
    thread.run(Update.NOTHING).block(PATIENCE);
    SavedThread before = thread.state().block(PATIENCE);

    List<Checkpoint> told = thread
        .update(
            List.of(by("ada", "one"), by("bob", "instead of b").actingAs("b"), by("eve", "three")))
        .collectList()
        .block(PATIENCE);

    assertThat(told)
        .extracting(Checkpoint::cause)
        .containsExactly(
            Cause.update("ada", "because"),
            Cause.update("bob", "because"),
            Cause.update("eve", "because"));
    assertThat(told.get(0).parent()).isEqualTo(before.checkpoint().id());
    assertThat(told.get(2).parent()).isEqualTo(told.get(1).id());
    assertThat(told).extracting(checkpoint -> checkpoint.id().fence()).containsOnly(2L);
    assertThat(thread.history().take(3).collectList().block(PATIENCE))
        .containsExactly(told.get(2), told.get(1), told.get(0));
    assertThat(thread.state().block(PATIENCE).position().nodes()).containsExactly("c");
    thread.resume().blockLast(PATIENCE);
    assertThat(log()).containsExactly("a", "one", "instead of b", "three", "c");
    assertThat(calls).isEqualTo(Map.of("a", 1, "c", 1));
  }

  @Test
  @DisplayName("E12 each sees what the one before has changed, and what lives as long as a run")
  void seeEachOther() {
    thread.run(Update.NOTHING).block(PATIENCE);

    thread.update(List.of(by("ada", "one"), by("ada", "two").actingAs("a"))).blockLast(PATIENCE);

    assertThat(thread.state().block(PATIENCE).position().nodes()).containsExactly("b");
    assertThat(log()).containsExactly("a", "one", "two");
  }

  @Test
  @DisplayName("E12 a bad one in the middle is refused before anything is written")
  void allOrNone() {
    assertThatExceptionOfType(UnknownThreadException.class)
        .isThrownBy(() -> thread.update(List.of(by("ada", "one"))).blockLast(PATIENCE));
    thread.run(Update.NOTHING).block(PATIENCE);
    Amendment bad = Amendment.of(Update.of("unknown", 1), "bob", null);

    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() ->
            thread.update(List.of(by("ada", "one"), bad, by("eve", "three"))).blockLast(PATIENCE))
        .withMessageContaining("bob");
    assertThatExceptionOfType(InvalidRouteException.class)
        .isThrownBy(() -> thread
            .update(List.of(by("ada", "one"), by("bob", "two").actingAs("nobody")))
            .blockLast(PATIENCE));
    assertThat(thread.history().count().block(PATIENCE)).isEqualTo(2);
    assertThat(thread.update(List.of()).collectList().block(PATIENCE)).isEmpty();
  }

  @Test
  @DisplayName("E12 what has ended in a failed step stays so through all of them")
  void keepOutcomes() {
    Graph failing = Graph.builder("sample")
        .channels(COUNT, LOG, CLIENT)
        .compute("good", state -> said("good"))
        .compute("bad", state -> {
          if (broken.get()) {
            throw new IllegalStateException("broken");
          }
          return said("bad");
        })
        .edge(START, "good")
        .edge(START, "bad")
        .edge("good", END)
        .edge("bad", END)
        .build();
    thread(failing, store).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    thread(failing, store)
        .update(List.of(by("ada", "one"), by("ada", "two"), by("ada", "three")))
        .blockLast(PATIENCE);
    broken.set(false);
    thread(failing, store).resume().blockLast(PATIENCE);

    assertThat(calls).isEqualTo(Map.of("good", 1, "bad", 1));
    assertThat(log()).containsExactly("one", "two", "three", "good", "bad");
  }

  @Test
  @DisplayName("E12 what a change as a node makes due again begins anew, whatever had ended")
  void actingBeginsAnew() {
    Graph failing = Graph.builder("sample")
        .channels(COUNT, LOG, CLIENT)
        .compute("first", state -> said("first"))
        .compute("good", state -> said("good"))
        .compute("bad", state -> {
          if (broken.get()) {
            throw new IllegalStateException("broken");
          }
          return said("bad");
        })
        .edge(START, "first")
        .edge("first", "good")
        .edge("first", "bad")
        .edge("good", END)
        .edge("bad", END)
        .build();
    thread(failing, store).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    thread(failing, store)
        .update(List.of(by("ada", "one"), by("ada", "again").actingAs("first")))
        .blockLast(PATIENCE);
    broken.set(false);
    thread(failing, store).resume().blockLast(PATIENCE);

    assertThat(calls).isEqualTo(Map.of("first", 1, "good", 2, "bad", 1));
  }

  @Test
  @DisplayName("E12 all are written, however many of them anybody wants to hear of")
  void demand() {
    thread.run(Update.NOTHING).block(PATIENCE);

    thread.update(List.of(by("ada", "one"), by("ada", "two"))).take(1).blockLast(PATIENCE);

    assertThat(log()).containsExactly("a", "one", "two");
  }

  @Test
  @DisplayName("E12 those before a failure of the store stay, and the error is told")
  void failingStore() {
    thread.run(Update.NOTHING).block(PATIENCE);
    FaultyStore faulty = new FaultyStore(store, Fault.FAIL_BEFORE, 4); // lease, load, one, two

    StepVerifier.create(thread(graph, faulty)
            .update(List.of(by("ada", "one"), by("ada", "two"), by("ada", "three"))))
        .verifyError(TimeoutException.class);

    assertThat(log()).containsExactly("a", "one");
  }
}
