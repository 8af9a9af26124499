package io.superstep.benchmarks;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;

import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.InMemoryCheckpointStore;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** What a run keeps alive whose node waits for something outside. */
final class ParkedRuns {

  private static final int RUNS = 10_000;
  private static final Channel<Integer> COUNT =
      Channel.value("count", Integer.class).startingAt(0);
  private static final Graph GRAPH = Graph.builder("parked")
      .channels(COUNT)
      .node("wait", state -> Mono.<Update>never())
      .edge(START, "wait")
      .edge("wait", END)
      .build();

  private ParkedRuns() {}

  /** Each on a thread of its own; with what the store keeps of it. */
  static long onThreads() {
    return perRun(() -> {
      GraphRunner runner =
          GraphRunner.builder(GRAPH).checkpoints(new InMemoryCheckpointStore()).build();
      return run -> runner.thread("thread-" + run).run(Update.NOTHING);
    });
  }

  /** Without a store. */
  static long withoutStore() {
    return perRun(() -> {
      GraphRunner runner = GraphRunner.of(GRAPH);
      return run -> runner.run(Update.NOTHING);
    });
  }

  static long ofBare() {
    return perRun(() -> run -> Mono.just(run).flatMap(ran -> Mono.never()));
  }

  private static long perRun(Supplier<IntFunction<Mono<?>>> maker) {
    return LiveHeap.keptBy(() -> {
          IntFunction<Mono<?>> runs = maker.get();
          List<Object> parked = new ArrayList<>(RUNS);
          for (int run = 0; run < RUNS; run++) {
            parked.add(runs.apply(run).subscribe());
          }
          return parked;
        })
        / RUNS;
  }
}
