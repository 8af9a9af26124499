package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.counting;
import static io.superstep.reactor.Graphs.graph;
import static io.superstep.reactor.Graphs.kinds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.graph.Graph;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

class DurabilityTests extends OnAThread {

  private static final RunOptions ASYNC = RunOptions.NONE.durability(Durability.ASYNC);
  private static final RunOptions EXIT = RunOptions.NONE.durability(Durability.EXIT);

  private final List<GraphEvent> told = new CopyOnWriteArrayList<>();
  private final List<Throwable> errors = new CopyOnWriteArrayList<>();

  private static GraphThread thread(Graph graph, CheckpointStore store) {
    return GraphRunner.builder(graph).checkpoints(store).build().thread("t");
  }

  private long told(Class<? extends GraphEvent> kind) {
    return told.stream().filter(kind::isInstance).count();
  }

  private List<Checkpoint> history(Graph graph) {
    return thread(graph).history().collectList().block(PATIENCE);
  }

  @Test
  @DisplayName("E21 by default a step is told when it is safe, and then that it is")
  void safeBeforeItIsTold() {
    List<GraphEvent> events = events(thread(counting(1)).stream(Update.NOTHING));

    assertThat(kinds(events))
        .startsWith("RunStarted", "CheckpointSaved", "StepStarted")
        .containsSubsequence("TaskCompleted", "StepCommitted", "CheckpointSaved", "RunCompleted");
    List<Checkpoint> newestFirst = history(counting(1));
    assertThat(events)
        .filteredOn(event -> event instanceof CheckpointSaved)
        .extracting(event -> ((CheckpointSaved) event).checkpoint(), GraphEvent::step)
        .containsExactly(
            tuple(newestFirst.get(1).id(), 0), tuple(newestFirst.get(0).id(), 1));
  }

  @Test
  @DisplayName(
      "E21 a run may be ahead of its store, so many steps and no more, and waits at its end")
  void aheadOfTheStore() {
    Sinks.Empty<Void> gate = Sinks.empty();
    SlowStore slow = new SlowStore(store, gate.asMono());
    thread(counting(40), slow).stream(Update.NOTHING, ASYNC).subscribe(told::add, errors::add);

    assertThat(told(StepCommitted.class)).isEqualTo(Hold.AHEAD);
    assertThat(told(CheckpointSaved.class)).isZero();
    gate.tryEmitEmpty();

    assertThat(errors).isEmpty();
    assertThat(told(StepCommitted.class)).isEqualTo(40);
    assertThat(told(CheckpointSaved.class)).isEqualTo(41);
    assertThat(told.get(told.size() - 1)).isInstanceOf(RunCompleted.class);
    assertThat(told)
        .filteredOn(event -> !(event instanceof GraphEvent.Provisional))
        .extracting(GraphEvent::sequence)
        .doesNotHaveDuplicates()
        .isSorted();
    assertThat(history(counting(40))).hasSize(41);
    assertThat(thread(counting(40)).state().block(PATIENCE).position().state().get(COUNT))
        .isEqualTo(40);
  }

