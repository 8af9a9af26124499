package io.superstep.benchmarks;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;

import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.RunOptions;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One node that counts, looping by a route: what a step costs. */
@State(Scope.Benchmark)
public class Chain {

  private static final Channel<Integer> COUNT =
      Channel.value("count", Integer.class).startingAt(0);

  @Param("1000")
  int steps;

  private GraphRunner runner;
  private PeerGraph langGraph4j;
  private PeerGraph springAiAlibaba;

  @Setup
  public void build() {
    Graph graph = Graph.builder("chain")
        .channels(COUNT)
        .node("count", state -> Mono.just(Update.of(COUNT, state.get(COUNT) + 1)))
        .edge(START, "count")
        .route("count", to("count", END), state -> state.get(COUNT) < steps ? "count" : END)
        .build();
    runner = GraphRunner.builder(graph)
        .defaults(RunOptions.DEFAULT.steps(steps + 1).iterations(steps + 1))
        .build();
    langGraph4j = LangGraph4j.chain(steps);
    springAiAlibaba = SpringAiAlibaba.chain(steps);
  }

  /** No engine: the usual loop by hand, and the merge of an update into a map. */
  @Benchmark
  public int bare() {
    return Objects.requireNonNull(Mono.<Map<String, Object>>just(Map.of("count", 0))
        .expand(state -> {
          int count = (Integer) Objects.requireNonNull(state.get("count"));
          if (count == steps) {
            return Mono.empty();
          }
          Map<String, Object> next = new HashMap<>(state);
          next.putAll(Map.of("count", count + 1));
          return Mono.just(next);
        })
        .last()
        .map(state -> (Integer) state.get("count"))
        .block());
  }

  @Benchmark
  public int run() {
    return Objects.requireNonNull(runner.run(Update.NOTHING).block()).state().get(COUNT);
  }

  /** With all events delivered to a subscriber. */
  @Benchmark
  public int stream() {
    Flux<GraphEvent> events = runner.stream(Update.NOTHING);
    return ((GraphEvent.Terminal) Objects.requireNonNull(events.blockLast()))
        .state()
        .get(COUNT);
  }

  @Benchmark
  public int langGraph4j() {
    return (Integer) langGraph4j.run().get("count");
  }

  @Benchmark
  public int springAiAlibaba() {
    return (Integer) springAiAlibaba.run().get("count");
  }
}
