package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodePolicy;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingStore;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Threads that have failed, are resumed, and lose the process that resumes them. */
class ResumedFailureTests extends OnAThread {

  /** The store call of a resume that records it: behind the lease and the load. */
  private static final int RECORDED = 3;

  @Override
  CheckpointStore around(InMemoryCheckpointStore memory) {
    return new EncodingStore(memory);
  }

  /** A graph that fails while it is broken. */
  record Sample(String name, Function<ResumedFailureTests, GraphBuilder> builder) {

    @Override
    public String toString() {
      return name;
    }
  }

  private GraphBuilder failing() {
    return graph()
        .compute("a", state -> called("a"))
        .compute("b", state -> failing("b"))
        .sequence(START, "a", "b", END);
  }

  private GraphBuilder undecided() {
    return graph()
        .compute("a", state -> called("a"))
        .edge(START, "a")
        .route("a", to("a", END), state -> {
          if (broken.get()) {
            throw new IllegalStateException("undecided");
          }
          return END;
        });
  }

  private static GraphBuilder around(Graph inner) {
    return graph().subgraph("inner", inner).sequence(START, "inner", END);
  }

  static List<Sample> samples() {
    return List.of(
        new Sample("a task", ResumedFailureTests::failing),
        new Sample("a commit", ResumedFailureTests::undecided),
        new Sample("a nested task", tests -> around(tests.failing().build())),
        new Sample("a nested commit", tests -> around(tests.undecided().build())));
  }

  static Stream<Arguments> samplesAndModes() {
    return samples().stream()
        .flatMap(sample -> Stream.of(Durability.values()).map(mode -> Arguments.of(sample, mode)));
  }

  private GraphRunner runner(Sample sample, CheckpointStore over, Durability mode) {
    return GraphRunner.builder(sample.builder().apply(this).build())
        .checkpoints(over)
        .clock(clock)
        .defaults(RunOptions.NONE.durability(mode))
        .build();
  }

  private void fail(GraphThread thread) {
    broken.set(true);
    thread.run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    broken.set(false);
  }

  private ThreadStatus status(String thread) {
    return Flux.from(store.threads(Set.of(ThreadStatus.values())))
        .filter(summary -> summary.thread().equals(thread))
        .map(ThreadSummary::status)
        .blockLast(PATIENCE);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("samplesAndModes")
  @DisplayName("E8 E22 killed at any store call of a resume, a failed thread is taken over")
  void killedAnywhere(Sample sample, Durability mode) {
    FaultyStore counting = new FaultyStore(store, Fault.TWICE, Integer.MAX_VALUE);
    fail(runner(sample, store, mode).thread("counted"));
    runner(sample, counting, mode).thread("counted").resume().blockLast(PATIENCE);
    assertThat(status("counted")).isEqualTo(ThreadStatus.DONE);

    for (Fault fault : List.of(Fault.DIE_BEFORE, Fault.DIE_AFTER)) {
      for (int at = 1; at <= counting.calls(); at++) {
        String thread = fault + " at call " + at;
        fail(runner(sample, store, mode).thread(thread));
        assertThat(status(thread)).as(thread).isEqualTo(ThreadStatus.FAILED);
        calls.clear();
        FaultyStore dying = new FaultyStore(store, fault, at);
        Disposable run = runner(sample, dying, mode).thread(thread).resume().subscribe();
        dying.struck().block(PATIENCE);
        run.dispose();
        clock.pass(Hold.LEASE.plusSeconds(1));

        if (status(thread) == ThreadStatus.FAILED) {
          assertThat(calls).as("nodes that ran: %s", thread).isEmpty();
          assertThat(at).as("before the resume is recorded").isLessThanOrEqualTo(RECORDED);
          runner(sample, store, mode).thread(thread).resume().blockLast(PATIENCE);
        } else if (status(thread) == ThreadStatus.ORPHANED) {
          takeOver(sample, mode, thread);
        }

        assertThat(status(thread)).as(thread).isEqualTo(ThreadStatus.DONE);
      }
    }
  }

  private void takeOver(Sample sample, Durability mode, String thread) {
    GraphRunner other = runner(sample, store, mode);
    assertThat(other.recover().collectList().block(PATIENCE)).contains(new Recovery(thread, null));
    other.close(PATIENCE).blockLast(PATIENCE); // waits for its run
    if (status(thread) != ThreadStatus.DONE) { // the closed runner has stopped it
      runner(sample, store, mode).thread(thread).resume().blockLast(PATIENCE);
    }
  }

  @Test
  @DisplayName("E16 a non-idempotent task that failed is uncertain once it was started again")
  void nonIdempotentTasks() {
    Sample sample = new Sample(
        "non-idempotent",
        tests -> graph()
            .compute("a", state -> tests.failing("a"))
            .policy("a", NodePolicy.NONE.actingOutside())
            .sequence(START, "a", END));
    Map<Integer, ThreadStatus> expected =
        Map.of(3, ThreadStatus.ORPHANED, 4, ThreadStatus.OUTCOME_UNKNOWN);

    expected.forEach((at, status) -> {
      String thread = "t" + at;
      fail(runner(sample, store, Durability.SYNC).thread(thread));
      assertThat(status(thread)).isEqualTo(ThreadStatus.FAILED);
      FaultyStore dying = new FaultyStore(store, Fault.DIE_AFTER, at);
      Disposable run =
          runner(sample, dying, Durability.SYNC).thread(thread).resume().subscribe();
      dying.struck().block(PATIENCE);
      run.dispose();
      clock.pass(Hold.LEASE.plusSeconds(1));

      assertThat(status(thread)).as("killed after call %s", at).isEqualTo(status);
    });
  }
}
