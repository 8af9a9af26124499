package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.error.SuperstepException;
import io.superstep.graph.Graph;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingStore;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@DisplayName("The messages of ten typical mistakes")
class TypicalMistakesTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Channel<String> TOPIC = Channel.value("topic", String.class);
  private static final Channel<String> REPLY = Channel.value("reply", String.class);

  /**
   * A mistake and the first lines of its message, blank lines left out.
   *
   * @param code what a user would run
   */
  record Mistake(String name, Runnable code, String first, String second) {

    @Override
    public String toString() {
      return name;
    }
  }

  private static Graph asking() {
    return Graph.builder("support")
        .channels(TOPIC)
        .node(
            "review",
            (state, context) -> Mono.from(context.ask("publish", Question.yesNo("Publish?")))
                .map(yes -> Update.of(TOPIC, "published")))
        .sequence(START, "review", END)
        .build();
  }

  private static Graph single(io.superstep.graph.NodeAction action) {
    return Graph.builder("support")
        .channels(TOPIC)
        .node("triage", action)
        .sequence(START, "triage", END)
        .build();
  }

  private static void run(Graph graph) {
    GraphRunner.of(graph).run(Update.of(TOPIC, "tea")).block(PATIENCE);
  }

  private static GraphThread waiting() {
    GraphThread thread = GraphRunner.builder(asking())
        .checkpoints(new InMemoryCheckpointStore())
        .build()
        .thread("thread-1");
    thread.run(Update.of(TOPIC, "tea")).block(PATIENCE);
    return thread;
  }

  /** A node that blocks on the JVM thread of a scheduler on which the node before it ended. */
  private static void blockingCall() {
    Scheduler model = Schedulers.newParallel("model", 1);
    try {
      run(Graph.builder("support")
          .channels(TOPIC)
          .node("fetch", state -> Mono.just(Update.NOTHING).subscribeOn(model))
          .compute("triage", state -> Update.of(TOPIC, Mono.just("tea").hide().block()))
          .sequence(START, "fetch", "triage", END)
          .build());
    } finally {
      model.dispose();
    }
  }

  static List<Mistake> mistakes() {
    return List.of(
        new Mistake(
            "a typo in an edge",
            () -> Graph.builder("support")
                .channels(TOPIC)
                .compute("triage", state -> Update.NOTHING)
                .compute("reviewer", state -> Update.NOTHING)
                .edge(START, "triage")
                .edge("triage", "reviwer")
                .edge("reviewer", END)
                .build(),
            "Graph 'support' cannot be built: 1 problem.",
            "SG-102  Node 'reviwer' does not exist."),
        new Mistake(
            "no edge to END",
            () -> Graph.builder("support")
                .channels(TOPIC)
                .compute("triage", state -> Update.NOTHING)
                .edge(START, "triage")
                .build(),
            "Graph 'support' cannot be built: 1 problem.",
            "SG-107  Node 'triage' has no outgoing edge, route, join or mayGoTo."),
        new Mistake(
            "null from a node",
            TypicalMistakesTests::blockingCall,
            "SG-145  Node 'triage' makes a blocking call, such as block(), on the JVM thread"
                + " 'model-1', which must not block.",
            "at  task run-1/2/0/triage; the stack trace of the cause shows the call"),
        new Mistake(
            "a node that throws",
            () -> run(single(state -> {
              throw new IllegalStateException("the model is down");
            })),
            "SG-141  Node 'triage' failed with java.lang.IllegalStateException: the model is down.",
            "at  task run-1/1/0/triage"),
        new Mistake(
            "two writers of one channel",
            () -> run(Graph.builder("support")
                .channels(TOPIC)
                .compute("one", state -> Update.of(TOPIC, "a"))
                .compute("two", state -> Update.of(TOPIC, "b"))
                .sequence(START, "one", END)
                .sequence(START, "two", END)
                .build()),
            "SG-212  Two tasks wrote channel 'topic', which has no reducer, in one step: 'one' and"
                + " 'two'.",
            "at  channel 'topic', written by 'two'"),
        new Mistake(
            "an undeclared channel",
            () -> run(single(state -> Mono.just(Update.of(REPLY, "hello")))),
            "SG-211  Channel 'reply' does not exist.",
            "at  channel 'reply', written by 'triage', node 'triage', task run-1/1/0/triage"),
        new Mistake(
            "a value that cannot be stored",
            () -> GraphRunner.builder(Graph.builder("support")
                    .channels(Channel.value("attachment", InputStream.class))
                    .compute("triage", state -> Update.NOTHING)
                    .sequence(START, "triage", END)
                    .build())
                .checkpoints(new EncodingStore(new InMemoryCheckpointStore()))
                .build(),
            "SG-306  The type InputStream cannot be stored: java.io.InputStream has no JSON form.",
            "at  channel 'attachment'"),
        new Mistake(
            "an input while a question is open",
            () -> waiting().run(Update.of(TOPIC, "coffee")).block(PATIENCE),
            "SG-407  The thread has pending tasks [review] and the open question [publish], and"
                + " cannot take another input.",
            "at  thread 'thread-1', checkpoint 1-1"),
        new Mistake(
            "an answer of the wrong type",
            () -> waiting().resume(Resume.answer("publish", "true")).blockLast(PATIENCE),
            "SG-441  The answer is a text; a boolean (true or false) is required.",
            "at  question 'thread-1/1-1/1/0/review#publish'"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  @DisplayName("the first two lines name the problem and the place, and a fix follows")
  void message(Mistake mistake) {
    SuperstepException error = Assertions.catchThrowableOfType(
        SuperstepException.class, () -> mistake.code().run());

    List<String> lines = error
        .getMessage()
        .lines()
        .map(String::strip)
        .filter(line -> !line.isBlank())
        .toList();
    assertThat(lines.get(0).replaceAll("model-[0-9]+", "model-1")).isEqualTo(mistake.first());
    assertThat(lines.get(1)).isEqualTo(mistake.second());
    assertThat(lines).anyMatch(line -> line.startsWith("fix "));
  }
}
