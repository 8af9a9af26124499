package io.superstep.benchmarks;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;

import io.superstep.graph.Graph;
import io.superstep.graph.Send;
import io.superstep.reactor.GraphRunner;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import io.superstep.value.FrozenList;
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

  private static final FrozenList<String> NOTHING =
      (FrozenList<String>) StateSchema.of(SAID).start().get(SAID);

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

  /**
   * No engine: only the merge and one immutable state after the other, over a list that shares what
   * did not change. One that is copied each time would take longer than the engine.
   */
  @Benchmark
  public int bare() {
    return Objects.requireNonNull(Flux.merge(work())
        .reduce(Map.of("said", NOTHING), Sends::merged)
        .map(state -> merged(state, Map.of("said", List.of("join"))))
        .map(state -> Objects.requireNonNull(state.get("said")).size())
        .block());
  }

  private static Map<String, FrozenList<String>> merged(
      Map<String, FrozenList<String>> state, Map<String, List<String>> update) {
    Map<String, FrozenList<String>> next = new HashMap<>(state);
    update.forEach((channel, said) ->
        next.put(channel, Objects.requireNonNull(next.get(channel)).append(said)));
    return next;
  }

  /** Less than an engine does: one list that everybody writes to, no state anybody could keep. */
  @Benchmark
  public int bareMutable() {
    List<String> all = new ArrayList<>();
    Flux.merge(work())
        .doOnNext(update -> all.addAll(Objects.requireNonNull(update.get("said"))))
        .blockLast();
    all.add("join");
    return all.size();
  }

  private Flux<Mono<Map<String, List<String>>>> work() {
    return Flux.fromIterable(items)
        .map(item -> Mono.fromCallable(() -> Map.of("said", List.of(item))));
  }

  @Benchmark
  public int run() {
    return Objects.requireNonNull(runner.run(Update.NOTHING).block())
        .state()
        .get(SAID)
        .size();
  }
}
