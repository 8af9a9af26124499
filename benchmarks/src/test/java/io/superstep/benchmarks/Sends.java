package io.superstep.benchmarks;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;

import io.superstep.graph.Graph;
import io.superstep.graph.Send;
import io.superstep.reactor.GraphRunner;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One node sent out many times at once, each time with something else: what a send costs. */
@State(Scope.Benchmark)
public class Sends {

  private static final ListChannel<String> SAID = Channel.list("said", String.class);
  private static final Channel<String> ITEM =
      Channel.value("item", String.class).startingAt("").argument();

  @Param("1000")
  int sends;

  private List<String> items;
  private GraphRunner runner;

  @Setup
  public void build() {
    items = IntStream.range(0, sends).mapToObj(item -> "n" + item).toList();
    runner = GraphRunner.of(Graph.builder("sends")
        .channels(SAID, ITEM)
        .fanOut(
            START,
            to("worker"),
            state -> items.stream().map(item -> Send.to("worker", ITEM, item)).toList())
        .node("worker", state -> Mono.just(Update.append(SAID, state.get(ITEM))))
        .compute("join", state -> Update.append(SAID, "join"))
        .edge("worker", "join")
        .edge("join", END)
        .build());
  }

  /** No engine: all work at once, and one merge into an immutable state when it is done. */
  @Benchmark
  public int bare() {
    Map<String, List<String>> start = Map.of("said", List.of());
    return Objects.requireNonNull(Flux.fromIterable(items)
        .flatMap(item -> Mono.fromCallable(() -> Map.of("said", List.of(item))))
        .collectList()
        .map(updates -> merged(start, updates))
        .map(state -> merged(state, List.of(Map.of("said", List.of("join")))))
        .map(state -> Objects.requireNonNull(state.get("said")).size())
        .block());
  }

  private static Map<String, List<String>> merged(
      Map<String, List<String>> state, List<Map<String, List<String>>> updates) {
    Map<String, List<String>> next = new HashMap<>(state);
    List<String> said = new ArrayList<>(Objects.requireNonNull(state.get("said")));
    updates.forEach(update -> said.addAll(Objects.requireNonNull(update.get("said"))));
    next.put("said", said);
    return next;
  }

  @Benchmark
  public int run() {
    return Objects.requireNonNull(runner.run(Update.NOTHING).block())
        .state()
        .get(SAID)
        .size();
  }
}
