package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingStore;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A pause that a caller has lifted stays lifted, whatever is killed when. */
class LiftedPauseTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MovingClock clock = new MovingClock(Instant.EPOCH);

  /** The nodes that were called, in the order of the calls. */
  private final Queue<String> called = new ConcurrentLinkedQueue<>();

  /** A graph that pauses once. */
  record Sample(String name, Function<LiftedPauseTests, GraphBuilder> builder) {

    @Override
    public String toString() {
      return name;
    }
  }

  private GraphBuilder chain(String prefix) {
    return graph()
        .compute(prefix + "1", state -> call(prefix + "1"))
        .compute(prefix + "2", state -> call(prefix + "2"))
        .compute(prefix + "3", state -> call(prefix + "3"))
        .sequence(START, prefix + "1", prefix + "2", prefix + "3", END);
  }

  private Update call(String node) {
    called.add(node);
    return Update.append(LOG, node);
  }

  private GraphBuilder around(Graph inner) {
    return graph()
        .subgraph("inner", inner)
        .compute("after", state -> call("after"))
        .sequence(START, "inner", "after", END);
  }

  static List<Sample> samples() {
    return List.of(
        new Sample("before a node", tests -> tests.chain("a").interruptBefore("a2")),
        new Sample("before the first node", tests -> tests.chain("a").interruptBefore("a1")),
        new Sample("after a node", tests -> tests.chain("a").interruptAfter("a2")),
        new Sample("after the last node", tests -> tests.chain("a").interruptAfter("a3")),
        new Sample(
            "inside",
            tests -> tests.around(tests.chain("a").interruptBefore("a2").build())),
        new Sample(
            "before the first node inside",
            tests -> tests.around(tests.chain("a").interruptBefore("a1").build())),
        new Sample(
            "after the last node inside",
            tests -> tests.around(tests.chain("a").interruptAfter("a3").build())),
        new Sample(
            "two levels inside",
            tests -> tests.around(
                tests.around(tests.chain("a").interruptAfter("a1").build()).build())),
        new Sample(
            "inside, beside others",
            tests -> graph()
                .subgraph("left", tests.chain("a").interruptBefore("a2").build())
                .subgraph("right", tests.chain("b").interruptBefore("b2").build())
                .compute("beside", state -> tests.call("beside"))
                .edge(START, "left")
                .edge(START, "right")
                .edge(START, "beside")
                .edge("left", END)
                .edge("right", END)
                .edge("beside", END)));
  }

  static Stream<Arguments> samplesAndModes() {
    return samples().stream()
        .flatMap(sample -> Stream.of(Durability.values()).map(mode -> Arguments.of(sample, mode)));
  }

  private InMemoryCheckpointStore store() {
    return InMemoryCheckpointStore.builder().clock(clock).build();
  }

  private GraphRunner runner(Sample sample, CheckpointStore store, Durability mode) {
    return GraphRunner.builder(sample.builder().apply(this).build())
        .checkpoints(store)
        .clock(clock)
        .defaults(RunOptions.NONE.durability(mode))
        .build();
  }

  private static ThreadStatus status(CheckpointStore store) {
    return Flux.from(store.threads(Set.of(ThreadStatus.values())))
        .map(ThreadSummary::status)
        .blockLast(PATIENCE);
  }

  /** Runs a thread up to its pause. */
  private void pause(Sample sample, CheckpointStore store, Durability mode) {
    RunResult paused =
        runner(sample, store, mode).thread("t").run(Update.NOTHING).block(PATIENCE);
    assertThat(paused.status()).isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(status(store)).isEqualTo(ThreadStatus.WAITING);
    called.clear();
  }

  /** What the nodes write that are called from the pause on, and how many store calls it takes. */
  private record Undisturbed(List<String> log, int calls) {}

  private Undisturbed undisturbed(Sample sample, Durability mode) {
    CheckpointStore store = store();
    pause(sample, store, mode);
    FaultyStore counting = new FaultyStore(store, Fault.TWICE, Integer.MAX_VALUE);
    RunResult result =
        RunResult.of(runner(sample, counting, mode).thread("t").resume()).block(PATIENCE);
    assertThat(result.isCompleted()).isTrue();
    assertThat(status(store)).isEqualTo(ThreadStatus.DONE);
    return new Undisturbed(result.state().get(LOG), counting.calls());
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("samplesAndModes")
  @DisplayName(
      "X.23 killed at any store call after a pause was lifted, a thread is not paused again")
  void killedAnywhere(Sample sample, Durability mode) {
    Undisturbed expected = undisturbed(sample, mode);
    for (Fault fault : List.of(Fault.DIE_BEFORE, Fault.DIE_AFTER)) {
      for (int at = 1; at <= expected.calls(); at++) {
        String where = fault + " at call " + at;
        CheckpointStore store = new EncodingStore(store());
        pause(sample, store, mode);
        FaultyStore dying = new FaultyStore(store, fault, at);
        Disposable run = runner(sample, dying, mode).thread("t").resume().subscribe();
        dying.struck().block(PATIENCE);
        run.dispose();
        boolean hasPassed = !called.isEmpty();
        clock.pass(Hold.LEASE.plusSeconds(1));

        if (isPaused(runner(sample, store, mode).thread("t"))) {
          assertThat(hasPassed).as("a node ran: %s", where).isFalse();
          RunResult.of(runner(sample, store, mode).thread("t").resume()).block(PATIENCE);
        } else {
          takeOver(sample, store, mode);
        }

        assertThat(status(store)).as(where).isEqualTo(ThreadStatus.DONE);
        SavedThread saved = runner(sample, store, mode).thread("t").state().block(PATIENCE);
        assertThat(saved.position().state().get(LOG)).as(where).isEqualTo(expected.log());
        assertThat(saved.position().pause().isEmpty()).as(where).isTrue();
      }
    }
  }

  private static boolean isPaused(GraphThread thread) {
    SavedThread saved = thread.state().block(PATIENCE);
    return !saved.position().pause().isEmpty() || new TaskNotes(saved.notes()).havePause();
  }

  private void takeOver(Sample sample, CheckpointStore store, Durability mode) {
    GraphRunner other = runner(sample, store, mode);
    List<Recovery> recovered = other.recover().collectList().block(PATIENCE);
    assertThat(recovered).allMatch(Recovery::isTakenOver);
    other.close(PATIENCE).blockLast(PATIENCE); // waits for its run
    assertThat(status(store)).isNotEqualTo(ThreadStatus.WAITING);
    RunResult.of(runner(sample, store, mode).thread("t").resume()).block(PATIENCE);
  }

  @Test
  @DisplayName(
      "E21 a step that lifts no pause takes no further store call, and one that does takes one")
  void storeCalls() {
    Sample plain = new Sample("chain", tests -> tests.chain("a"));
    Sample paused = samples().get(0);
    CheckpointStore memory = store();
    FaultyStore first = new FaultyStore(memory, Fault.TWICE, Integer.MAX_VALUE);
    runner(plain, first, Durability.SYNC).thread("t").run(Update.NOTHING).block(PATIENCE);
    int calls = first.calls();
    assertThat(calls).isEqualTo(7); // acquire, load, the input, three steps, release

    assertThat(undisturbed(paused, Durability.SYNC).calls())
        .isEqualTo(6); // acquire, load, the lift, two steps, release
  }

  @Test
  @DisplayName(
      "E16 an outcome that an operator supplies at a pause counts, and the node does not run")
  void suppliedAtAPause() {
    AtomicInteger charged = new AtomicInteger();
    Graph graph = graph()
        .compute("charge", state -> {
          charged.incrementAndGet();
          return Update.append(LOG, "charged");
        })
        .interruptBefore("charge")
        .sequence(START, "charge", END)
        .build();
    CheckpointStore store = store();
    GraphThread thread = GraphRunner.builder(graph).checkpoints(store).build().thread("supplied");
    thread.run(Update.NOTHING).block(PATIENCE);

    thread.resume(Resume.ended("charge", Update.append(LOG, "by hand"))).blockLast(PATIENCE);

    assertThat(charged).hasValue(0);
    assertThat(thread.state().block(PATIENCE).position().state().get(LOG))
        .containsExactly("by hand");
  }

  @Test
  @DisplayName("E13 a fork from a pause lifts it with its own checkpoint")
  void fork() {
    Sample sample = samples().get(0);
    CheckpointStore store = store();
    pause(sample, store, Durability.SYNC);
    GraphThread thread = runner(sample, store, Durability.SYNC).thread("t");
    CheckpointId at = thread.state().block(PATIENCE).checkpoint().id();
    FaultyStore dying = new FaultyStore(store, Fault.DIE_AFTER, 4); // the checkpoint of the fork

    Disposable run = runner(sample, dying, Durability.SYNC)
        .thread("t")
        .fork(at, Update.append(LOG, "forked"))
        .subscribe();
    dying.struck().block(PATIENCE);
    run.dispose();

    SavedThread saved = thread.state().block(PATIENCE);
    assertThat(saved.position().state().get(LOG)).containsExactly("a1", "forked");
    assertThat(saved.position().pause().isEmpty()).isTrue();
    clock.pass(Hold.LEASE.plusSeconds(1));
    assertThat(status(store)).isEqualTo(ThreadStatus.ORPHANED);
  }

  @Test
  @DisplayName("E12 a change from outside after a lift and a crash does not pause the thread again")
  void changedFromOutside() {
    for (Sample sample : samples()) {
      CheckpointStore store = store();
      pause(sample, store, Durability.SYNC);
      FaultyStore dying = new FaultyStore(store, Fault.DIE_AFTER, 3); // the lift
      Disposable run =
          runner(sample, dying, Durability.SYNC).thread("t").resume().subscribe();
      dying.struck().block(PATIENCE);
      run.dispose();
      clock.pass(Hold.LEASE.plusSeconds(1));
      GraphThread thread = runner(sample, store, Durability.SYNC).thread("t");
      assertThat(thread.state().block(PATIENCE).notes())
          .as(sample.name())
          .anyMatch(TaskNote.Lifted.class::isInstance);

      thread.update(Update.append(LOG, "changed"), "ada", null).block(PATIENCE);

      assertThat(status(store)).as(sample.name()).isNotEqualTo(ThreadStatus.WAITING);
      takeOver(sample, store, Durability.SYNC);
      assertThat(status(store)).as(sample.name()).isEqualTo(ThreadStatus.DONE);
      assertThat(thread.state().block(PATIENCE).position().state().get(LOG))
          .as(sample.name())
          .contains("changed");
    }
  }

  @Test
  @DisplayName("E22 a thread that was stopped behind its pause is stopped, and waits for nobody")
  void stopped() {
    Stop stop = new Stop();
    Graph graph = graph()
        .subgraph(
            "inner",
            graph()
                .compute("a1", state -> call("a1"))
                .node(
                    "a2",
                    state -> Mono.fromSupplier(() -> {
                      stop.request();
                      return call("a2");
                    }))
                .compute("a3", state -> call("a3"))
                .interruptBefore("a2")
                .sequence(START, "a1", "a2", "a3", END)
                .build())
        .sequence(START, "inner", END)
        .build();
    CheckpointStore store = store();
    GraphThread thread = GraphRunner.builder(graph).checkpoints(store).build().thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);

    thread.resume(Resume.GO_ON, RunOptions.NONE.stoppedBy(stop)).blockLast(PATIENCE);

    assertThat(called).containsExactly("a1", "a2");
    assertThat(status(store)).isEqualTo(ThreadStatus.STOPPED);
  }
}
