package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeContext;
import io.superstep.graph.NodePolicy;
import io.superstep.question.Answers;
import io.superstep.question.Question;
import io.superstep.state.Update;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Nodes that wait for the answer to their question on a JVM thread of their own. */
class QuestionOnOtherThreadTests extends OnAThread {

  private final ExecutorService others = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    others.shutdownNow();
  }

  private Future<Boolean> answerOnAnotherThread(NodeContext context) {
    return others.submit(
        () -> Mono.from(context.ask("publish", Question.yesNo("Publish?"))).block());
  }

  private static Update told(Future<Boolean> answer) {
    try {
      return Update.append(LOG, "told " + answer.get());
    } catch (InterruptedException | ExecutionException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static RunResult end(Flux<GraphEvent> events) {
    return RunResult.of(events.subscribeOn(Schedulers.boundedElastic())).block(PATIENCE);
  }

  private void assertAsksAndResumes(Graph graph) {
    RunResult first = end(thread(graph).stream(Update.NOTHING));
    assertThat(first.status()).isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(first.questions())
        .singleElement()
        .satisfies(asked -> assertThat(asked.key()).isEqualTo("publish"));

    RunResult second = end(thread(graph).resume(Resume.answer("publish", true)));
    assertThat(second.isCompleted()).isTrue();
    assertThat(second.state().get(LOG)).containsExactly("told true");
  }

  @Test
  @DisplayName("E9 a plain function that waits for its question on another JVM thread returns")
  void plainFunction() {
    assertAsksAndResumes(graph()
        .compute("asker", (state, context) -> told(answerOnAnotherThread(context)))
        .sequence(START, "asker", END)
        .build());
  }

  @Test
  @DisplayName("E9 so does one with a policy")
  void plainFunctionWithAPolicy() {
    assertAsksAndResumes(graph()
        .compute("asker", (state, context) -> told(answerOnAnotherThread(context)))
        .policy("asker", NodePolicy.retry(3))
        .sequence(START, "asker", END)
        .build());
  }

  @Test
  @DisplayName("E9 so does one that asks several questions at once")
  void severalAtOnce() {
    Map<String, Question<Boolean>> questions = Map.of("publish", Question.yesNo("Publish?"));
    assertAsksAndResumes(graph()
        .compute("asker", (state, context) -> {
          Future<Answers> answers =
              others.submit(() -> Mono.from(context.askAll(questions)).block());
          try {
            return Update.append(LOG, "told " + answers.get().get("publish", Boolean.class));
          } catch (InterruptedException | ExecutionException failure) {
            throw new IllegalStateException(failure);
          }
        })
        .sequence(START, "asker", END)
        .build());
  }

  @Test
  @DisplayName("E9 so does a function that blocks, and that an interrupt does not wake")
  void blockingFunction() throws Exception {
    CountDownLatch returned = new CountDownLatch(2); // once without an answer, and once with it
    Graph graph = graph()
        .blocking("asker", (state, context) -> {
          try {
            return CompletableFuture.supplyAsync(() -> told(answerOnAnotherThread(context)), others)
                .join();
          } finally {
            returned.countDown();
          }
        })
        .sequence(START, "asker", END)
        .build();

    assertAsksAndResumes(graph);

    assertThat(returned.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @DisplayName("E9 so does a reactive node that waits before it returns its publisher")
  void beforeThePublisher() {
    assertAsksAndResumes(graph()
        .node("asker", (state, context) -> Mono.just(told(answerOnAnotherThread(context))))
        .sequence(START, "asker", END)
        .build());
  }

  @Test
  @DisplayName(
      "E9 a thread that a reactive node leaves waiting is released when the task has ended")
  void leftWaiting() throws Exception {
    CompletableFuture<Future<Boolean>> left = new CompletableFuture<>();
    Graph graph = graph()
        .node(
            "asker",
            (state, context) -> Mono.<Update>never()
                .doOnSubscribe(any -> left.complete(answerOnAnotherThread(context))))
        .sequence(START, "asker", END)
        .build();

    assertThat(end(thread(graph).stream(Update.NOTHING)).status())
        .isEqualTo(RunResult.Status.INTERRUPTED);

    Future<Boolean> waiting = left.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(waiting)
        .failsWithin(PATIENCE)
        .withThrowableOfType(ExecutionException.class)
        .withMessageContaining("ended with a question");
  }
}
