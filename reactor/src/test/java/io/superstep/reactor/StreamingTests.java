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
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskRetried;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.message.Message;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class StreamingTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");

  @Test
  @DisplayName(
      "X.21 a token reaches the subscriber when it is emitted, and the model is called once")
  void tokensArriveWhenTheyAreEmitted() {
    AtomicInteger calls = new AtomicInteger();
    TestPublisher<String> model = TestPublisher.create();
    Graph graph = Graph.builder("chat")
        .channels(MESSAGES)
        .node(
            "model",
            state -> Tokens.from(Flux.defer(() -> {
                  calls.incrementAndGet();
                  return model.flux();
                }))
                .into(MESSAGES, Message::ai))
        .sequence(START, "model", END)
        .build();

    StepVerifier.create(GraphRunner.of(graph).stream(Update.NOTHING))
        .expectNextCount(3)
        .then(() -> model.next("Hel"))
        .assertNext(event -> assertThat(((TaskChunk) event).content()).isEqualTo("Hel"))
        .then(() -> model.next("lo"))
        .assertNext(event -> {
          assertThat(((TaskChunk) event).content()).isEqualTo("lo");
          assertThat(((TaskChunk) event).index()).isEqualTo(1);
        })
        .then(model::complete)
        .expectNextMatches(TaskUpdated.class::isInstance)
        .expectNextMatches(TaskCompleted.class::isInstance)
        .assertNext(event -> assertThat(((StepCommitted) event).state().get(MESSAGES))
            .extracting(Message::content)
            .containsExactly("Hello"))
        .expectNextCount(1)
        .expectComplete()
        .verify(PATIENCE);
    assertThat(calls).hasValue(1);
  }

  @Test
  void messagesGetIdsThatAReplayWouldGiveAgain() {
    Graph graph = Graph.builder("chat")
        .channels(MESSAGES)
        .node(
            "model",
            state -> Flux.just(
                Update.append(MESSAGES, Message.ai("a")), Update.append(MESSAGES, Message.ai("b"))))
        .sequence(START, "model", END)
        .build();

    RunResult result = GraphRunner.of(graph).run(Update.NOTHING).block(PATIENCE);

    assertThat(result.state().get(MESSAGES))
        .extracting(Message::id)
        .containsExactly("run-1/1/0/model-0", "run-1/1/0/model-1");
  }

  @Test
  @DisplayName("E20 a slow subscriber slows a fast producer: one output in hand, no more")
  void aSlowSubscriberSlowsAFastProducer() {
    AtomicInteger produced = new AtomicInteger();
    Graph graph = Graphs.single(
        "fast", state -> Flux.range(0, 1_000).doOnNext(produced::set).<NodeOutput>map(Chunk::new));

    StepVerifier.create(GraphRunner.of(graph).stream(Update.NOTHING), 3)
        .expectNextCount(3)
        .then(() -> assertThat(produced).hasValue(0))
        .thenRequest(10)
        .expectNextCount(10)
        .then(() -> assertThat(produced).hasValue(10))
        .thenCancel()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("E20 ten thousand fast producers under a slow subscriber stay within the bound")
  void tenThousandProducersStayWithinTheBound() {
    AtomicInteger produced = new AtomicInteger();
    Graph graph = graph()
        .compute("plan", state -> Update.NOTHING)
        .node(
            "fast",
            state -> Flux.range(0, 100)
                .doOnNext(any -> produced.incrementAndGet())
                .<NodeOutput>map(Chunk::new))
        .edge(START, "plan")
        .fanOut(
            "plan",
            to("fast"),
            state -> IntStream.range(0, 10_000)
                .mapToObj(n -> Send.to("fast", TASK, n))
                .toList())
        .edge("fast", END)
        .build();
    List<GraphEvent> seen = new ArrayList<>();
    BaseSubscriber<GraphEvent> slow = new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription subscription) {
        subscription.request(20);
      }

      @Override
      protected void hookOnNext(GraphEvent event) {
        seen.add(event);
      }
    };

    GraphRunner.of(graph).stream(Update.NOTHING).subscribe(slow);

    assertThat(seen).hasSize(20);
    assertThat(produced).hasValueLessThanOrEqualTo(10_000);
    slow.cancel();
  }

  @Test
  @DisplayName(
      "E20 a synchronous producer is not run to its end before its first word is delivered")
  void aSynchronousProducerIsBounded() {
    AtomicInteger produced = new AtomicInteger();
    Graph graph = Graphs.single(
        "endless",
        state -> Flux.<NodeOutput>generate(sink -> {
          produced.incrementAndGet();
          sink.next(new Chunk("x"));
        }));

    GraphRunner.of(graph).stream(Update.NOTHING)
        .takeUntil(TaskChunk.class::isInstance)
        .blockLast(PATIENCE);

    assertThat(produced).hasValueLessThanOrEqualTo(257);
  }

  @Test
  @DisplayName("E20 a finished step is committed without waiting for demand")
  void aFinishedStepIsCommittedWithoutDemand() {
    AtomicInteger routed = new AtomicInteger();
    Graph graph = graph()
        .node("tick", state -> Mono.just(Update.of(COUNT, 1)))
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> {
          routed.incrementAndGet();
          return "tick";
        })
        .build();

    StepVerifier.create(GraphRunner.of(graph).stream(Update.NOTHING), 2)
        .expectNextCount(2)
        .then(() -> assertThat(routed).hasValue(1))
        .thenRequest(4)
        .expectNextCount(4)
        .then(() -> assertThat(routed).hasValue(1))
        .thenCancel()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("E19 facts are numbered without a gap and provisional events ride beside them")
  void factsAreNumberedWithoutAGap() {
    Graph graph = Graphs.single(
        "model", state -> Flux.just(new Chunk("a"), Update.append(LOG, "x"), new Chunk("b")));

    List<GraphEvent> events =
        GraphRunner.of(graph).stream(Update.NOTHING).collectList().block(PATIENCE);

    assertThat(Graphs.kinds(events))
        .containsExactly(
            "RunStarted",
            "StepStarted",
            "TaskStarted",
            "TaskChunk",
            "TaskUpdated",
            "TaskChunk",
            "TaskCompleted",
            "StepCommitted",
            "RunCompleted");
    assertThat(events)
        .extracting(GraphEvent::sequence)
        .containsExactly(1L, 2L, 3L, 3L, 3L, 3L, 4L, 5L, 6L);
  }

  @Test
  @DisplayName("E19 views: values, updates and chunks")
  void viewsShowWhatIsWanted() {
    Graph graph = Graphs.single(
        "model", state -> Flux.just(new Chunk("a"), Update.append(LOG, "x"), new Chunk("b")));
    Flux<GraphEvent> events = GraphRunner.of(graph).stream(Update.NOTHING);

    assertThat(Views.chunks(events).collectList().block(PATIENCE)).containsExactly("a", "b");
    assertThat(Views.updates(events).collectList().block(PATIENCE))
        .containsExactly(Update.append(LOG, "x"));
    assertThat(Views.values(events).map(state -> state.get(LOG)).collectList().block(PATIENCE))
        .containsExactly(List.of("x"));
    assertThat(Views.outputs(events).blockLast(PATIENCE)).containsEntry("log", List.of("x"));
  }

  @Test
  @DisplayName("E19 views: messages that a list was replaced with are not shown again")
  void messagesAreShownOnce() {
    Graph graph = Graph.builder("chat")
        .channels(MESSAGES)
        .compute("a", state -> Update.append(MESSAGES, Message.ai("one"), Message.ai("two")))
        .compute(
            "b",
            state -> Update.overwrite(
                MESSAGES, List.of(state.get(MESSAGES).get(1), Message.ai("three"))))
        .sequence(START, "a", "b", END)
        .build();

    assertThat(Views.messages(GraphRunner.of(graph).stream(Update.NOTHING))
            .map(Message::content)
            .collectList()
            .block(PATIENCE))
        .containsExactly("one", "two", "three");
  }

  @Test
  @DisplayName("E19 views: messages, new and changed, once they are committed")
  void messagesAreShownOnceTheyAreCommitted() {
    Graph graph = Graph.builder("chat")
        .channels(MESSAGES, LOG)
        .compute(
            "a",
            state ->
                Update.append(MESSAGES, Message.ai("one"), Message.ai("two").withId("2")))
        .compute(
            "b",
            state -> Update.append(MESSAGES, Message.ai("two!").withId("2"))
                .and(Update.append(LOG, "no message")))
        .sequence(START, "a", "b", END)
        .build();

    assertThat(Views.messages(GraphRunner.of(graph).stream(Update.NOTHING))
            .map(Message::content)
            .collectList()
            .block(PATIENCE))
        .containsExactly("one", "two", "two!");
  }

  @Test
  @DisplayName("E20 a node that speaks while it is asked is heard in order, one word at a time")
  void aNodeThatSpeaksWhileItIsAskedIsHeardInOrder() {
    Graph graph = graph()
        .node("talk", state -> Flux.range(0, 5_000).map(Chunk::new))
        .sequence(START, "talk", END)
        .build();
    List<Integer> heard = new ArrayList<>();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger nested = new AtomicInteger();

    for (int ahead : new int[] {1, 3, 300}) {
      heard.clear();
      GraphRunner.of(graph).stream(Update.NOTHING, RunOptions.NONE.prefetch(ahead))
          .subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
              request(1);
            }

            @Override
            protected void hookOnNext(GraphEvent event) {
              nested.addAndGet(inside.getAndIncrement());
              if (event instanceof TaskChunk chunk) {
                assertThat(chunk.index()).isEqualTo(heard.size());
                heard.add((Integer) chunk.content());
              }
              request(1);
              inside.decrementAndGet();
            }
          });

      assertThat(heard).isEqualTo(IntStream.range(0, 5_000).boxed().toList());
    }
    assertThat(nested).hasValue(0);
  }

  @Test
  @DisplayName("E20 a chunk never overtakes an update of its node")
  void aChunkNeverOvertakesAnUpdate() {
    Graph graph = graph()
        .node(
            "mix",
            state -> Flux.range(0, 2_000)
                .map(number -> number % 3 == 0
                    ? (NodeOutput) Update.of(LOG, List.of("" + number))
                    : new Chunk("" + number)))
        .sequence(START, "mix", END)
        .build();

    List<String> heard = GraphRunner.of(graph).stream(Update.NOTHING)
        .mapNotNull(event -> event instanceof TaskChunk chunk
            ? (String) chunk.content()
            : event instanceof TaskUpdated updated
                ? ((List<?>) updated.update().writes().get(0).value()).get(0).toString()
                : null)
        .collectList()
        .block(PATIENCE);

    assertThat(heard)
        .isEqualTo(IntStream.range(0, 2_000).mapToObj(String::valueOf).toList());
  }

  @Test
  @DisplayName("E8 a node that never stops speaking does not keep others from failing")
  void aNodeThatNeverStopsSpeakingKeepsNobodyFromFailing() {
    Graph graph = graph()
        .node("talk", state -> Flux.<NodeOutput>generate(sink -> sink.next(new Chunk("word"))))
        .node(
            "fail", state -> Mono.delay(Duration.ofMillis(20)).then(Mono.error(new IOException())))
        .edge(START, "talk")
        .edge(START, "fail")
        .edge("talk", END)
        .edge("fail", END)
        .build();

    StepVerifier.create(GraphRunner.of(graph).stream(Update.NOTHING)
            .filter(event -> !(event instanceof GraphEvent.Provisional)))
        .thenConsumeWhile(event -> true)
        .expectErrorMatches(NodeFailedException.class::isInstance)
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("E15 chunks of an attempt are told after the failure of the one before")
  void chunksComeAfterTheFailureBefore() {
    AtomicInteger attempts = new AtomicInteger();
    Graph graph = graph()
        .node(
            "talk",
            state -> attempts.incrementAndGet() == 1
                ? Flux.<NodeOutput>just(new Chunk("a")).concatWith(Flux.error(new IOException()))
                : Flux.just(new Chunk("a"), new Chunk("b"), new Chunk("c")))
        .policy("talk", NodePolicy.NONE.attempts(2))
        .sequence(START, "talk", END)
        .build();
    List<String> told = new ArrayList<>();

    GraphRunner.of(graph).stream(Update.NOTHING).subscribe(new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription subscription) {
        request(50);
      }

      @Override
      protected void hookOnNext(GraphEvent event) {
        if (event instanceof TaskChunk chunk) {
          told.add(chunk.attempt() + ":" + chunk.index() + chunk.content());
        } else if (event instanceof TaskRetried) {
          told.add("retried");
        }
      }
    });

    assertThat(told).containsExactly("1:0a", "retried", "2:0a", "2:1b", "2:2c");
  }

  @Test
  @DisplayName("S4.14 the word of a Mono is heard together with its end")
  void monoIsHeardWithItsEnd() {
    TestPublisher<NodeOutput> node = TestPublisher.create();
    GraphRunner runner =
        GraphRunner.of(Graphs.single("node", state -> Mono.fromDirect(node.flux())));
    List<GraphEvent> told = new ArrayList<>();
    runner.stream(Update.NOTHING).subscribe(told::add);

    node.next(Update.append(LOG, "said"));
    assertThat(told).noneMatch(TaskUpdated.class::isInstance);
    node.complete();

    assertThat(told).filteredOn(TaskUpdated.class::isInstance).hasSize(1);
    assertThat(told).last().isInstanceOf(GraphEvent.RunCompleted.class);
  }

  @Test
  @DisplayName("X.17 a Mono that never stops talking is heard as far as is asked for, and let go")
  void monoThatNeverStops() {
    AtomicInteger made = new AtomicInteger();
    Flux<NodeOutput> words =
        Flux.generate(sink -> sink.next(new Chunk("word " + made.incrementAndGet())));
    GraphRunner runner = GraphRunner.of(Graphs.single("node", state -> Mono.fromDirect(words)));

    StepVerifier.create(runner.stream(Update.NOTHING), 6)
        .expectNextCount(6)
        .thenCancel()
        .verify(PATIENCE);

    assertThat(made).hasValueLessThan(10);
  }

  @Test
  @DisplayName(
      "E20 who leaves when told the word of a Mono hears no more, and no handler is called")
  void leavingAtTheWordOfAMono() {
    AtomicInteger handled = new AtomicInteger();
    Mono<NodeOutput> sayingAndFailing = Mono.<NodeOutput>just(Update.append(LOG, "said"))
        .handle((word, sink) -> {
          sink.next(word);
          sink.error(new IOException("gone"));
        });
    Graph graph = graph()
        .node("node", state -> sayingAndFailing.hide())
        .handler("node", (state, failure) -> {
          handled.incrementAndGet();
          return Mono.just(Update.NOTHING);
        })
        .sequence(START, "node", END)
        .build();

    StepVerifier.create(
            GraphRunner.of(graph).stream(Update.NOTHING).takeUntil(TaskUpdated.class::isInstance))
        .expectNextCount(4)
        .verifyComplete();

    assertThat(handled).hasValue(0);
  }

  @Test
  @DisplayName("S4.14 a Mono that says more than it may is heard, in order and to its end")
  void monoThatSaysMore() {
    Flux<NodeOutput> words = Flux.generate(() -> 1, (count, sink) -> {
      if (count > 3) {
        sink.complete();
      } else {
        sink.next(Update.append(LOG, "word " + count));
      }
      return count + 1;
    });
    GraphRunner runner = GraphRunner.of(Graphs.single("node", state -> Mono.fromDirect(words)));

    StepVerifier.create(runner.stream(Update.NOTHING), 1)
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(8)
        .assertNext(
            event -> assertThat(((GraphEvent.RunCompleted) event).state().get(LOG))
                .containsExactly("word 1", "word 2", "word 3"))
        .verifyComplete();
  }

  @Test
  @DisplayName("S4.14 a Mono that fails after its word has failed, and the word was heard")
  void monoThatFailsAfterItsWord() {
    Flux<NodeOutput> words =
        Flux.concat(Mono.just(Update.append(LOG, "said")), Mono.error(new IOException("gone")));
    GraphRunner runner = GraphRunner.of(Graphs.single("node", state -> Mono.fromDirect(words)));

    StepVerifier.create(
            runner.stream(Update.NOTHING).map(Object::getClass).map(Class::getSimpleName))
        .expectNext("RunStarted", "StepStarted", "TaskStarted", "TaskUpdated", "TaskFailed")
        .verifyError(NodeFailedException.class);
  }
}
