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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

  /** One that changes in every step, in the midst of others that do not. */
  @Param("1")
  int channels;

  private GraphRunner runner;
  private Map<String, Object> start;
  private PeerGraph langGraph4j;
  private PeerGraph langGraph4jStream;
  private PeerGraph springAiAlibaba;
  private PeerGraph springAiAlibabaStream;

  @Setup
  public void build() {
    List<String> others =
        IntStream.range(1, channels).mapToObj(other -> "other-" + other).toList();
    runner = GraphRunner.builder(graph(others))
        .defaults(RunOptions.NONE.steps(steps + 1).iterations(steps + 1))
        .build();
    Map<String, Object> values = new HashMap<>();
    others.forEach(other -> values.put(other, 0));
    values.put("count", 0);
    start = Map.copyOf(values);
    langGraph4j = PeerGraph.lazily(() -> LangGraph4j.chain(steps, others));
    langGraph4jStream = PeerGraph.lazily(() -> LangGraph4j.chainStream(steps));
    springAiAlibaba = PeerGraph.lazily(() -> SpringAiAlibaba.chain(steps, others));
    springAiAlibabaStream = PeerGraph.lazily(() -> SpringAiAlibaba.chainStream(steps));
  }

  private Graph graph(List<String> others) {
    List<Channel<?>> all = new ArrayList<>();
    others.forEach(other -> all.add(Channel.value(other, Integer.class).startingAt(0)));
    all.add(others.size() / 2, COUNT);
    return Graph.builder("chain")
        .channels(all.toArray(Channel<?>[]::new))
        .node("count", state -> Mono.just(Update.of(COUNT, state.get(COUNT) + 1)))
        .edge(START, "count")
        .route("count", to("count", END), state -> state.get(COUNT) < steps ? "count" : END)
        .build();
  }

  /** No engine: the usual loop by hand, and the merge of an update into a map. */
  @Benchmark
  public int bare() {
    return Objects.requireNonNull(Mono.just(start)
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
  public int langGraph4jStream() {
    return (Integer) langGraph4jStream.run().get("count");
  }

  @Benchmark
  public int springAiAlibaba() {
    return (Integer) springAiAlibaba.run().get("count");
  }

  @Benchmark
  public int springAiAlibabaStream() {
    return (Integer) springAiAlibabaStream.run().get("count");
  }

  /** How many events a run tells. */
  long events() {
    return Objects.requireNonNull(runner.stream(Update.NOTHING).count().block());
  }

  /** How many of the channels the state of each contender holds at its end. */
  List<Integer> widths() {
    return Stream.of(
            Objects.requireNonNull(runner.run(Update.NOTHING).block()).state().asMap(),
            langGraph4j.run(),
            springAiAlibaba.run())
        .map(state -> (int) start.keySet().stream().filter(state::containsKey).count())
        .toList();
  }
}
