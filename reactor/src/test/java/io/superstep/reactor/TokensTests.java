package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunStopped;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.graph.ContextualAction;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.message.Message;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class TokensTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");

  /** A node that keeps what it hears of {@code model}. */
  private static ContextualAction heard(Publisher<String> model) {
    return (state, context) -> Tokens.from(model)
        .keepingPart(context)
        .into(MESSAGES, (text, ending) -> ending.mark(Message.ai(text)));
  }

  private static Graph keeping(Publisher<String> model) {
    return Graph.builder("chat")
        .channels(MESSAGES)
        .node("model", heard(model))
        .compute("after", state -> Update.append(MESSAGES, Message.human("Go on.")))
        .sequence(START, "model", "after", END)
        .build();
  }

  @Test
  @DisplayName(
      "X.16 a stop while a model streams keeps the text so far, marked, and ends as STOPPED")
  void aStopKeepsWhatCame() {
    Stop stop = new Stop();
    TestPublisher<String> model = TestPublisher.create();
    GraphRunner runner = GraphRunner.of(keeping(model));

    StepVerifier.create(runner.stream(Update.NOTHING, RunOptions.NONE.stoppedBy(stop))
            .filter(event -> event instanceof TaskChunk || event instanceof RunStopped))
        .then(() -> model.next("Once ", "upon "))
        .expectNextCount(2)
        .then(stop::request) // while the model is silent
        .assertNext(end -> {
          Message kept = ((RunStopped) end).state().get(MESSAGES).get(0);
          assertThat(kept.content()).isEqualTo("Once upon ");
          assertThat(kept.metadata()).isEqualTo(Map.of("stop_reason", "stopped"));
        })
        .expectComplete()
        .verify(PATIENCE);
    model.assertCancelled();
  }

  @Test
  @DisplayName("X.16 a run that was stopped with part of a text goes on behind it")
  void aStoppedRunGoesOn() {
    Stop stop = new Stop();
    GraphRunner runner = GraphRunner.of(keeping(Flux.just("a", "b", "c")));

    RunStopped stopped = (RunStopped) runner.stream(Update.NOTHING, RunOptions.NONE.stoppedBy(stop))
        .doOnNext(event -> {
          if (event instanceof TaskChunk chunk && chunk.content().equals("b")) {
            stop.request();
          }
        })
        .limitRate(1)
        .blockLast(PATIENCE);
    GraphEvent end = runner.resume(stopped.position()).blockLast(PATIENCE);

    assertThat(((GraphEvent.Terminal) end).state().get(MESSAGES))
        .extracting(Message::content)
        .containsExactly("ab", "Go on.");
  }

  @Test
  @DisplayName("X.18 a stream that breaks after 40 tokens leaves a message with the reason")
  void aBrokenStreamKeepsWhatCame() {
    Flux<String> model = Flux.range(0, 40)
        .map(n -> "t")
        .concatWith(Flux.error(new IllegalStateException("connection reset")));

    RunResult result = GraphRunner.of(keeping(model)).run(Update.NOTHING).block(PATIENCE);

    assertThat(result.isCompleted()).isTrue();
    Message kept = result.state().get(MESSAGES).get(0);
    assertThat(kept.content()).isEqualTo("t".repeat(40));
    assertThat(kept.metadata()).isEqualTo(Map.of("stop_reason", "stream_error"));
  }

  @Test
  @DisplayName(
      "X.18 a stream that breaks before its first token fails its task, and is tried again")
  void aStreamThatBringsNothingFails() {
    AtomicInteger calls = new AtomicInteger();
    Flux<String> model = Flux.defer(() -> calls.incrementAndGet() == 1
        ? Flux.error(new IllegalStateException("connection reset"))
        : Flux.just("again"));
    Graph graph = Graph.builder("chat")
        .channels(MESSAGES)
        .node("model", heard(model))
        .policy("model", NodePolicy.retry(2))
        .sequence(START, "model", END)
        .build();

    RunResult result = GraphRunner.of(graph).run(Update.NOTHING).block(PATIENCE);

    assertThat(result.state().get(MESSAGES).get(0).content()).isEqualTo("again");
    assertThat(calls).hasValue(2);
  }

  @Test
  @DisplayName("X.16 a stop while the last node streams keeps its text, and the run is COMPLETED")
  void aStopInTheLastNodeCompletes() {
    Stop stop = new Stop();
    TestPublisher<String> model = TestPublisher.create();
    Graph graph = Graph.builder("chat")
        .channels(MESSAGES)
        .node("model", heard(model))
        .sequence(START, "model", END)
        .build();

    StepVerifier.create(GraphRunner.of(graph).run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop)))
        .then(() -> model.next("Once "))
        .then(stop::request)
        .assertNext(result -> {
          assertThat(result.status()).isEqualTo(RunResult.Status.COMPLETED);
          assertThat(result.state().get(MESSAGES).get(0).content()).isEqualTo("Once ");
        })
        .expectComplete()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName(
      "X.16 a stop before the first piece waits for it, and one before the node for its end")
  void aStopLosesNoAnswer() {
    Stop stop = new Stop();
    TestPublisher<String> first = TestPublisher.create();
    Graph graph = Graph.builder("chat")
        .channels(MESSAGES)
        .node("first", heard(first))
        .node("second", heard(Flux.just("all ", "of it")))
        .edge(START, "first")
        .edge(START, "second")
        .edge("first", END)
        .edge("second", END)
        .build();

    StepVerifier.create(GraphRunner.of(graph)
            .run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop).concurrency(1)))
        .then(stop::request)
        .then(() -> first.next("one"))
        .assertNext(result -> assertThat(result.state().get(MESSAGES))
            .extracting(Message::content, Message::metadata)
            .containsExactly(
                tuple("one", Map.of("stop_reason", "stopped")), tuple("all of it", Map.of())))
        .expectComplete()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("X.16 a source that completes when it is cancelled does not pass for a whole text")
  void aCutTextIsNeverCalledComplete() {
    Stop stop = new Stop();
    Flux<String> model = Flux.create(sink -> {
      sink.onCancel(sink::complete);
      sink.next("half");
      stop.request();
    });

    RunResult result = GraphRunner.of(keeping(model))
        .run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop))
        .block(PATIENCE);

    assertThat(result.state().get(MESSAGES).get(0).metadata())
        .isEqualTo(Map.of("stop_reason", "stopped"));
  }

  @Test
  void aTextThatIsAllThereIsNotMarked() {
    RunResult result =
        GraphRunner.of(keeping(Flux.just("a", "b"))).run(Update.NOTHING).block(PATIENCE);

    Message whole = result.state().get(MESSAGES).get(0);
    assertThat(whole.content()).isEqualTo("ab");
    assertThat(whole.metadata()).isEmpty();
  }

  @Test
  void aWholeTextIsLostWithItsStream() {
    Flux<String> model = Flux.concat(Flux.just("a"), Flux.error(new IllegalStateException()));
    Graph graph = Graph.builder("chat")
        .channels(MESSAGES)
        .node("model", state -> Tokens.from(model).into(MESSAGES, Message::ai))
        .policy("model", NodePolicy.retry(2))
        .sequence(START, "model", END)
        .build();

    StepVerifier.create(GraphRunner.of(graph).run(Update.NOTHING))
        .expectError(NodeFailedException.class)
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("Promise 11: a fatal error of the element function ends the run, on any thread")
  void elementFunctionThrows() {
    Error error = new NoClassDefFoundError("on purpose");
    Graph graph = Graphs.single(
        "node",
        state -> Tokens.from(Flux.just("a", "b").publishOn(Schedulers.parallel()))
            .into(Graphs.LOG, text -> {
              throw error;
            }));

    StepVerifier.create(GraphRunner.of(graph).run(Update.NOTHING))
        .expectErrorSatisfies(failed -> assertThat(failed).hasCause(error))
        .verify(Duration.ofSeconds(10));
  }
}
