package io.superstep.testkit;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;

import io.superstep.graph.Graph;
import io.superstep.graph.NodeContext;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/** Small graphs for tests of stores, whose nodes tell somebody that they run. */
public final class Chains {

  /** Holds the names of the nodes that have run. */
  public static final ListChannel<String> LOG = Channel.list("log", String.class);

  private Chains() {}

  /** Three nodes, one after the other. */
  public static Graph chain(Consumer<String> running) {
    return chain((node, context) -> Mono.fromRunnable(() -> running.accept(node)));
  }

  /** Three nodes, one after the other, each when {@code before} has completed. */
  public static Graph chain(BiFunction<String, NodeContext, Mono<Void>> before) {
    return Graph.builder("chain")
        .channels(LOG)
        .node("a", (state, context) -> said("a", before.apply("a", context)))
        .node("b", (state, context) -> said("b", before.apply("b", context)))
        .node("c", (state, context) -> said("c", before.apply("c", context)))
        .sequence(START, "a", "b", "c", END)
        .build();
  }

  /** Two nodes at once, and one behind both. */
  public static Graph diamond(BiFunction<String, NodeContext, Mono<Void>> before) {
    return Graph.builder("diamond")
        .channels(LOG)
        .node("fast", (state, context) -> said("fast", before.apply("fast", context)))
        .node("slow", (state, context) -> said("slow", before.apply("slow", context)))
        .node("last", (state, context) -> said("last", before.apply("last", context)))
        .edge(START, "fast")
        .edge(START, "slow")
        .join(Graph.all("fast", "slow"), "last")
        .edge("last", END)
        .build();
  }

  /** A model that is expensive to ask, and then a person. */
  public static Graph approval(Consumer<String> running) {
    return Graph.builder("approval")
        .channels(LOG)
        .compute("model", state -> {
          running.accept("model");
          return Update.append(LOG, "draft");
        })
        .node(
            "publish",
            (state, context) -> Mono.from(context.ask(
                    "publish", Question.yesNo("Publish?").showing(Map.of("draft", "text"))))
                .map(yes -> Update.append(LOG, yes ? "published" : "kept")))
        .sequence(START, "model", "publish", END)
        .build();
  }

  private static Mono<Update> said(String node, Mono<Void> before) {
    return before.thenReturn(Update.append(LOG, node));
  }
}
