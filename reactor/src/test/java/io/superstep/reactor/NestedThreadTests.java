package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.RunResumed;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodePolicy;
import io.superstep.state.Update;
import io.superstep.step.GraphChangedException;
import io.superstep.testkit.FaultyStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Graphs inside graphs, on a thread. */
class NestedThreadTests extends OnAThread {

  /** Three steps. */
  private GraphBuilder inner() {
    return graph()
        .compute("a", state -> called("a"))
        .compute("b", state -> called("b"))
        .compute("c", state -> called("c"))
        .sequence(START, "a", "b", "c", END);
  }

  /** The second of three steps fails. */
  private Graph failingInside() {
    return graph()
        .compute("a", state -> called("a"))
        .compute("b", state -> failing("b"))
        .compute("c", state -> called("c"))
        .sequence(START, "a", "b", "c", END)
        .build();
  }

  private GraphBuilder around(Graph inner) {
    return graph()
        .subgraph("inner", inner)
        .compute("beside", state -> called("beside"))
        .compute("after", state -> called("after"))
        .edge(START, "inner")
        .edge(START, "beside")
        .join(Graph.all("inner", "beside"), "after")
        .edge("after", END);
  }

  private List<String> waiting() {
    return Flux.from(store.threads(Set.of(ThreadStatus.WAITING)))
        .map(ThreadSummary::thread)
        .collectList()
        .block(PATIENCE);
  }

  private static RunResult end(Flux<GraphEvent> events) {
    return RunResult.of(events).block(PATIENCE);
  }

  @Test
  @DisplayName("E14 a pause inside surfaces with its path, and the graph inside goes on from there")
  void pausesInside() {
    Graph graph = around(inner().interruptBefore("b").build()).build();

    List<GraphEvent> first = events(thread(graph).stream(Update.NOTHING));

    assertThat(first)
        .filteredOn(event -> event instanceof RunInterrupted)
        .extracting(GraphEvent::path)
        .containsExactly("inner/", "");
    assertThat(calls()).isEqualTo(Map.of("a", 1, "beside", 1));
    assertThat(waiting()).containsExactly("t");
    SavedThread saved = thread(graph).state().block(PATIENCE);
    assertThat(saved.position().nodes()).containsExactly("inner", "beside");
    assertThat(saved.inside().values()).singleElement().satisfies(inside -> {
      assertThat(inside.pause().before()).containsExactly("b");
      assertThat(inside.state().get(LOG)).containsExactly("a");
    });

    List<GraphEvent> second = events(thread(graph).resume());

    assertThat(second)
        .filteredOn(event -> event instanceof RunResumed)
        .extracting(GraphEvent::path)
        .containsExactly("", "inner/");
    assertThat(calls()).isEqualTo(Map.of("a", 1, "b", 1, "c", 1, "beside", 1, "after", 1));
    assertThat(log(thread(graph).state().block(PATIENCE)))
        .containsExactly("a", "b", "c", "beside", "after");
    assertThat(waiting()).isEmpty();
  }

  @Test
  @DisplayName(
      "E14 a graph inside may pause before its first node, after its last, and deep inside")
  void pausesAtTheEdges() {
    Graph graph = around(graph()
            .subgraph("deep", inner().interruptBefore("a").interruptAfter("c").build())
            .sequence(START, "deep", END)
            .build())
        .build();

    assertThat(thread(graph).run(Update.NOTHING).block(PATIENCE).status())
        .isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(calls()).isEqualTo(Map.of("beside", 1));
    assertThat(waiting()).containsExactly("t");
    assertThat(end(thread(graph).resume()).status()).isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(calls()).isEqualTo(Map.of("a", 1, "b", 1, "c", 1, "beside", 1));
    assertThat(end(thread(graph).resume()).isCompleted()).isTrue();

    assertThat(log(thread(graph).state().block(PATIENCE)))
        .containsExactly("a", "b", "c", "beside", "after");
    assertThat(calls()).isEqualTo(Map.of("a", 1, "b", 1, "c", 1, "beside", 1, "after", 1));
  }

