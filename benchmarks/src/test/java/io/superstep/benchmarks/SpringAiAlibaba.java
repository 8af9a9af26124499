package io.superstep.benchmarks;

import com.alibaba.cloud.ai.graph.CompileConfig;
import com.alibaba.cloud.ai.graph.CompiledGraph;
import com.alibaba.cloud.ai.graph.KeyStrategy;
import com.alibaba.cloud.ai.graph.StateGraph;
import com.alibaba.cloud.ai.graph.action.AsyncEdgeAction;
import com.alibaba.cloud.ai.graph.action.AsyncNodeAction;
import com.alibaba.cloud.ai.graph.checkpoint.config.SaverConfig;
import com.alibaba.cloud.ai.graph.exception.GraphStateException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The workloads as Spring AI Alibaba Graph runs them, without a saver; long chains need a big
 * stack.
 */
final class SpringAiAlibaba {

  private SpringAiAlibaba() {}

  static PeerGraph chain(int steps) {
    AsyncNodeAction count =
        state -> CompletableFuture.completedFuture(Map.of("count", state.value("count", 0) + 1));
    AsyncEdgeAction route = state ->
        CompletableFuture.completedFuture(state.value("count", 0) < steps ? "again" : "done");
    try {
      return runs(
          new StateGraph(() -> Map.of("count", KeyStrategy.REPLACE))
              .addNode("count", count)
              .addEdge(StateGraph.START, "count")
              .addConditionalEdges("count", route, Map.of("again", "count", "done", StateGraph.END))
              .compile(withoutSaver().recursionLimit(steps + 10).build()),
          Map.of("count", 0));
    } catch (GraphStateException invalid) {
      throw new IllegalStateException(invalid);
    }
  }

  static PeerGraph fanOut(List<String> names) {
    try {
      StateGraph graph = new StateGraph(() -> Map.of("said", KeyStrategy.APPEND));
      graph.addNode("join", said("join"));
      for (String name : names) {
        graph.addNode(name, said(name)).addEdge(StateGraph.START, name).addEdge(name, "join");
      }
      graph.addEdge("join", StateGraph.END);
      return runs(graph.compile(withoutSaver().build()), Map.of());
    } catch (GraphStateException invalid) {
      throw new IllegalStateException(invalid);
    }
  }

  /** Not told otherwise it saves to memory, and a run begins with what the one before left. */
  private static CompileConfig.Builder withoutSaver() {
    return CompileConfig.builder().saverConfig(SaverConfig.builder().build());
  }

  private static AsyncNodeAction said(String name) {
    return state -> CompletableFuture.completedFuture(Map.of("said", List.of(name)));
  }

  private static PeerGraph runs(CompiledGraph graph, Map<String, Object> input) {
    return () -> graph.invoke(input).orElseThrow().data();
  }
}
