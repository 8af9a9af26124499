package io.superstep.testkit;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;

import io.superstep.graph.CachePolicy;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodePolicy;
import io.superstep.question.AnswerForm;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A place where a graph calls user code, with a graph whose code throws there.
 *
 * <p>Reactor rethrows {@code VirtualMachineError}, {@code LinkageError} and {@code ThreadDeath}
 * instead of signalling them. A test runs {@link #graph} with each of {@link #errors} and verifies
 * that the run ends with a typed error and releases its thread.
 */
public enum HostilePlace {
  COMPUTED_NODE((graph, error) -> graph.compute("node", state -> error.raise())),
  REACTIVE_NODE((graph, error) -> graph.node("node", state -> error.raise())),
  BLOCKING_NODE((graph, error) -> graph.blocking("node", state -> error.raise())),
  MONO((graph, error) -> graph.node("node", state -> Mono.error(error.get()))),
  MONO_OPERATOR((graph, error) ->
      graph.node("node", state -> Mono.just(1).map(any -> error.raise()))),
  FLUX((graph, error) -> graph.node(
      "node", state -> Flux.<NodeOutput>just(new Chunk("a")).concatWith(Mono.error(error.get())))),
  FLUX_OPERATOR((graph, error) ->
      graph.node("node", state -> Flux.range(1, 3).hide().map(any -> error.raise()))),
  REQUEST((graph, error) -> graph.node("node", state -> failingOnRequest(1, error))),
  LATER_REQUEST((graph, error) -> graph.node("node", state -> failingOnRequest(2, error))),
  RETRIED_COMPUTED_NODE(
      (graph, error) -> graph.compute("node", state -> error.raise()).policy("node", retrying())),
  RETRIED_REACTIVE_NODE(
      (graph, error) -> graph.node("node", state -> error.raise()).policy("node", retrying())),
  RETRIED_BLOCKING_NODE(
      (graph, error) -> graph.blocking("node", state -> error.raise()).policy("node", retrying())),
  RETRIED_MONO((graph, error) ->
      graph.node("node", state -> Mono.error(error.get())).policy("node", retrying())),
  RETRIED_REQUEST((graph, error) ->
      graph.node("node", state -> failingOnRequest(1, error)).policy("node", retrying())),
  TIMED_NODE((graph, error) -> graph
      .node("node", state -> Mono.just(1).map(any -> error.raise()))
      .policy("node", NodePolicy.NONE.timeout(Duration.ofMinutes(1)))),
  RETRY_PREDICATE((graph, error) -> graph
      .node("node", state -> Mono.error(new IllegalStateException("the node's own failure")))
      .policy("node", NodePolicy.retry(2).retryOn(any -> error.raise()))),
  HANDLER((graph, error) -> graph
      .node("node", state -> Mono.error(new IllegalStateException("the node's own failure")))
      .handler("node", (state, failure) -> error.raise())),
  HANDLER_MONO((graph, error) -> graph
      .node("node", state -> Mono.error(new IllegalStateException("the node's own failure")))
      .handler("node", (state, failure) -> Mono.just(1).map(any -> error.raise()))),
  CACHE_KEY((graph, error) -> graph
      .compute("node", state -> Update.NOTHING)
      .policy("node", NodePolicy.NONE.cache(CachePolicy.by(state -> error.raise())))),
  QUESTION_READER((graph, error) -> graph.node(
      "node",
      (state, context) -> Mono.from(
              context.ask("q", Question.of("Why?", new AnswerForm.Text(), any -> error.raise())))
          .thenReturn(Update.NOTHING))),
  SUBGRAPH((graph, error) ->
      graph.subgraph("node", sole(Graph.builder("inner").compute("node", state -> error.raise())))),
  SUBGRAPH_INPUT((graph, error) ->
      graph.subgraph("node", quiet(), state -> error.raise(), state -> Update.NOTHING)),
  SUBGRAPH_OUTPUT((graph, error) ->
      graph.subgraph("node", quiet(), state -> Update.NOTHING, state -> error.raise())),
  REDUCER((graph, error) -> {
    Channel<Integer> reduced =
        Channel.reduced("reduced", Integer.class, 0, (current, update) -> error.raise());
    graph.channels(reduced).compute("node", state -> Update.of(reduced, 1));
  }),
  VALIDATOR((graph, error) -> {
    Channel<Integer> checked = Channel.value("checked", Integer.class)
        .startingAt(0)
        .refusing(value -> value == 0 ? null : error.raise());
    graph.channels(checked).compute("node", state -> Update.of(checked, 1));
  }),
  STATE_CHECK((graph, error) -> {
    Channel<Integer> checked = Channel.value("checked", Integer.class).startingAt(0);
    graph
        .channels(checked)
        .check(
            "checked", "must be small", state -> state.get(checked) == 0 || error.<Boolean>raise())
        .compute("node", state -> Update.of(checked, 1));
  }),
  DEFAULT_VALUE((graph, error) -> graph
      .channels(Channel.value("start", Integer.class).startingWith(error::orOne))
      .compute("node", state -> Update.NOTHING)),
  ROUTER((graph, error) -> graph
      .compute("node", state -> Update.NOTHING)
      .compute("next", state -> Update.NOTHING)
      .route("node", to("next", END), state -> error.raise())
      .edge("next", END)) {
    @Override
    void connect(GraphBuilder graph) {
      graph.edge(START, "node");
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // the functions hold no state
  private final BiConsumer<GraphBuilder, Thrower> code;

  HostilePlace(BiConsumer<GraphBuilder, Thrower> code) {
    this.code = code;
  }

  /** Returns one error of each kind that Reactor or the JVM treats specially. */
  public static List<Error> errors() {
    return List.of(
        new NoClassDefFoundError("on purpose"),
        new ExceptionInInitializerError("on purpose"),
        new StackOverflowError("on purpose"),
        new OutOfMemoryError("on purpose"),
        new InternalError("on purpose"),
        new ThreadDeath(),
        new AssertionError("on purpose"));
  }

  /** Returns a graph with one node, called {@code node}, which throws {@code error} here. */
  public Graph graph(Error error) {
    GraphBuilder builder = Graph.builder("hostile");
    Thrower thrower = new Thrower(error);
    code.accept(builder, thrower);
    connect(builder);
    Graph graph = builder.build();
    thrower.armed.set(true);
    return graph;
  }

  /** Returns whether the code is called only when a question has been answered. */
  public boolean needsAnswer() {
    return this == QUESTION_READER;
  }

  void connect(GraphBuilder graph) {
    graph.sequence(START, "node", END);
  }

  private static NodePolicy retrying() {
    return NodePolicy.retry(2)
        .backoff(Duration.ofMillis(1), Duration.ofMillis(1))
        .retryOn(any -> true);
  }

  private static Graph quiet() {
    return sole(Graph.builder("inner").compute("node", state -> Update.NOTHING));
  }

  private static Graph sole(GraphBuilder graph) {
    return graph.sequence(START, "node", END).build();
  }

  /** A publisher that emits one chunk per request, and throws in the request with a number. */
  private static Publisher<NodeOutput> failingOnRequest(int failing, Thrower error) {
    return subscriber -> subscriber.onSubscribe(new Failing(subscriber, failing, error));
  }

  private static final class Failing implements Subscription {

    private final Subscriber<? super NodeOutput> subscriber;
    private final int failing;
    private final Thrower error;
    private int requests;

    Failing(Subscriber<? super NodeOutput> subscriber, int failing, Thrower error) {
      this.subscriber = subscriber;
      this.failing = failing;
      this.error = error;
    }

    @Override
    public void request(long count) {
      if (++requests == failing) {
        error.raise();
      }
      for (long sent = 0; sent < count; sent++) {
        subscriber.onNext(new Chunk("a"));
      }
    }

    @Override
    public void cancel() {
      // nothing is left to cancel
    }
  }

  /** Throws an error, once the graph is built. */
  private static final class Thrower {

    private final Error error;
    private final AtomicBoolean armed = new AtomicBoolean();

    Thrower(Error error) {
      this.error = error;
    }

    Error get() {
      return error;
    }

    @SuppressWarnings({"DoNotCallSuggester", "TypeParameterUnusedInFormals"
    }) // it stands for a value
    <T> T raise() {
      throw error;
    }

    int orOne() {
      return armed.get() ? raise() : 1;
    }
  }
}
