package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.TASK;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodeContext;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.question.Answer;
import io.superstep.question.Question;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingStore;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Questions inside a subgraph that is retried after they were answered. */
class RetriedQuestionTests extends OnAThread {

  /** How often the flaky node has still to fail. */
  private final AtomicInteger failures = new AtomicInteger(1);

  /** Counts the attempts of the subgraph: the node in front of the question runs once in each. */
  private final AtomicInteger attempts = new AtomicInteger();

  @Override
  CheckpointStore around(InMemoryCheckpointStore memory) {
    return new EncodingStore(memory);
  }

  private static Mono<Boolean> ask(NodeContext context, String key, Question<Boolean> question) {
    return Mono.from(context.ask(key, question));
  }

  private Update flaky() {
    if (failures.getAndDecrement() > 0) {
      throw new IllegalStateException("flaky");
    }
    return called("flaky");
  }

  /** A subgraph that asks and then fails, and what is asked by the number of its attempt. */
  private GraphBuilder inner(IntFunction<Question<Boolean>> question) {
    return graph()
        .compute("first", state -> {
          attempts.incrementAndGet();
          return Update.NOTHING;
        })
        .node(
            "editor",
            (state, context) -> ask(context, "publish", question.apply(attempts.get()))
                .map(yes -> Update.append(LOG, "told " + yes)))
        .compute("flaky", state -> flaky())
        .sequence(START, "first", "editor", "flaky", END);
  }

  private static Graph retried(Graph inner) {
    return graph()
        .subgraph("inner", inner)
        .policy("inner", NodePolicy.retry(9))
        .sequence(START, "inner", END)
        .build();
  }

  private static RunResult end(Flux<GraphEvent> events) {
    return RunResult.of(events).block(PATIENCE);
  }

  private static List<Answer> history(GraphThread thread) {
    return thread
        .history()
        .flatMapIterable(Checkpoint::credits)
        .flatMapIterable(Checkpoint.Credit::answers)
        .collectList()
        .block(PATIENCE);
  }

  private void assertReused(Graph graph) {
    GraphThread thread = thread(graph);
    assertThat(end(thread.stream(Update.NOTHING)).questions()).hasSize(1);

    RunResult result = end(thread(graph).resume(Resume.answer("publish", true).by("ada")));

    assertThat(result.isCompleted()).isTrue();
    assertThat(result.state().get(LOG)).containsExactly("told true", "flaky");
    assertThat(history(thread)).extracting(Answer::by).containsExactly("ada");
  }

  private List<TaskNote.Asked> assertAskedAgain(Graph graph) {
    GraphThread thread = thread(graph);
    List<TaskNote.Asked> first = end(thread.stream(Update.NOTHING)).questions();

    List<TaskNote.Asked> second =
        end(thread(graph).resume(Resume.answer("publish", true).by("ada"))).questions();

    assertThat(second).hasSize(1);
    assertThat(second.get(0).key()).isEqualTo("publish");
    RunResult result = end(thread(graph).resume(Resume.answer("publish", false).by("bob")));
    assertThat(result.state().get(LOG)).containsExactly("told false", "flaky");
    assertThat(history(thread)).extracting(Answer::by).containsExactly("ada", "bob");
    assertThat(second.get(0).id()).isNotEqualTo(first.get(0).id());
    return second;
  }

  @Test
  @DisplayName("E14 the answer to an equal question is used again when the subgraph is retried")
  void equal() {
    assertReused(retried(inner(attempt -> Question.yesNo("Publish?")).build()));
  }

  @Test
  @DisplayName("E14 values to show are compared as they are stored, numbers by their value")
  void shown() {
    assertReused(retried(inner(attempt -> Question.yesNo("Publish?")
            .showing(Map.of(
                "int",
                1,
                "long",
                1L << 40,
                "double",
                0.5,
                "decimal",
                new BigDecimal("1.50"),
                "list",
                List.of(1, Map.of("text", "a", "no", false)))))
        .build()));
  }

  @Test
  @DisplayName("E14 a question with another text is asked again, under another id")
  void otherText() {
    assertAskedAgain(
        retried(inner(attempt -> Question.yesNo("Publish " + attempt + "?")).build()));
  }

  @Test
  @DisplayName("E14 a question that shows something else is asked again, under another id")
  void otherShown() {
    assertAskedAgain(retried(inner(
            attempt -> Question.yesNo("Publish?").showing(Map.of("draft", List.of(attempt))))
        .build()));
  }