  @Test
  @DisplayName("E14 without a thread, a graph inside cannot pause")
  void pausesNeedAThread() {
    Graph graph = around(inner().interruptBefore("b").build()).build();
    GraphRunner runner = GraphRunner.builder(graph).checkpoints(store).build();

    assertThatExceptionOfType(UnsupportedGraphException.class)
        .isThrownBy(() -> runner.run(Update.NOTHING).block(PATIENCE))
        .withMessageContaining("inner/b");
    assertThat(calls()).isEmpty();
  }

  @Test
  @DisplayName("E14 E8 after a failure inside, only what has no outcome inside runs again")
  void failuresInside() {
    Graph graph = around(failingInside()).build();

    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    assertThat(calls().get("a")).isEqualTo(1);
    broken.set(false);
    assertThat(end(thread(graph).resume()).isCompleted()).isTrue();

    assertThat(calls()).isEqualTo(Map.of("a", 1, "b", 2, "c", 1, "beside", 1, "after", 1));
    assertThat(log(thread(graph).state().block(PATIENCE)))
        .containsExactly("a", "b", "c", "beside", "after");
  }

  @Test
  @DisplayName("E14 E15 another attempt begins inside anew, and goes on after a crash")
  void attemptsBeginAnew() {
    AtomicInteger tries = new AtomicInteger();
    Graph inner = graph()
        .compute("a", state -> called("a"))
        .node("b", state -> {
          Update update = called("b");
          return switch (tries.incrementAndGet()) {
            case 1 -> Mono.error(new IllegalStateException("once"));
            case 2 -> Mono.never(); // and the run is cancelled
            default -> Mono.just(update);
          };
        })
        .sequence(START, "a", "b", END)
        .build();
    Graph graph = graph()
        .subgraph("inner", inner)
        .policy("inner", NodePolicy.retry(3))
        .sequence(START, "inner", END)
        .build();

    thread(graph).stream(Update.NOTHING).subscribe().dispose();
    assertThat(calls()).isEqualTo(Map.of("a", 2, "b", 2));
    end(thread(graph).resume());

    assertThat(calls()).isEqualTo(Map.of("a", 2, "b", 3));
    SavedThread saved = thread(graph).state().block(PATIENCE);
    assertThat(log(saved)).containsExactly("a", "b");
    assertThat(saved.checkpoint().credits().get(0).attempt()).isEqualTo(2);
  }

  @Test
  @DisplayName("E14 E15 what an attempt did inside is void in the next one, also in a later run")
  void attemptsOfLaterRunsBeginAnew() {
    AtomicInteger tries = new AtomicInteger();
    Graph inner = graph()
        .compute("a", state -> called("a"))
        .node("b", state -> {
          Update update = called("b");
          return switch (tries.incrementAndGet()) {
            case 1 -> Mono.never(); // and the run is cancelled
            case 2 -> Mono.error(new IllegalStateException("once"));
            default -> Mono.just(update);
          };
        })
        .compute("beside", state -> called("beside"))
        .edge(START, "a")
        .edge("a", "b")
        .edge("a", "beside")
        .edge("b", END)
        .edge("beside", END)
        .build();
    Graph graph = graph()
        .subgraph("inner", inner)
        .policy("inner", NodePolicy.retry(3))
        .sequence(START, "inner", END)
        .build();

    thread(graph).stream(Update.NOTHING).subscribe().dispose();
    end(thread(graph).resume());

    assertThat(calls()).isEqualTo(Map.of("a", 2, "b", 3, "beside", 2));
    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("a", "b", "beside");
  }

