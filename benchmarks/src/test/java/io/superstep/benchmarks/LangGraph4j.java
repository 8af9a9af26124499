package io.superstep.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.bsc.langgraph4j.CompileConfig;
import org.bsc.langgraph4j.CompiledGraph;
import org.bsc.langgraph4j.GraphStateException;
import org.bsc.langgraph4j.StateGraph;
import org.bsc.langgraph4j.action.AsyncEdgeAction;
import org.bsc.langgraph4j.action.AsyncNodeAction;
import org.bsc.langgraph4j.state.AgentState;
import org.bsc.langgraph4j.state.Channels;

/**
 * The workloads as LangGraph4j runs them, without a saver. Its fan-out has one node more, because
 * it takes branches from a node only.
 */
final class LangGraph4j {

  private LangGraph4j() {}

  static PeerGraph chain(int steps) {
    AsyncNodeAction<AgentState> count = state -> CompletableFuture.completedFuture(
        Map.of("count", state.<Integer>value("count").orElse(0) + 1));
    AsyncEdgeAction<AgentState> route = state -> CompletableFuture.completedFuture(
        state.<Integer>value("count").orElse(0) < steps ? "again" : "done");
    try {
      return runs(
          new StateGraph<AgentState>(Map.of("count", Channels.base(() -> 0)), AgentState::new)
              .addNode("count", count)
              .addEdge(StateGraph.START, "count")
              .addConditionalEdges("count", route, Map.of("again", "count", "done", StateGraph.END))
              .compile(CompileConfig.builder().recursionLimit(steps + 10).build()));
    } catch (GraphStateException invalid) {
      throw new IllegalStateException(invalid);
    }
  }

  static PeerGraph fanOut(List<String> names) {
    try {
      StateGraph<AgentState> graph = new StateGraph<>(
          Map.of("said", Channels.appenderWithDuplicate(ArrayList<String>::new)), AgentState::new);
      graph.addNode("fork", said(Map.of()));
      graph.addNode("join", said(Map.of("said", "join")));
      for (String name : names) {
        graph.addNode(name, said(Map.of("said", name))).addEdge("fork", name).addEdge(name, "join");
      }
      return runs(graph
          .addEdge(StateGraph.START, "fork")
          .addEdge("join", StateGraph.END)
          .compile());
    } catch (GraphStateException invalid) {
      throw new IllegalStateException(invalid);
    }
  }

  private static AsyncNodeAction<AgentState> said(Map<String, Object> update) {
    return state -> CompletableFuture.completedFuture(update);
  }

  private static PeerGraph runs(CompiledGraph<AgentState> graph) {
    return () -> graph.invoke(Map.of()).orElseThrow().data();
  }
}
