package io.superstep.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bsc.async.AsyncGenerator;
import org.bsc.langgraph4j.CompileConfig;
import org.bsc.langgraph4j.CompiledGraph;
import org.bsc.langgraph4j.GraphStateException;
import org.bsc.langgraph4j.NodeOutput;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.StateGraph;
import org.bsc.langgraph4j.action.AsyncEdgeAction;
import org.bsc.langgraph4j.action.AsyncNodeAction;
import org.bsc.langgraph4j.checkpoint.MemorySaver;
import org.bsc.langgraph4j.state.AgentState;
import org.bsc.langgraph4j.state.Channel;
import org.bsc.langgraph4j.state.Channels;
import org.bsc.langgraph4j.streaming.StreamingOutput;

/**
 * The workloads as LangGraph4j runs them. Its fan-out has one node more, because it takes branches
 * from a node only.
 */
final class LangGraph4j {

  /** How it is set up, for those who read its figures. */
  static final String CONFIGURATION = Peer.archiveOf(CompiledGraph.class)
      + ": its default serializer; no saver, but MemorySaver and a thread id for conversations;"
      + " recursionLimit above the steps; nodes return completed futures, so no executor for"
      + " branches; lists are appenderWithDuplicate, as its appender drops equal elements";

  private LangGraph4j() {}

  static PeerGraph chain(int steps, List<String> others) {
    CompiledGraph<AgentState> graph = chainGraph(steps, others);
    return () -> graph.invoke(Map.of()).orElseThrow().data();
  }

  /** The chain, with all that it streams taken out of its iterator. */
  static PeerGraph chainStream(int steps) {
    CompiledGraph<AgentState> graph = chainGraph(steps, List.of());
    return () -> {
      Map<String, Object> last = Map.of();
      for (NodeOutput<AgentState> output : graph.stream(Map.of())) {
        last = output.state().data();
      }
      return last;
    };
  }

  private static CompiledGraph<AgentState> chainGraph(int steps, List<String> others) {
    Map<String, Channel<?>> channels = new HashMap<>();
    others.forEach(other -> channels.put(other, Channels.base(() -> 0)));
    channels.put("count", Channels.base(() -> 0));
    AsyncNodeAction<AgentState> count = state -> CompletableFuture.completedFuture(
        Map.of("count", state.<Integer>value("count").orElse(0) + 1));
    AsyncEdgeAction<AgentState> route = state -> CompletableFuture.completedFuture(
        state.<Integer>value("count").orElse(0) < steps ? "again" : "done");
    return looping(channels, count, route, CompileConfig.builder().recursionLimit(steps + 10));
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
      CompiledGraph<AgentState> compiled = graph
          .addEdge(StateGraph.START, "fork")
          .addEdge("join", StateGraph.END)
          .compile();
      return () -> compiled.invoke(Map.of()).orElseThrow().data();
    } catch (GraphStateException invalid) {
      throw new IllegalStateException(invalid);
    }
  }

  /** One run on a thread of its own; what it saves stays with the graph. */
  static PeerGraph conversation(int steps, Words words) {
    AsyncNodeAction<AgentState> say = state -> CompletableFuture.completedFuture(Map.of(
        "said", words.at(state.<List<String>>value("said").orElse(List.of()).size())));
    AsyncEdgeAction<AgentState> route = state -> CompletableFuture.completedFuture(
        state.<List<String>>value("said").orElse(List.of()).size() < steps ? "again" : "done");
    CompiledGraph<AgentState> graph = looping(
        Map.of("said", Channels.appenderWithDuplicate(ArrayList<String>::new)),
        say,
        route,
        CompileConfig.builder().recursionLimit(steps + 10).checkpointSaver(new MemorySaver()));
    RunnableConfig thread = RunnableConfig.builder().threadId("thread").build();
    return () -> graph.invoke(Map.of(), thread).orElseThrow().data();
  }

  private static CompiledGraph<AgentState> looping(
      Map<String, Channel<?>> channels,
      AsyncNodeAction<AgentState> node,
      AsyncEdgeAction<AgentState> route,
      CompileConfig.Builder config) {
    try {
      return new StateGraph<AgentState>(channels, AgentState::new)
          .addNode("node", node)
          .addEdge(StateGraph.START, "node")
          .addConditionalEdges("node", route, Map.of("again", "node", "done", StateGraph.END))
          .compile(config.build());
    } catch (GraphStateException invalid) {
      throw new IllegalStateException(invalid);
    }
  }

  /** A node that returns a generator of chunks, and how many of them came out. */
  static PeerGraph tokens(int chunks, String text) {
    AsyncNodeAction<AgentState> speak = state -> CompletableFuture.completedFuture(Map.of(
        "said",
        AsyncGenerator.from(IntStream.range(0, chunks)
            .<NodeOutput<AgentState>>mapToObj(
                chunk -> new StreamingOutput<>(text, "speak", state, null))
            .iterator())));
    try {
      CompiledGraph<AgentState> graph = new StateGraph<AgentState>(Map.of(), AgentState::new)
          .addNode("speak", speak)
          .addEdge(StateGraph.START, "speak")
          .addEdge("speak", StateGraph.END)
          .compile();
      return () -> {
        int heard = 0;
        for (NodeOutput<AgentState> output : graph.stream(Map.of())) {
          heard += output instanceof StreamingOutput ? 1 : 0;
        }
        return Map.of("heard", heard);
      };
    } catch (GraphStateException invalid) {
      throw new IllegalStateException(invalid);
    }
  }

  private static AsyncNodeAction<AgentState> said(Map<String, Object> update) {
    return state -> CompletableFuture.completedFuture(update);
  }
}