  @Test
  @DisplayName(
      "E21 a save that fails inside fails the run: nobody tries again, no handler is asked")
  void savesThatFailInside() {
    AtomicInteger handled = new AtomicInteger();
    Graph graph = graph()
        .subgraph("inner", inner().build())
        .policy("inner", NodePolicy.retry(3))
        .handler("inner", (state, failure) -> {
          handled.incrementAndGet();
          return Mono.just(Update.NOTHING);
        })
        .sequence(START, "inner", END)
        .build();
    FaultyStore failing = new FaultyStore(store, FaultyStore.Fault.FAIL_BEFORE, 5);

    assertThatExceptionOfType(Exception.class)
        .isThrownBy(() -> GraphRunner.builder(graph)
            .checkpoints(failing)
            .build()
            .thread("t")
            .run(Update.NOTHING)
            .block(PATIENCE))
        .withCauseInstanceOf(TimeoutException.class);

    assertThat(handled).hasValue(0);
    assertThat(calls()).isEqualTo(Map.of("a", 1, "b", 1));
    end(thread(graph).resume());
    assertThat(calls()).isEqualTo(Map.of("a", 1, "b", 2, "c", 1));
  }

  @Test
  @DisplayName("E22 a run stops between two steps of a graph inside, and goes on there")
  void stopsInside() {
    Stop stop = new Stop();
    Graph inner = Graphs.stopping(stop);
    Graph graph = around(inner).build();

    RunResult stopped =
        thread(graph).run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop)).block(PATIENCE);

    assertThat(stopped.status()).isEqualTo(RunResult.Status.STOPPED);
    assertThat(thread(graph).state().block(PATIENCE).inside().values())
        .singleElement()
        .satisfies(inside -> assertThat(inside.state().get(COUNT)).isEqualTo(3));
    RunResult ended = end(thread(graph).resume());
    assertThat(ended.state().get(COUNT)).isEqualTo(5);
    assertThat(calls()).isEqualTo(Map.of("beside", 1, "after", 1));
  }

  @Test
  @DisplayName("E22 a stop in the last step of the last subgraph ends with RunCompleted, and DONE")
  void aStopInTheLastStepInsideCompletes() {
    Stop stop = new Stop();
    Graph inner = graph()
        .compute("last", state -> {
          stop.request();
          return called("last");
        })
        .sequence(START, "last", END)
        .build();
    Graph graph = graph().subgraph("inner", inner).sequence(START, "inner", END).build();

    RunResult result =
        thread(graph).run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop)).block(PATIENCE);

    assertThat(result.status()).isEqualTo(RunResult.Status.COMPLETED);
    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("last");
    assertThat(Flux.from(store.threads(Set.of(ThreadStatus.values())))
            .map(ThreadSummary::status)
            .collectList()
            .block(PATIENCE))
        .containsExactly(ThreadStatus.DONE);
  }

  @Test
  @DisplayName("E12 E14 what was done inside stays so when somebody repairs the state around it")
  void updatesKeepWhatIsInside() {
    Graph graph = around(graph()
            .compute("first", state -> called("first"))
            .subgraph("deep", failingInside())
            .sequence(START, "first", "deep", END)
            .build())
        .build();
    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    broken.set(false);

    thread(graph).update(Update.of(COUNT, 5), "ada", null).block(PATIENCE);
    end(thread(graph).resume());

    assertThat(calls())
        .isEqualTo(Map.of("first", 1, "a", 1, "b", 2, "c", 1, "beside", 1, "after", 1));
    SavedThread saved = thread(graph).state().block(PATIENCE);
    assertThat(saved.position().state().get(COUNT)).isEqualTo(5);
    assertThat(log(saved)).containsExactly("first", "a", "b", "c", "beside", "after");
  }

  @Test
  @DisplayName("E8 E14 a graph inside that is to run again begins anew")
  void rerunsBeginAnew() {
    Graph graph = around(failingInside()).build();
    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    broken.set(false);

    end(thread(graph).resume(Resume.rerun("inner")));

    assertThat(calls()).isEqualTo(Map.of("a", 2, "b", 2, "c", 1, "beside", 1, "after", 1));
  }

  @Test
  @DisplayName("E14 directions for the graph around hold when they were given before a crash")
  void directionsForTheGraphAround() {
    Graph inner = graph()
        .compute("a", state -> called("a"))
        .node(
            "b", state -> Mono.just(Command.goTo("other").inParent().with(Update.append(LOG, "b"))))
        .sequence(START, "a", "b", END)
        .interruptAfter("b")
        .build();
    Graph graph = graph()
        .subgraph("inner", inner)
        .mayGoTo("inner", "other")
        .compute("usual", state -> called("usual"))
        .compute("other", state -> called("other"))
        .edge(START, "inner")
        .edge("inner", "usual")
        .edge("usual", END)
        .edge("other", END)
        .build();

    thread(graph).run(Update.NOTHING).block(PATIENCE);
    end(thread(graph).resume());

    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("a", "b", "other");
  }

  /** The graph inside without what is due there. */
  private GraphBuilder lacking() {
    return around(
        graph().compute("a", state -> called("a")).sequence(START, "a", END).build());
  }

  private void assertRefused(Graph without) {
    Graph old = around(inner().interruptBefore("b").build()).build();
    thread(old).run(Update.NOTHING).block(PATIENCE);

    assertThatExceptionOfType(GraphChangedException.class)
        .isThrownBy(() -> thread(without).resume().blockLast(PATIENCE));

    assertThat(end(thread(old).resume()).isCompleted()).isTrue();
    assertThat(calls()).isEqualTo(Map.of("a", 1, "b", 1, "c", 1, "beside", 1, "after", 1));
  }

  @Test
  @DisplayName("E25 a graph inside that lacks what is due there is refused, and nothing is lost")
  void changedGraphsInside() {
    assertRefused(lacking().build());
  }

  @Test
  @DisplayName("E13 a tip that a fork has left keeps what is known of its tasks")
  void tipsKeepWhatIsKnown() {
    Graph graph = around(failingInside()).build();
    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    CheckpointId tip = thread(graph).state().block(PATIENCE).checkpoint().id();

    thread(graph).fork(tip, Update.NOTHING).onErrorComplete().blockLast(PATIENCE);

    assertThat(thread(graph).state(tip).block(PATIENCE).notes())
        .hasAtLeastOneElementOfType(TaskNote.Advanced.class)
        .hasAtLeastOneElementOfType(TaskNote.Failed.class);
    assertThat(calls().get("a")).isEqualTo(2);
  }

  @Test
  @DisplayName("E22 a pause inside is told as such, also if the run was asked to stop")
  void pausesBesideAStop() {
    Stop stop = new Stop();
    Graph inner = graph()
        .compute("a", state -> {
          stop.request();
          return called("a");
        })
        .compute("b", state -> called("b"))
        .sequence(START, "a", "b", END)
        .interruptBefore("b")
        .build();
    Graph graph = around(
            graph().subgraph("deep", inner).sequence(START, "deep", END).build())
        .build();

    RunResult result =
        thread(graph).run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop)).block(PATIENCE);

    assertThat(result.status()).isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(waiting()).containsExactly("t");
  }

  @Test
  @DisplayName(
      "E25 a graph inside that lacks what is due is refused before anybody tries or handles")
  void changedGraphsAreNoFailures() {
    assertRefused(lacking()
        .policy("inner", NodePolicy.retry(3))
        .handler("inner", (state, failure) -> Mono.just(Update.append(LOG, "handled")))
        .build());
  }

  @Test
  @DisplayName("E14 a loop inside of which nothing is said leaves one note, however long it is")
  void longLoopsInside() {
    Graph inner = graph()
        .compute("tick", state -> {
          if (state.get(COUNT) == 499) {
            throw new IllegalStateException("tired");
          }
          return Update.of(COUNT, 1);
        })
        .edge(START, "tick")
        .edge("tick", "tick")
        .build();
    Graph graph = graph()
        .subgraph("inner", inner, state -> Update.NOTHING, state -> Update.NOTHING)
        .sequence(START, "inner", END)
        .build();

    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    assertThat(thread(graph).state().block(PATIENCE).notes()).hasSize(3);
  }
}
