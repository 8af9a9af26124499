package io.superstep.benchmarks;

import com.alibaba.cloud.ai.graph.CompileConfig;
import com.alibaba.cloud.ai.graph.CompiledGraph;
import com.alibaba.cloud.ai.graph.KeyStrategy;
import com.alibaba.cloud.ai.graph.RunnableConfig;
import com.alibaba.cloud.ai.graph.StateGraph;
import com.alibaba.cloud.ai.graph.action.AsyncEdgeAction;
import com.alibaba.cloud.ai.graph.action.AsyncNodeAction;
import com.alibaba.cloud.ai.graph.checkpoint.config.SaverConfig;
import com.alibaba.cloud.ai.graph.checkpoint.savers.MemorySaver;
import com.alibaba.cloud.ai.graph.exception.GraphStateException;
import com.alibaba.cloud.ai.graph.streaming.StreamingOutput;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The workloads as Spring AI Alibaba Graph runs them; long chains need a big stack. */
final class SpringAiAlibaba {

  /** How it is set up, for those who read its figures. */
  static final String CONFIGURATION = Peer.archiveOf(CompiledGraph.class)
      + ": its default serializer; an empty SaverConfig, as a run would else begin with what the"
      + " one before left, but MemorySaver and a thread id for conversations; recursionLimit above"
      + " the steps; a stack of 64 MB, as it recurses once per step and hangs on one of the usual"
      + " size";

  private SpringAiAlibaba() {}

  static PeerGraph chain(int steps, List<String> others) {
    CompiledGraph graph = chainGraph(steps, others);
    Map<String, Object> input = new HashMap<>();
    others.forEach(other -> input.put(other, 0));
    input.put("count", 0);
    return () -> graph.invoke(input).orElseThrow().data();
  }

  /** The chain, with all that it streams delivered to a subscriber. */
  static PeerGraph chainStream(int steps) {
    CompiledGraph graph = chainGraph(steps, List.of());
    return () -> Objects.requireNonNull(graph.stream(Map.of("count", 0)).blockLast())
        .state()
        .data();
  }

  private static CompiledGraph chainGraph(int steps, List<String> others) {
    Map<String, KeyStrategy> channels = new HashMap<>();
    others.forEach(other -> channels.put(other, KeyStrategy.REPLACE));
    channels.put("count", KeyStrategy.REPLACE);
    AsyncNodeAction count =
        state -> CompletableFuture.completedFuture(Map.of("count", state.value("count", 0) + 1));
    AsyncEdgeAction route = state ->
        CompletableFuture.completedFuture(state.value("count", 0) < steps ? "again" : "done");
    return looping(channels, count, route, withoutSaver().recursionLimit(steps + 10));
  }

  static PeerGraph fanOut(List<String> names) {
    try {
      StateGraph graph = new StateGraph(() -> Map.of("said", KeyStrategy.APPEND));
      graph.addNode("join", said("join"));
      for (String name : names) {
        graph.addNode(name, said(name)).addEdge(StateGraph.START, name).addEdge(name, "join");
      }
      graph.addEdge("join", StateGraph.END);
      CompiledGraph compiled = graph.compile(withoutSaver().build());
      return () -> compiled.invoke(Map.of()).orElseThrow().data();
    } catch (GraphStateException invalid) {
      throw new IllegalStateException(invalid);
    }
  }

  /** One run on a thread of its own; what it saves stays with the graph. */
  static PeerGraph conversation(int steps, Words words) {
    AsyncNodeAction say = state -> CompletableFuture.completedFuture(Map.of(
        "said", List.of(words.at(state.<List<String>>value("said", List.of()).size()))));
    AsyncEdgeAction route = state -> CompletableFuture.completedFuture(
        state.<List<String>>value("said", List.of()).size() < steps ? "again" : "done");
    CompiledGraph graph = looping(
        Map.of("said", KeyStrategy.APPEND),
        say,
        route,
        CompileConfig.builder()
            .saverConfig(SaverConfig.builder().register(new MemorySaver()).build())
            .recursionLimit(steps + 10));
    RunnableConfig thread = RunnableConfig.builder().threadId("thread").build();
    return () -> graph.invoke(Map.of(), thread).orElseThrow().data();
  }

  private static CompiledGraph looping(
      Map<String, KeyStrategy> channels,
      AsyncNodeAction node,
      AsyncEdgeAction route,
      CompileConfig.Builder config) {
    try {
      return new StateGraph(() -> channels)
          .addNode("node", node)
          .addEdge(StateGraph.START, "node")
          .addConditionalEdges("node", route, Map.of("again", "node", "done", StateGraph.END))
          .compile(config.build());
    } catch (GraphStateException invalid) {
      throw new IllegalStateException(invalid);
    }
  }

  /** A node that returns chunks as a flux, and how many of them came out. */
  static PeerGraph tokens(int chunks, String text) {
    AsyncNodeAction speak = state ->
        CompletableFuture.completedFuture(Map.of("said", Flux.range(0, chunks).map(chunk -> text)));
    try {
      CompiledGraph graph = new StateGraph(() -> Map.of("said", KeyStrategy.REPLACE))
          .addNode("speak", speak)
          .addEdge(StateGraph.START, "speak")
          .addEdge("speak", StateGraph.END)
          .compile(withoutSaver().build());
      return () -> Map.of(
          "heard",
          Objects.requireNonNull(graph.stream(Map.of())
                  .filter(output -> output instanceof StreamingOutput)
                  .count()
                  .block())
              .intValue());
    } catch (GraphStateException invalid) {
      throw new IllegalStateException(invalid);
    }
  }

  /** Many runs at once, each of some steps that wait, and how many of them came to their end. */
  static PeerGraph concurrent(int runs, int steps, Duration wait) {
    AsyncNodeAction count = state -> Mono.delay(wait)
        .map(waited -> Map.<String, Object>of("count", state.value("count", 0) + 1))
        .toFuture();
    AsyncEdgeAction route = state ->
        CompletableFuture.completedFuture(state.value("count", 0) < steps ? "again" : "done");
    CompiledGraph graph = looping(
        Map.of("count", KeyStrategy.REPLACE),
        count,
        route,
        withoutSaver().recursionLimit(steps + 10));
    return () -> Map.of(
        "ended",
        Concurrent.ended(
            runs,
            run -> graph.stream(
                    Map.of("count", 0),
                    RunnableConfig.builder().threadId("thread-" + run).build())
                .last()
                .filter(last -> last.state().value("count", 0) == steps)));
  }

  /** Not told otherwise it saves to memory, and a run begins with what the one before left. */
  private static CompileConfig.Builder withoutSaver() {
    return CompileConfig.builder().saverConfig(SaverConfig.builder().build());
  }

  private static AsyncNodeAction said(String name) {
    return state -> CompletableFuture.completedFuture(Map.of("said", List.of(name)));
  }
}
