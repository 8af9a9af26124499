package io.superstep.benchmarks;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;

import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Task;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import java.time.Instant;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One node that emits chunks to a subscriber who counts them: what a token costs. */
@State(Scope.Benchmark)
public class Tokens {

  private static final Channel<Integer> COUNT =
      Channel.value("count", Integer.class).startingAt(0);
  private static final String TEXT = "token";

  @Param("100000")
  int chunks;

  private GraphRunner runner;
  private PeerGraph langGraph4j;
  private PeerGraph springAiAlibaba;

  @Setup
  public void build() {
    runner = GraphRunner.of(Graph.builder("tokens")
        .channels(COUNT)
        .node("speak", state -> spoken())
        .edge(START, "speak")
        .edge("speak", END)
        .build());
    langGraph4j = PeerGraph.lazily(() -> LangGraph4j.tokens(chunks, TEXT));
    springAiAlibaba = PeerGraph.lazily(() -> SpringAiAlibaba.tokens(chunks, TEXT));
  }

  private Flux<Chunk> spoken() {
    return Flux.range(0, chunks).map(number -> new Chunk(TEXT));
  }

  /** No engine: the same chunks, each wrapped in the same event. */
  @Benchmark
  public int bare() {
    Wrapping wrapping = new Wrapping();
    return heard(spoken().flatMap(chunk -> Mono.just(wrapping.event(chunk))));
  }

  /** Less than an engine does: no room for a node that takes its time. */
  @Benchmark
  public int bareMap() {
    Wrapping wrapping = new Wrapping();
    return heard(spoken().map(wrapping::event));
  }

  @Benchmark
  public int stream() {
    return heard(runner.stream(Update.NOTHING));
  }

  private static int heard(Flux<? extends GraphEvent> events) {
    return Objects.requireNonNull(
        events.reduce(0, (heard, event) -> isChunk(event) ? heard + 1 : heard).block());
  }

  private static boolean isChunk(GraphEvent event) {
    return event instanceof GraphEvent.TaskChunk;
  }

  @Benchmark
  public int langGraph4j() {
    return (Integer) langGraph4j.run().get("heard");
  }

  @Benchmark
  public int springAiAlibaba() {
    return (Integer) springAiAlibaba.run().get("heard");
  }

  /** What the events of one task have in common, and how many there are. */
  private static final class Wrapping {

    private final Task task = new Task("run", 1, 0, "speak", null);
    private int index;

    GraphEvent event(Chunk chunk) {
      Moment moment = new Moment("", 1, Instant.now()); // each chunk has a time of its own
      return new GraphEvent.TaskChunk(
          moment, 3, task, Execution.FIRST, index++, 0, chunk.content());
    }
  }
}