  @Test
  @DisplayName("E21 a run that ends before its store has answered does not tell so")
  void notOverBeforeAllIsSafe() {
    Sinks.Empty<Void> gate = Sinks.empty();
    SlowStore slow = new SlowStore(store, gate.asMono());
    thread(counting(3), slow).stream(Update.NOTHING, ASYNC).subscribe(told::add, errors::add);

    assertThat(told(StepCommitted.class)).isEqualTo(3);
    assertThat(told(RunCompleted.class)).isZero();
    gate.tryEmitEmpty();

    assertThat(told(RunCompleted.class)).isOne();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E21 in every mode a save that fails fails the run")
  void failedSaves(Durability mode) {
    FaultyStore failing = new FaultyStore(store, Fault.FAIL_BEFORE, 5);

    thread(counting(10), failing).stream(Update.NOTHING, RunOptions.NONE.durability(mode))
        .subscribe(told::add, errors::add);

    assertThat(errors).singleElement().isInstanceOf(TimeoutException.class);
    assertThat(told(RunCompleted.class)).isZero();
    assertThat(history(counting(10))).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E21 S2.37 in every mode the thread tells the same of a run that has ended")
  void sameHistory(Durability mode) {
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .compute("b", state -> called("b"))
        .subgraph(
            "inner",
            graph()
                .compute("in", state -> called("in"))
                .compute("side", state -> called("side"))
                .edge(START, "in")
                .edge(START, "side")
                .edge("in", END)
                .edge("side", END)
                .build())
        .edge(START, "a")
        .edge(START, "b")
        .join(Graph.all("a", "b"), "inner")
        .edge("inner", END)
        .build();

    RunResult result = thread(graph)
        .run(Update.append(LOG, "hello"), RunOptions.NONE.durability(mode))
        .block(PATIENCE);

    assertThat(history(graph))
        .extracting(checkpoint -> checkpoint.cause().kind())
        .containsExactly(Cause.Kind.STEP, Cause.Kind.STEP, Cause.Kind.INPUT);
    SavedThread saved = thread(graph).state().block(PATIENCE);
    assertThat(saved.position().state()).isEqualTo(result.state());
    assertThat(log(saved)).containsExactly("hello", "a", "b", "in", "side");
    assertThat(saved.notes()).isEmpty();
  }

  @Test
  @DisplayName("E21 with EXIT nothing is written before the run ends, and then all of it")
  void writtenAtTheEnd() {
    Sinks.One<Update> answer = Sinks.one();
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .node("wait", state -> answer.asMono())
        .sequence(START, "a", "wait", END)
        .build();
    thread(graph).stream(Update.NOTHING, EXIT).subscribe(told::add, errors::add);

    assertThat(told(StepCommitted.class)).isOne();
    assertThat(history(graph)).isEmpty();
    answer.tryEmitValue(called("wait"));

    assertThat(history(graph)).hasSize(3);
    assertThat(told(CheckpointSaved.class)).isEqualTo(3);
    assertThat(told.get(told.size() - 1)).isInstanceOf(RunCompleted.class);
  }

  @Test
  @DisplayName("E21 E8 with EXIT a run that fails leaves what it did, and goes on from there")
  void failuresAtTheEnd() {
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .compute("good", state -> called("good"))
        .compute("bad", state -> failing("bad"))
        .edge(START, "a")
        .edge("a", "good")
        .edge("a", "bad")
        .edge("good", END)
        .edge("bad", END)
        .build();

    thread(graph).run(Update.NOTHING, EXIT).onErrorComplete().block(PATIENCE);

    assertThat(thread(graph).state().block(PATIENCE).notes())
        .hasExactlyElementsOfTypes(TaskNote.Ended.class, TaskNote.Failed.class);
    broken.set(false);
    thread(graph).resume(Resume.GO_ON, EXIT).blockLast(PATIENCE);
    assertThat(calls()).isEqualTo(Map.of("a", 1, "good", 1, "bad", 2));
    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("a", "good", "bad");
  }

  @ParameterizedTest
  @EnumSource(names = {"ASYNC", "EXIT"})
  @DisplayName("E21 a run that is cancelled writes what it did")
  void cancelledRuns(Durability mode) {
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .node("wait", state -> broken.get() ? Mono.never() : Mono.just(called("wait")))
        .sequence(START, "a", "wait", END)
        .build();

    thread(graph).stream(Update.NOTHING, RunOptions.NONE.durability(mode))
        .subscribe(told::add, errors::add)
        .dispose();

    assertThat(history(graph)).hasSize(2);
    broken.set(false);
    thread(graph).resume().blockLast(PATIENCE);
    assertThat(calls()).isEqualTo(Map.of("a", 1, "wait", 1));
  }

  @Test
  @DisplayName("E21 an input that is refused by its store fails a run that is ahead")
  void refusedInputs() {
    Graph graph =
        graph().node("wait", state -> Mono.never()).sequence(START, "wait", END).build();
    FaultyStore failing = new FaultyStore(store, Fault.FAIL_BEFORE, 3);

    thread(graph, failing).stream(Update.NOTHING, ASYNC).subscribe(told::add, errors::add);

    assertThat(errors).singleElement().isInstanceOf(TimeoutException.class);
    assertThat(thread(graph).history(HistoryFilter.ALL).count().block(PATIENCE)).isZero();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E21 a run that fails, and whose store does too, tells both")
  void failuresOfBoth(Durability mode) {
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .compute("bad", state -> failing("bad"))
        .sequence(START, "a", "bad", END)
        .build();
    FaultyStore failing = new FaultyStore(store, Fault.FAIL_BEFORE, 5);

    thread(graph, failing).stream(Update.NOTHING, RunOptions.NONE.durability(mode))
        .subscribe(told::add, errors::add);

    assertThat(errors).singleElement().isInstanceOf(TimeoutException.class);
    assertThat(history(graph)).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E21 a run that fails tells so when all it did is written, however long that takes")
  void slowFailures(Durability mode) {
    Sinks.Empty<Void> gate = Sinks.empty();
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .compute("bad", state -> failing("bad"))
        .sequence(START, "a", "bad", END)
        .build();
    GraphRunner.builder(graph)
        .checkpoints(new SlowStore(store, gate.asMono()))
        .timer(time)
        .build()
        .thread("t")
        .stream(Update.NOTHING, RunOptions.NONE.durability(mode))
        .subscribe(told::add, errors::add);

    time.advanceTimeBy(Hold.LEASE.multipliedBy(3));
    assertThat(errors).isEmpty();
    gate.tryEmitEmpty();

    assertThat(errors).singleElement().isInstanceOf(NodeFailedException.class);
    assertThat(history(graph)).hasSize(2);
    assertThat(thread(graph).state().block(PATIENCE).notes())
        .hasExactlyElementsOfTypes(TaskNote.Failed.class);
  }
}
