package io.superstep.kotlin;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;

import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.message.Message;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.RunOptions;
import io.superstep.reactor.RunResult;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A graph with a bit of everything, as Java says it. */
final class JavaDebate {

  static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  static final Channel<Integer> ROUND = Channel.value("round", Integer.class).startingAt(0);
  static final Channel<@Nullable String> TOPIC =
      Channel.value("topic", String.class).writeOnce();
  static final Channel<Integer> VOTES = Channel.sum("votes", Integer.class);
  static final Channel<Integer> VOTER =
      Channel.value("voter", Integer.class).startingAt(0).argument();

  private JavaDebate() {}

  static Graph graph() {
    return Graph.builder("debate")
        .channels(MESSAGES, ROUND, TOPIC, VOTES, VOTER)
        .node("optimist", state -> Mono.just(Update.append(MESSAGES, Message.ai("Yes."))))
        .node(
            "skeptic",
            state -> Flux.just(
                new Chunk("N"),
                new Chunk("o."),
                Update.append(MESSAGES, Message.ai("No.")),
                Update.of(ROUND, state.get(ROUND) + 1)))
        .compute("audience", state -> Update.append(MESSAGES, Message.ai("Hm.")))
        .compute("press", state -> Update.NOTHING)
        .compute("vote", state -> Update.of(VOTES, state.get(VOTER)))
        .subgraph("epilogue", epilogue())
        .edge(START, "optimist")
        .edge("optimist", "skeptic")
        .route(
            "skeptic",
            to("optimist", "audience"),
            state -> state.get(ROUND) < 2 ? "optimist" : "audience")
        .edge("audience", "press")
        .fanOut(
            "press",
            to("vote"),
            state -> List.of(Send.to("vote", VOTER, 1), Send.to("vote", VOTER, 2)))
        .join(all("press", "vote"), "epilogue")
        .edge("epilogue", END)
        .defer("epilogue")
        .policy("optimist", NodePolicy.retry(2).timeout(Duration.ofSeconds(5)))
        .build();
  }

  private static Graph epilogue() {
    return Graph.builder("epilogue")
        .channels(MESSAGES)
        .compute("moderator", state -> Update.append(MESSAGES, Message.ai("It depends.")))
        .edge(START, "moderator")
        .edge("moderator", END)
        .build();
  }

  /** Runs a graph as Java does, whoever built it. */
  static RunResult run(Graph graph, Update input) {
    return run(graph, input, RunOptions.NONE);
  }

  static RunResult run(Graph graph, Update input, RunOptions options) {
    return GraphRunner.of(graph).run(input, options).block(Duration.ofSeconds(30));
  }
}
