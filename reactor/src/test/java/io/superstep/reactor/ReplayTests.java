package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.Position;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Chunk;
import io.superstep.graph.Command;
import io.superstep.graph.Computation;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.state.Update;
import io.superstep.testkit.ReplayContract;
import java.time.Duration;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The table of the testkit, with graphs built in Java. */
class ReplayTests extends ReplayContract {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static GraphBuilder graph() {
    return Graph.builder("replay").schema(schema());
  }

  private static Computation named(String name) {
    return state -> Update.append(LOG, name);
  }

  private static GraphBuilder chain() {
    return graph().compute("a", named("a")).compute("b", named("b")).sequence(START, "a", "b", END);
  }

  @Override
  protected Graph graph(Row row) {
    return builder(row).build();
  }

  private static GraphBuilder builder(Row row) {
    return switch (row) {
      case CHAIN -> chain();
      case FAN_OUT ->
        graph()
            .compute("a", named("a"))
            .compute("b", named("b"))
            .compute("c", named("c"))
            .compute("d", named("d"))
            .compute("e", named("e"))
            .edge(START, "a")
            .edge("a", "b")
            .edge("a", "c")
            .edge("a", "d")
            .join(all("b", "c", "d"), "e")
            .edge("e", END);
      case LOOP ->
        graph()
            .compute("tick", state -> Update.of(COUNT, 1))
            .edge(START, "tick")
            .route("tick", to("tick", END), state -> state.get(COUNT) < 3 ? "tick" : END);
      case SENDS ->
        graph()
            .compute("plan", named("plan"))
            .compute("work", state -> Update.of(COUNT, state.get(TASK)))
            .compute("gather", named("gather"))
            .edge(START, "plan")
            .fanOut(
                "plan",
                to("work"),
                state -> List.of(
                    Send.to("work", Update.of(TASK, 1)), Send.to("work", Update.of(TASK, 2))))
            .edge("work", "gather")
            .edge("gather", END);
      case COMMAND ->
        graph()
            .compute("a", state -> Command.goTo("c").with(Update.append(LOG, "a")))
            .mayGoTo("a", "c")
            .compute("b", named("b"))
            .compute("c", named("c"))
            .sequence(START, "a", "b", END)
            .edge("c", END);
      case STREAM ->
        graph()
            .node(
                "say", state -> Flux.just(new Chunk("x"), new Chunk("y"), Update.append(LOG, "xy")))
            .sequence(START, "say", END);
      case DEFERRED ->
        graph()
            .compute("a", named("a"))
            .compute("b", named("b"))
            .compute("z", named("z"))
            .edge(START, "a")
            .edge(START, "z")
            .edge("a", "b")
            .edge("b", END)
            .edge("z", END)
            .defer("z");
      case RETRY ->
        graph()
            .node(
                "flaky",
                (state, context) -> context.attempt() == 1
                    ? Mono.error(new IllegalStateException("once"))
                    : Mono.just(Update.append(LOG, "flaky")))
            .policy("flaky", NodePolicy.retry(2))
            .sequence(START, "flaky", END);
      case HANDLER ->
        graph()
            .node("bad", state -> Mono.error(new IllegalStateException("bad")))
            .handler("bad", (state, failure) -> Mono.just(Update.append(LOG, "handled")))
            .sequence(START, "bad", END);
      case SUBGRAPH ->
        graph()
            .subgraph("inner", chain().build())
            .compute("c", named("c"))
            .sequence(START, "inner", "c", END);
      case PAUSE -> chain().interruptAfter("a");
    };
  }

  @Override
  protected Publisher<GraphEvent> run(Graph graph, Position position) {
    return GraphRunner.of(graph).resume(position);
  }

  @Override
  protected List<Position> positions(Graph graph) {
    GraphThread thread = GraphRunner.builder(graph)
        .checkpoints(new InMemoryCheckpointStore())
        .build()
        .thread("t");
    RunResult result = thread.run(Update.NOTHING).block(PATIENCE);
    if (!result.isCompleted()) {
      thread.resume().blockLast(PATIENCE);
    }
    return thread
        .history()
        .map(Checkpoint::id)
        .sort()
        .concatMap(thread::state)
        .map(saved -> saved.position())
        .collectList()
        .block(PATIENCE);
  }
}