  @Test
  @DisplayName(
      "E14 an answer of the first attempt is used in the third one, behind another question")
  void thirdAttempt() {
    failures.set(2);
    Graph graph = retried(
        inner(attempt -> Question.yesNo(attempt == 2 ? "Really?" : "Publish?")).build());
    end(thread(graph).stream(Update.NOTHING));
    end(thread(graph).resume(Resume.answer("publish", true).by("ada")));

    RunResult result = end(thread(graph).resume(Resume.answer("publish", false).by("bob")));

    assertThat(result.isCompleted()).isTrue();
    assertThat(result.state().get(LOG)).containsExactly("told true", "flaky");
    assertThat(history(thread(graph))).extracting(Answer::by).containsExactly("ada", "bob");
  }

  @Test
  @DisplayName("E14 the rounds of a loop have an answer each, and get it again")
  void loop() {
    Graph inner = graph()
        .node(
            "editor",
            (state, context) -> ask(context, "publish", Question.yesNo("Publish?"))
                .map(yes -> Update.append(LOG, "told " + yes).and(COUNT, 1)))
        .compute("flaky", state -> flaky())
        .edge(START, "editor")
        .route("editor", to("editor", "flaky"), state -> state.get(COUNT) < 3 ? "editor" : "flaky")
        .edge("flaky", END)
        .build();
    Graph graph = retried(inner);
    end(thread(graph).stream(Update.NOTHING));
    end(thread(graph).resume(Resume.answer("publish", false)));
    end(thread(graph).resume(Resume.answer("publish", true)));

    RunResult result = end(thread(graph).resume(Resume.answer("publish", false)));

    assertThat(result.isCompleted()).isTrue();
    assertThat(result.state().get(LOG))
        .containsExactly("told false", "told true", "told false", "flaky");
    assertThat(history(thread(graph)))
        .extracting(Answer::value)
        .containsExactly(false, true, false);
  }

  @Test
  @DisplayName("E14 two levels deep, whichever of the two subgraphs is retried")
  void deep() {
    Graph graph = graph()
        .subgraph(
            "outer",
            graph()
                .subgraph("deep", inner(attempt -> Question.yesNo("Publish?")).build())
                .policy("deep", NodePolicy.retry(2))
                .sequence(START, "deep", END)
                .build())
        .policy("outer", NodePolicy.retry(2))
        .sequence(START, "outer", END)
        .build();
    failures.set(3); // the deep one twice, then the outer one, then the deep one once more

    assertReused(graph);
    assertThat(attempts.get()).isEqualTo(4);
  }

  @Test
  @DisplayName("E14 each of several sends gets its own answer again")
  void sends() {
    Graph inner = graph()
        .compute("plan", state -> Update.NOTHING)
        .node(
            "work",
            (state, context) -> ask(context, "ok", Question.yesNo("Ok?"))
                .map(yes -> Update.append(LOG, state.get(TASK) + " " + yes)))
        .compute("flaky", state -> flaky())
        .edge(START, "plan")
        .fanOut(
            "plan",
            to("work"),
            state -> IntStream.range(0, 3)
                .mapToObj(task -> Send.to("work", Update.of(TASK, task)))
                .toList())
        .edge("work", "flaky")
        .edge("flaky", END)
        .build();
    Graph graph = retried(inner);
    end(thread(graph).stream(Update.NOTHING));
    RunResult result = null;
    for (TaskNote.Asked asked : thread(graph).questions().collectList().block(PATIENCE)) {
      result = end(thread(graph).resume(Resume.answer(asked.id(), asked.task().index() == 1)));
    }

    assertThat(result.isCompleted()).isTrue();
    assertThat(result.state().get(LOG)).containsExactly("0 false", "1 true", "2 false", "flaky");
  }

  @Test
  @DisplayName("E14 a subgraph that a caller runs again asks again")
  void rerun() {
    Graph graph = retried(inner(attempt -> Question.yesNo("Publish?")).build());
    failures.set(20);
    end(thread(graph).stream(Update.NOTHING));
    Flux<GraphEvent> failing = thread(graph).resume(Resume.answer("publish", true));
    failing.onErrorComplete().blockLast(PATIENCE);
    failures.set(0);

    RunResult result = end(thread(graph).resume(Resume.rerun("inner")));

    assertThat(result.questions()).hasSize(1);
  }

