package io.superstep.benchmarks;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.graph.Graph;
import io.superstep.message.Message;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.InMemoryCheckpointStore;
import io.superstep.reactor.RunOptions;
import io.superstep.reactor.RunResult;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import io.superstep.value.FrozenList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One node that adds a message of 100 characters at a time: what a growing thread costs. */
@State(Scope.Benchmark)
public class Conversation {

  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  private static final ListChannel<String> TEXTS = Channel.list("texts", String.class);

  @Param("2000")
  int steps;

  private Words words;
  private Graph graph;
  private RunOptions options;

  @Setup
  public void build() {
    build(Words.prepared(steps));
  }

  void build(Words said) {
    words = said;
    graph = Graph.builder("conversation")
        .channels(MESSAGES)
        .node(
            "say",
            state -> Mono.just(
                Update.append(MESSAGES, Message.ai(words.at(state.get(MESSAGES).size())))))
        .edge(START, "say")
        .route("say", to("say", END), state -> state.get(MESSAGES).size() < steps ? "say" : END)
        .build();
    options = RunOptions.NONE.steps(steps + 1).iterations(steps + 1);
  }

  /** No engine: the usual loop by hand, over a list that shares what did not change. */
  @Benchmark
  public int bare() {
    return Objects.requireNonNull(states().last().map(List::size).block());
  }

  Flux<FrozenList<String>> states() {
    List<String> start = StateSchema.of(TEXTS).start().get(TEXTS);
    return Mono.just((FrozenList<String>) start)
        .expand(said -> said.size() == steps
            ? Mono.empty()
            : Mono.just(said.append(List.of(words.at(said.size())))));
  }

  @Benchmark
  public int run() {
    return size(
        GraphRunner.builder(graph).defaults(options).build().run(Update.NOTHING).block());
  }

  /** Every step written down before the next one starts. */
  @Benchmark
  public int thread() {
    return size(thread(new InMemoryCheckpointStore()).run(Update.NOTHING).block());
  }

  GraphThread thread(CheckpointStore store) {
    return GraphRunner.builder(graph)
        .defaults(options)
        .checkpoints(store)
        .build()
        .thread("thread");
  }

  StateSchema schema() {
    return graph.schema();
  }

  private static int size(@Nullable RunResult result) {
    return Objects.requireNonNull(result).state().get(MESSAGES).size();
  }
}
