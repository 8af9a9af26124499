package io.superstep.benchmarks;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;

import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.InMemoryCheckpointStore;
import io.superstep.reactor.RunResult;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Mono;

/** Many runs at once whose nodes wait: what a run costs that others share the machine with. */
@State(Scope.Benchmark)
public class Concurrent {

  private static final Channel<Integer> COUNT =
      Channel.value("count", Integer.class).startingAt(0);
  private static final Duration WAIT = Duration.ofMillis(1);

  @Param("10000")
  int runs;

  @Param("10")
  int steps;

  private Graph graph;
  private GraphRunner runner;
  private PeerGraph springAiAlibaba;

  @Setup
  public void build() {
    graph = Graph.builder("concurrent")
        .channels(COUNT)
        .node(
            "count",
            state -> Mono.delay(WAIT).map(waited -> Update.of(COUNT, state.get(COUNT) + 1)))
        .edge(START, "count")
        .route("count", to("count", END), state -> state.get(COUNT) < steps ? "count" : END)
        .build();
    runner = GraphRunner.of(graph);
    springAiAlibaba = PeerGraph.lazily(() -> SpringAiAlibaba.concurrent(runs, steps, WAIT));
  }

  /** No engine: the same loops, delays and merges by hand. */
  @Benchmark
  public int bare() {
    return ended(run -> Mono.just(Map.<String, Object>of("count", 0))
        .expand(this::next)
        .last()
        .map(state -> (Integer) Objects.requireNonNull(state.get("count"))));
  }

  private Mono<Map<String, Object>> next(Map<String, Object> state) {
    int count = (Integer) Objects.requireNonNull(state.get("count"));
    return count == steps
        ? Mono.empty()
        : Mono.delay(WAIT).map(waited -> {
          Map<String, Object> next = new HashMap<>(state);
          next.putAll(Map.of("count", count + 1));
          return next;
        });
  }

  /** Without a store. */
  @Benchmark
  public int run() {
    return ended(run -> runner.run(Update.NOTHING).map(Concurrent::count));
  }

  /** Each run on a thread of its own, and every step of each written down. */
  @Benchmark
  public int threads() {
    GraphRunner keeping =
        GraphRunner.builder(graph).checkpoints(new InMemoryCheckpointStore()).build();
    return ended(run -> keeping.thread("thread-" + run).run(Update.NOTHING).map(Concurrent::count));
  }

  private static int count(RunResult result) {
    return result.state().get(COUNT);
  }

  private int ended(IntFunction<Mono<Integer>> run) {
    return ended(runs, number -> run.apply(number).filter(count -> count == steps));
  }

  /**
   * How many of the runs bring something. A {@code flatMap} that holds thousands looks at all of
   * them whenever one ends, and would take longer than what is to be measured.
   */
  static int ended(int runs, IntFunction<Mono<?>> run) {
    AtomicInteger ended = new AtomicInteger();
    List<Mono<?>> all = new ArrayList<>(runs);
    for (int number = 0; number < runs; number++) {
      all.add(run.apply(number).doOnNext(end -> ended.incrementAndGet()));
    }
    Mono.when(all).block();
    return ended.get();
  }

  @Benchmark
  public int springAiAlibaba() {
    return (Integer) springAiAlibaba.run().get("ended");
  }
}
