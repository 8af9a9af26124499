package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.TASK;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.graph.CachePolicy;
import io.superstep.graph.Chunk;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.RunKey;
import io.superstep.graph.Send;
import io.superstep.message.Message;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class NodeCacheTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");

  private final AtomicInteger calls = new AtomicInteger();

  /** A graph that is one node, which says how often it was called. */
  private Graph asking(CachePolicy cache) {
    return graph()
        .node("ask", state -> Mono.just(Update.append(LOG, "answer " + calls.incrementAndGet())))
        .policy("ask", NodePolicy.NONE.cache(cache))
        .sequence(START, "ask", END)
        .build();
  }

  private static CachePolicy by(Function<State, ?> key) {
    return CachePolicy.by(key);
  }

  private static State run(GraphRunner runner, Update input) {
    return runner.run(input).block(PATIENCE).state();
  }

  @Test
  @DisplayName("E17 X.8 a second call within the ttl runs nothing, and one after it does")
  void anAnswerIsGoodForItsTtl() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    GraphRunner runner = GraphRunner.builder(
            asking(by(state -> state.get(COUNT)).ttl(Duration.ofMinutes(1))))
        .timer(time)
        .build();

    run(runner, Update.NOTHING);
    time.advanceTimeBy(Duration.ofSeconds(59));
    State known = run(runner, Update.NOTHING);
    assertThat(calls).hasValue(1);
    assertThat(known.get(LOG)).containsExactly("answer 1");

    time.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(run(runner, Update.NOTHING).get(LOG)).containsExactly("answer 2");
  }

  @Test
  @DisplayName("E17 what the key says tells answers apart, arguments of sends included")
  void keysTellAnswersApart() {
    Graph graph = graph()
        .compute(
            "fork",
            state -> Command.send(
                new Send("ask", Update.of(TASK, 1)), new Send("ask", Update.of(TASK, 2))))
        .node("ask", state -> {
          calls.incrementAndGet();
          return Mono.just(Update.append(LOG, "about " + state.get(TASK)));
        })
        .policy("ask", NodePolicy.NONE.cache(by(state -> state.get(TASK))))
        .mayGoTo("fork", "ask")
        .edge(START, "fork")
        .edge("fork", END)
        .edge("ask", END)
        .build();
    GraphRunner runner = GraphRunner.of(graph);

    assertThat(run(runner, Update.NOTHING).get(LOG)).containsExactly("about 1", "about 2");
    assertThat(run(runner, Update.NOTHING).get(LOG)).containsExactly("about 1", "about 2");
    assertThat(calls).hasValue(2);
  }

  @Test
  @DisplayName("E17 no more answers are kept than allowed")
  void theCacheIsBounded() {
    GraphRunner runner = GraphRunner.of(asking(by(state -> state.get(COUNT)).maxEntries(1)));

    for (int round = 0; round < 50; round++) {
      run(runner, Update.of(COUNT, round));
    }
    calls.set(0);
    for (int round = 0; round < 50; round++) {
      run(runner, Update.of(COUNT, round));
    }

    assertThat(calls.get()).isGreaterThanOrEqualTo(49);
  }

  @Test
  @DisplayName("E17 a hit is committed like any outcome and marked in its event")
  void aHitIsMarked() {
    Graph graph = graph()
        .node("ask", state -> Flux.just(new Chunk("…"), Update.append(LOG, "answer")))
        .policy("ask", NodePolicy.NONE.cache(by(state -> "same")))
        .compute("after", state -> Update.of(COUNT, state.get(LOG).size()))
        .sequence(START, "ask", "after", END)
        .build();
    GraphRunner runner = GraphRunner.of(graph);
    run(runner, Update.NOTHING);

    List<GraphEvent> events = runner.stream(Update.NOTHING).collectList().block(PATIENCE);

    assertThat(Graphs.kinds(events))
        .containsExactly(
            "RunStarted",
            "StepStarted",
            "TaskStarted",
            "TaskUpdated",
            "TaskCompleted",
            "StepCommitted",
            "StepStarted",
            "TaskStarted",
            "TaskUpdated",
            "TaskCompleted",
            "StepCommitted",
            "RunCompleted");
    assertThat(events)
        .filteredOn(TaskCompleted.class::isInstance)
        .extracting(event -> ((TaskCompleted) event).cached())
        .containsExactly(true, false);
    assertThat(((TaskUpdated) events.get(3)).update()).isEqualTo(Update.append(LOG, "answer"));
    assertThat(((GraphEvent.Terminal) events.get(11)).state().get(COUNT)).isEqualTo(1);
  }

  /** A graph with a cached node that fails when it is first asked. */
  private GraphBuilder busyAtFirst() {
    return graph()
        .node(
            "ask",
            state -> calls.incrementAndGet() == 1
                ? Mono.error(new IllegalStateException("busy"))
                : Mono.just(Update.append(LOG, "answer")))
        .policy("ask", NodePolicy.NONE.cache(by(state -> "same")));
  }

  @Test
  @DisplayName("E17 a failure is not kept")
  void aFailureIsNotKept() {
    Graph graph = busyAtFirst().sequence(START, "ask", END).build();
    GraphRunner runner = GraphRunner.of(graph);

    StepVerifier.create(runner.run(Update.NOTHING)).expectError().verify(PATIENCE);
    assertThat(run(runner, Update.NOTHING).get(LOG)).containsExactly("answer");
  }

  @Test
  @DisplayName("E17 what a handler said in place of a failure is not kept")
  void aHandledFailureIsNotKept() {
    Graph graph = busyAtFirst()
        .handler("ask", (state, failure) -> Mono.just(Update.append(LOG, "sorry")))
        .sequence(START, "ask", END)
        .build();
    GraphRunner runner = GraphRunner.of(graph);

    assertThat(run(runner, Update.NOTHING).get(LOG)).containsExactly("sorry");
    assertThat(run(runner, Update.NOTHING).get(LOG)).containsExactly("answer");
  }

  @Test
  @DisplayName("E17 a hit goes where the command of the answer went")
  void directionsAreKept() {
    Graph graph = graph()
        .node("ask", state -> {
          calls.incrementAndGet();
          return Mono.just(Command.goTo("b"));
        })
        .policy("ask", NodePolicy.NONE.cache(by(state -> "same")))
        .compute("a", state -> Update.append(LOG, "a"))
        .compute("b", state -> Update.append(LOG, "b"))
        .mayGoTo("ask", "a", "b")
        .edge(START, "ask")
        .edge("a", END)
        .edge("b", END)
        .build();
    GraphRunner runner = GraphRunner.of(graph);

    assertThat(run(runner, Update.NOTHING).get(LOG)).containsExactly("b");
    assertThat(run(runner, Update.NOTHING).get(LOG)).containsExactly("b");
    assertThat(calls).hasValue(1);
  }

  @Test
  @DisplayName("E17 messages of a hit get ids of the task that has it")
  void messagesOfAHitGetTheirOwnIds() {
    Graph graph = Graph.builder("twice")
        .channels(MESSAGES)
        .node("ask", state -> Mono.just(Update.append(MESSAGES, Message.ai("answer"))))
        .policy("ask", NodePolicy.NONE.cache(by(state -> "same")))
        .edge(START, "ask")
        .route("ask", to("ask", END), state -> state.get(MESSAGES).size() < 2 ? "ask" : END)
        .build();

    List<Message> messages = run(GraphRunner.of(graph), Update.NOTHING).get(MESSAGES);

    assertThat(messages).extracting(Message::content).containsExactly("answer", "answer");
    assertThat(messages).extracting(Message::id).doesNotHaveDuplicates().doesNotContainNull();
  }

  @Test
  @DisplayName("E17 nodes of nested graphs have caches too")
  void nestedNodesAreCached() {
    Graph inner = asking(by(state -> "same"));
    Graph outer = graph().subgraph("inner", inner).sequence(START, "inner", END).build();
    GraphRunner runner = GraphRunner.of(outer);

    run(runner, Update.NOTHING);

    assertThat(run(runner, Update.NOTHING).get(LOG)).containsExactly("answer 1");
    assertThat(calls).hasValue(1);
  }

  @Test
  @DisplayName("E17 what a commit refuses is not kept")
  void aRefusedAnswerIsNotKept() {
    Channel<Integer> small = Channel.value("small", Integer.class)
        .startingAt(0)
        .validated("Too large.", value -> value < 10);
    Graph graph = Graph.builder("refusing")
        .channels(small)
        .node("ask", state -> Mono.just(Update.of(small, calls.incrementAndGet() == 1 ? 99 : 1)))
        .policy("ask", NodePolicy.NONE.cache(by(state -> "same")))
        .sequence(START, "ask", END)
        .build();
    GraphRunner runner = GraphRunner.of(graph);

    StepVerifier.create(runner.run(Update.NOTHING)).expectError().verify(PATIENCE);
    assertThat(run(runner, Update.NOTHING).get(small)).isEqualTo(1);
  }

  @Test
  @DisplayName("E17 X.18 half a text is not kept")
  void halfATextIsNotKept() {
    Flux<String> model = Flux.defer(() -> calls.incrementAndGet() == 1
        ? Flux.concat(Flux.just("half"), Flux.error(new IllegalStateException("reset")))
        : Flux.just("the whole"));
    Graph graph = Graph.builder("chat")
        .channels(MESSAGES)
        .node(
            "ask",
            (state, context) -> Tokens.from(model)
                .keepingPart(context)
                .into(MESSAGES, (text, ending) -> ending.mark(Message.ai(text))))
        .policy("ask", NodePolicy.NONE.cache(by(state -> "same")))
        .sequence(START, "ask", END)
        .build();
    GraphRunner runner = GraphRunner.of(graph);

    assertThat(run(runner, Update.NOTHING).get(MESSAGES).get(0).content()).isEqualTo("half");
    assertThat(run(runner, Update.NOTHING).get(MESSAGES).get(0).content()).isEqualTo("the whole");
    assertThat(run(runner, Update.NOTHING).get(MESSAGES).get(0).content()).isEqualTo("the whole");
    assertThat(calls).hasValue(2);
  }

  @Test
  @DisplayName("E17 E23 a key can tell runs apart by what they were given")
  void keysCanSeeTheRun() {
    RunKey<String> user = RunKey.of("user", String.class);
    Graph graph = graph()
        .compute("ask", (state, context) -> Update.append(LOG, "balance of " + context.get(user)))
        .policy(
            "ask",
            NodePolicy.NONE.cache(CachePolicy.byContext((state, context) -> context.get(user))))
        .sequence(START, "ask", END)
        .build();
    GraphRunner runner = GraphRunner.of(graph);

    for (String name : List.of("ann", "bob", "ann")) {
      RunResult result =
          runner.run(Update.NOTHING, runner.defaults().with(user, name)).block(PATIENCE);
      assertThat(result.state().get(LOG)).containsExactly("balance of " + name);
    }
  }

  @Test
  void arraysAreKeysByTheirContents() {
    GraphRunner runner = GraphRunner.of(asking(by(state -> new byte[] {1, 2})));

    run(runner, Update.NOTHING);
    run(runner, Update.NOTHING);

    assertThat(calls).hasValue(1);
  }

  @Test
  void aNullKeyAsksTheNodeInAnyCase() {
    GraphRunner runner = GraphRunner.of(asking(by(state -> null)));

    run(runner, Update.NOTHING);
    run(runner, Update.NOTHING);

    assertThat(calls).hasValue(2);
  }

  @Test
  void aKeyThatCannotBeMadeFailsTheNode() {
    GraphRunner runner = GraphRunner.of(asking(by(state -> {
      throw new IllegalStateException("no key");
    })));

    StepVerifier.create(runner.run(Update.NOTHING))
        .expectErrorSatisfies(error -> assertThat(error).hasRootCauseMessage("no key"))
        .verify(PATIENCE);
    assertThat(calls).hasValue(0);
  }
}
