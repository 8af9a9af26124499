package io.superstep.samples.debate;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;

import io.superstep.graph.Graph;
import io.superstep.graph.NodeContext;
import io.superstep.message.Message;
import io.superstep.question.Question;
import io.superstep.reactor.Tokens;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.Update;
import reactor.core.publisher.Mono;

/**
 * A graph in which an optimist and a skeptic talk for three rounds, a moderator concludes, and
 * somebody is asked whether that is published.
 */
final class Debate {

  static final Channel<String> TOPIC =
      Channel.value("topic", String.class).startingAt("").writeOnce();
  static final Channel<Integer> ROUND = Channel.value("round", Integer.class).startingAt(0);
  static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  static final Channel<Boolean> PUBLISHED =
      Channel.value("published", Boolean.class).startingAt(false);

  /** The key of the question. */
  static final String PUBLISH = "publish";

  private static final int ROUNDS = 3;

  private Debate() {}

  /** The graph, with {@code model} behind all its nodes. */
  static Graph graph(ScriptedModel model) {
    return Graph.builder("debate")
        .channels(TOPIC, ROUND, MESSAGES, PUBLISHED)
        .node("optimist", state -> reply(model, state))
        .node("skeptic", state -> reply(model, state).and(Update.of(ROUND, state.get(ROUND) + 1)))
        .node("moderator", state -> reply(model, state))
        .node("publisher", (state, context) -> published(context))
        .edge(START, "optimist")
        .edge("optimist", "skeptic")
        .route("skeptic", to("optimist", "moderator"), Debate::next)
        .sequence("moderator", "publisher", END)
        .build();
  }

  /** Each word is a chunk that is seen at once; all of them together are one message. */
  private static Tokens reply(ScriptedModel model, State state) {
    return Tokens.from(model.stream(state.get(TOPIC), state.get(MESSAGES)))
        .into(MESSAGES, Message::ai);
  }

  /** The first time the task ends here, and with it the run; with an answer the node runs again. */
  private static Mono<Update> published(NodeContext context) {
    return Mono.from(context.ask(PUBLISH, Question.yesNo("Publish what the moderator said?")))
        .map(yes -> Update.of(PUBLISHED, yes));
  }

  private static String next(State state) {
    return state.get(ROUND) < ROUNDS ? "optimist" : "moderator";
  }
}
