package io.superstep.benchmarks;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;

import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.RunOptions;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import reactor.core.publisher.Mono;

/** What a chain keeps alive while it runs: the nodes of two of its steps look at the heap. */
final class LongChainHeap {

  private static final Channel<Integer> COUNT =
      Channel.value("count", Integer.class).startingAt(0);

  private final int early;
  private final int late;
  private long before;
  private long after;

  private LongChainHeap(int early, int late) {
    this.early = early;
    this.late = late;
  }

  /** The bytes by which the live heap grew from step 1,000 to the last of a million. */
  static long ofRun() {
    LongChainHeap heap = new LongChainHeap(1_000, 1_000_000);
    Graph graph = Graph.builder("chain")
        .channels(COUNT)
        .node("count", state -> Mono.just(Update.of(COUNT, heap.counted(state.get(COUNT)))))
        .edge(START, "count")
        .route("count", to("count", END), state -> state.get(COUNT) < heap.late ? "count" : END)
        .build();
    GraphRunner.builder(graph)
        .defaults(RunOptions.NONE.steps(heap.late + 1).iterations(heap.late + 1))
        .build()
        .run(Update.NOTHING)
        .block();
    return heap.growth();
  }

  static long ofBare() {
    LongChainHeap heap = new LongChainHeap(1_000, 1_000_000);
    Mono.just(0)
        .expand(count -> count == heap.late ? Mono.empty() : Mono.just(heap.counted(count)))
        .last()
        .block();
    return heap.growth();
  }

  private int counted(int count) {
    int next = count + 1;
    if (next == early) {
      before = LiveHeap.bytes();
    } else if (next == late) {
      after = LiveHeap.bytes();
    }
    return next;
  }

  private long growth() {
    return Math.max(0, after - before);
  }
}