  @Test
  @DisplayName("E9 what was answered inside a subgraph stays in the history of the thread")
  void inTheHistory() {
    failures.set(0);
    Graph graph = retried(inner(attempt -> Question.yesNo("Publish?")).build());
    end(thread(graph).stream(Update.NOTHING));

    end(thread(graph).resume(Resume.answer("publish", true).by("ada")));

    assertThat(history(thread(graph))).extracting(Answer::by).containsExactly("ada");
  }

  /** Retries in a run of its own: the second attempt waits at the gate. */
  private Graph gated(Mono<Void> gate) {
    Graph inner = graph()
        .compute("first", state -> {
          attempts.incrementAndGet();
          return Update.NOTHING;
        })
        .node("gate", state -> attempts.get() == 2 ? gate.then(Mono.empty()) : Mono.empty())
        .node(
            "editor",
            (state, context) -> ask(context, "publish", Question.yesNo("Publish?"))
                .map(yes -> Update.append(LOG, "told " + yes)))
        .compute("flaky", state -> flaky())
        .sequence(START, "first", "gate", "editor", "flaky", END)
        .build();
    return retried(inner);
  }

  @Test
  @DisplayName("E12 a change from outside between two attempts leaves the answer")
  void changedFromOutside() {
    Sinks.Empty<Void> gate = Sinks.empty();
    Graph graph = gated(gate.asMono());
    end(thread(graph).stream(Update.NOTHING));
    thread(graph).resume(Resume.answer("publish", true).by("ada")).subscribe().dispose();
    assertThat(attempts.get()).isEqualTo(2);

    thread(graph).update(Update.append(LOG, "changed"), "bob", null).block(PATIENCE);
    gate.tryEmitEmpty();
    RunResult result = end(thread(graph).resume());

    assertThat(result.isCompleted()).isTrue();
    assertThat(result.state().get(LOG)).containsExactly("changed", "told true", "flaky");
    assertThat(history(thread(graph))).extracting(Answer::by).containsExactly("ada");
  }

  @Test
  @DisplayName("X.23 killed at any store call of the retry, the thread does not ask again")
  void killedAnywhere() {
    for (Durability mode : Durability.values()) {
      for (Fault fault : List.of(Fault.DIE_BEFORE, Fault.DIE_AFTER, Fault.TWICE, Fault.LATE)) {
        boolean struck = true;
        for (int at = 4; struck; at++) { // acquire, load, answer
          String where = mode + " " + fault + " at call " + at;
          struck = kill(mode, fault, at, where);
        }
      }
    }
  }

  private boolean kill(Durability mode, Fault fault, int at, String where) {
    CheckpointStore kept =
        new EncodingStore(InMemoryCheckpointStore.builder().clock(clock).build());
    failures.set(1);
    attempts.set(0);
    Graph graph = retried(inner(attempt -> Question.yesNo("Publish?")).build());
    end(thread(graph, kept).stream(Update.NOTHING));
    FaultyStore faulty = new FaultyStore(kept, fault, at);
    Sinks.Empty<Void> ended = Sinks.empty();
    Disposable run = thread(graph, faulty)
        .resume(Resume.answer("publish", true).by("ada"), RunOptions.NONE.durability(mode))
        .doFinally(any -> ended.tryEmitEmpty())
        .subscribe();
    Mono.firstWithSignal(faulty.struck(), ended.asMono()).block(PATIENCE);
    if (fault == Fault.TWICE || fault == Fault.LATE) {
      ended.asMono().block(PATIENCE);
    }
    run.dispose();
    clock.pass(Hold.LEASE.plusSeconds(1));

    RunResult result = end(thread(graph, kept).resume());

    assertThat(result.isCompleted()).as(where).isTrue();
    SavedThread saved = thread(graph, kept).state().block(PATIENCE);
    assertThat(log(saved)).as(where).containsExactly("told true", "flaky");
    assertThat(history(thread(graph, kept)))
        .extracting(Answer::by)
        .as(where)
        .containsExactly("ada");
    return faulty.calls() >= at;
  }

  private static GraphThread thread(Graph graph, CheckpointStore store) {
    return GraphRunner.builder(graph).checkpoints(store).build().thread("t");
  }
}
