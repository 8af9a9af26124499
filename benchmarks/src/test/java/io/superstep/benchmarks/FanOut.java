package io.superstep.benchmarks;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;

import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
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

/** Many nodes at once, each appending to one list, and one that joins them: what a task costs. */
@State(Scope.Benchmark)
public class FanOut {

  private static final ListChannel<String> SAID = Channel.list("said", String.class);

  @Param("64")
  int branches;

  private GraphRunner runner;
  private List<Mono<Map<String, List<String>>>> bare;
  private PeerGraph langGraph4j;
  private PeerGraph springAiAlibaba;

  @Setup
  public void build() {
    List<String> names =
        IntStream.range(0, branches).mapToObj(branch -> "n" + branch).toList();
    GraphBuilder builder = Graph.builder("fan-out").channels(SAID);
    for (String name : names) {
      builder.node(name, state -> Mono.just(Update.append(SAID, name))).edge(START, name);
    }
    runner = GraphRunner.of(builder
        .compute("join", state -> Update.append(SAID, "join"))
        .join(all(names.toArray(String[]::new)), "join")
        .edge("join", END)
        .build());
    bare = names.stream()
        .map(name -> Mono.fromCallable(() -> Map.of("said", List.of(name))))
        .toList();
    langGraph4j = PeerGraph.lazily(() -> LangGraph4j.fanOut(names));
    springAiAlibaba = PeerGraph.lazily(() -> SpringAiAlibaba.fanOut(names));
  }

  /** No engine: only the merge and one immutable state after the other. */
  @Benchmark
  public int bare() {
    return Objects.requireNonNull(Flux.merge(bare)
        .reduce(Map.<String, List<String>>of(), FanOut::merged)
        .map(state -> merged(state, Map.of("said", List.of("join"))))
        .map(state -> Objects.requireNonNull(state.get("said")).size())
        .block());
  }

  static Map<String, List<String>> merged(
      Map<String, List<String>> state, Map<String, List<String>> update) {
    Map<String, List<String>> next = new HashMap<>(state);
    update.forEach((channel, said) -> {
      List<String> all = new ArrayList<>(next.getOrDefault(channel, List.of()));
      all.addAll(said);
      next.put(channel, all);
    });
    return next;
  }

  /** Less than an engine does: one list that everybody writes to, no state anybody could keep. */
  @Benchmark
  public int bareMutable() {
    List<String> all = new ArrayList<>();
    Flux.merge(bare)
        .doOnNext(update -> all.addAll(Objects.requireNonNull(update.get("said"))))
        .blockLast();
    all.add("join");
    return all.size();
  }

  @Benchmark
  public int run() {
    return Objects.requireNonNull(runner.run(Update.NOTHING).block())
        .state()
        .get(SAID)
        .size();
  }

  @Benchmark
  public int langGraph4j() {
    return ((List<?>) langGraph4j.run().get("said")).size();
  }

  @Benchmark
  public int springAiAlibaba() {
    return ((List<?>) springAiAlibaba.run().get("said")).size();
  }
}
