package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static io.superstep.reactor.Graphs.kinds;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.QuestionAsked;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeContext;
import io.superstep.question.AlreadyAnsweredException;
import io.superstep.question.Question;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingStore;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Answers that arrive while the run that asked is busy with other tasks. */
class AnswerWhileBusyTests extends OnAThread {

  private final Sinks.Empty<Void> gate = Sinks.empty();

  private static Mono<Update> asked(NodeContext context, String key) {
    return Mono.from(context.ask(key, Question.yesNo("Publish?")))
        .map(yes -> Update.append(LOG, context.node() + " " + yes));
  }

  private Mono<Update> slow() {
    return gate.asMono().then(Mono.fromSupplier(() -> called("slow")));
  }

  /** Asks beside a node that waits at the gate. */
  private Graph asking(String... askers) {
    var builder = graph().node("slow", state -> slow()).edge(START, "slow").edge("slow", END);
    for (String asker : askers) {
      builder
          .node(asker, (state, context) -> asked(context, asker))
          .edge(START, asker)
          .edge(asker, END);
    }
    return builder.build();
  }

  /** Streams a run, answers {@code keys} while it is busy, and then opens the gate. */
  private List<GraphEvent> answeredMeanwhile(GraphThread thread, int questions, String... keys) {
    AtomicInteger open = new AtomicInteger(questions);
    return thread.stream(Update.NOTHING)
        .doOnNext(event -> {
          if (event instanceof QuestionAsked && open.decrementAndGet() == 0) {
            for (String key : keys) {
              thread.answer(key, true, "ada").block(PATIENCE);
            }
            gate.tryEmitEmpty();
          }
        })
        .collectList()
        .block(PATIENCE);
  }

  private static List<String> openIn(List<GraphEvent> events) {
    GraphEvent last = events.get(events.size() - 1);
    assertThat(last).isInstanceOf(RunInterrupted.class);
    return ((RunInterrupted) last).questions().stream().map(TaskNote.Asked::key).toList();
  }

  private ThreadStatus status() {
    return Flux.from(store.threads(Set.of(ThreadStatus.values())))
        .map(ThreadSummary::status)
        .blockLast(PATIENCE);
  }

  @Test
  @DisplayName("E9 a run uses an answer that arrives while it is busy, and completes")
  void completes() {
    GraphThread thread = thread(asking("editor"));

    List<GraphEvent> events = answeredMeanwhile(thread, 1, "editor");

    assertThat(kinds(events))
        .containsSubsequence(
            "RunStarted", "QuestionAsked", "TaskCompleted", "QuestionAnswered", "RunCompleted")
        .doesNotContain("RunInterrupted");
    assertThat(log(thread.state().block(PATIENCE)))
        .containsExactlyInAnyOrder("editor true", "slow");
    assertThat(calls()).isEqualTo(Map.of("slow", 1));
    assertThat(status()).isEqualTo(ThreadStatus.DONE);
  }

  @Test
  @DisplayName("E9 what runs again in the same run does so under a higher fence")
  void higherFence() {
    GraphThread thread = thread(asking("editor"));

    List<GraphEvent> events = answeredMeanwhile(thread, 1, "editor");

    assertThat(events.stream()
            .filter(event ->
                event instanceof TaskStarted started && started.task().node().equals("editor"))
            .map(event -> ((TaskStarted) event).execution())
            .toList())
        .hasSize(2)
        .isSorted()
        .doesNotHaveDuplicates();
    List<Long> fences = thread
        .history()
        .map(checkpoint -> checkpoint.id().fence())
        .collectList()
        .block(PATIENCE);
    assertThat(fences).hasSize(2);
    assertThat(fences.get(0)).isGreaterThan(fences.get(1));
  }

  @Test
  @DisplayName("E22 a thread whose answers a closing runner does not use is handed over")
  void closing() {
    GraphRunner closing =
        GraphRunner.builder(asking("editor")).checkpoints(store).build();
    closing.thread("t").stream(Update.NOTHING)
        .doOnNext(event -> {
          if (event instanceof QuestionAsked) {
            closing.thread("t").answer("editor", true, "ada").block(PATIENCE);
            closing.close(PATIENCE).subscribe();
            gate.tryEmitEmpty();
          }
        })
        .blockLast(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);

    GraphThread next = thread(asking("editor"));
    next.resume().blockLast(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.DONE);
    assertThat(log(next.state().block(PATIENCE))).contains("editor true");
  }

  @Test
  @DisplayName("E9 with one of two answers the one task runs, and only the other question is open")
  void oneOfTwo() {
    GraphThread thread = thread(asking("editor", "lawyer"));

    List<GraphEvent> events = answeredMeanwhile(thread, 2, "editor");

    assertThat(openIn(events)).containsExactly("lawyer");
    assertThat(
            new io.superstep.checkpoint.TaskNotes(thread.state().block(PATIENCE).notes()).tasks())
        .hasSize(3);
    assertThat(kinds(events)).filteredOn("TaskCompleted"::equals).hasSize(2);
    assertThat(status()).isEqualTo(ThreadStatus.WAITING);
    assertThat(RunResult.of(thread.resume(Resume.answer("lawyer", false)))
            .block(PATIENCE)
            .state()
            .get(LOG))
        .contains("slow", "editor true", "lawyer false");
  }

  @Test
  @DisplayName("E9 an answered question is not listed, also where its task still waits for another")
  void partOfATask() {
    Graph graph = graph()
        .node("slow", state -> slow())
        .node(
            "editor",
            (state, context) -> Mono.from(context.askAll(
                    Map.of("title", Question.text("Title?"), "ok", Question.yesNo("Ok?"))))
                .map(answers -> called("editor")))
        .edge(START, "slow")
        .edge(START, "editor")
        .edge("slow", END)
        .edge("editor", END)
        .build();

    List<GraphEvent> events = answeredMeanwhile(thread(graph), 2, "ok");

    assertThat(openIn(events)).containsExactly("title");
    assertThat(kinds(events)).filteredOn("StepStarted"::equals).hasSize(1);
  }

  @Test
  @DisplayName(
      "E14 an answer to a question inside a subgraph is used, and no pause is lifted by it")
  void inside() {
    Graph asks = graph()
        .node("editor", (state, context) -> asked(context, "ok"))
        .sequence(START, "editor", END)
        .build();
    Graph pauses = graph()
        .compute("look", state -> called("look"))
        .interruptBefore("look")
        .sequence(START, "look", END)
        .build();
    Graph graph = graph()
        .subgraph("asks", asks)
        .subgraph("pauses", pauses)
        .node("slow", state -> slow())
        .edge(START, "asks")
        .edge(START, "pauses")
        .edge(START, "slow")
        .edge("asks", END)
        .edge("pauses", END)
        .edge("slow", END)
        .build();
    GraphThread thread = thread(graph);

    List<GraphEvent> events = answeredMeanwhile(thread, 1, "ok");

    assertThat(openIn(events)).isEmpty();
    assertThat(calls().keySet()).containsOnly("slow");
    RunResult result = RunResult.of(thread.resume()).block(PATIENCE);
    assertThat(result.isCompleted()).isTrue();
    assertThat(result.state().get(LOG)).containsExactlyInAnyOrder("slow", "look", "editor true");
  }

  @Test
  @DisplayName("E9 one question after the other is answered within one run")
  void severalRounds() {
    Graph graph = graph()
        .node("slow", state -> slow())
        .node(
            "editor",
            (state, context) -> Mono.from(context.ask("first", Question.yesNo("First?")))
                .flatMap(yes -> asked(context, "second")))
        .edge(START, "slow")
        .edge(START, "editor")
        .edge("slow", END)
        .edge("editor", END)
        .build();
    GraphThread thread = thread(graph);

    List<GraphEvent> events = thread.stream(Update.NOTHING)
        .doOnNext(event -> {
          if (event instanceof QuestionAsked asked) {
            thread.answer(asked.question().key(), true, "ada").block(PATIENCE);
            gate.tryEmitEmpty();
          }
        })
        .collectList()
        .block(PATIENCE);

    assertThat(kinds(events)).last().isEqualTo("RunCompleted");
  }

  @Test
  @DisplayName("E22 a run that was asked to stop uses no answer, and lists no answered question")
  void stopping() {
    Stop stop = new Stop();
    GraphThread thread = thread(asking("editor"));

    List<GraphEvent> events = thread.stream(Update.NOTHING, RunOptions.NONE.stoppedBy(stop))
        .doOnNext(event -> {
          if (event instanceof QuestionAsked) {
            thread.answer("editor", true, "ada").block(PATIENCE);
            stop.request();
            gate.tryEmitEmpty();
          }
        })
        .collectList()
        .block(PATIENCE);

    assertThat(openIn(events)).isEmpty();
  }

  /** Has another run acquire the thread, just when a run has released it to use answers. */
  private final class Contended extends StoreAround {

    private final Function<GraphThread, Mono<Void>> work;
    private final AtomicBoolean isReleased = new AtomicBoolean();
    private GraphThread other;

    Contended(Function<GraphThread, Mono<Void>> work) {
      super(AnswerWhileBusyTests.this.store);
      this.work = work;
    }

    @Override
    public Publisher<Lease> acquire(String thread, String owner, Duration time) {
      return Flux.defer(() -> isReleased.compareAndSet(true, false)
          ? work.apply(other).thenMany(store.acquire(thread, owner, time))
          : store.acquire(thread, owner, time));
    }

    @Override
    public Publisher<Boolean> release(Lease lease, Release how) {
      return Flux.from(store.release(lease, how)).doOnNext(any -> isReleased.set(true));
    }
  }

  @Test
  @DisplayName("E9 a run that another one overtakes with the answers ends as interrupted")
  void overtaken() {
    Graph graph = asking("editor");
    Contended contended = new Contended(
        thread -> Mono.from(store.acquire("t", "other", Hold.LEASE)).then());

    List<GraphEvent> events = answeredMeanwhile(
        GraphRunner.builder(graph).checkpoints(contended).build().thread("t"), 1, "editor");

    assertThat(openIn(events)).isEmpty();
    assertThat(status()).isEqualTo(ThreadStatus.RUNNING);
    clock.pass(Hold.LEASE.plusSeconds(1));
    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
    assertThat(RunResult.of(thread(graph).resume()).block(PATIENCE).isCompleted())
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("E9 also with an event log, whether or not the other run has ended")
  void overtakenInTheLog(boolean hasEnded) {
    Graph graph = asking("editor");
    InMemoryEventLog log = InMemoryEventLog.builder().build();
    Sinks.Empty<Void> end = Sinks.empty();
    Contended contended = new Contended(other -> hasEnded
        ? RunResult.of(other.resume()).then()
        : other.start(Resume.GO_ON).then());
    contended.other = GraphRunner.builder(hasEnded ? graph : resuming(end))
        .checkpoints(store)
        .events(log)
        .build()
        .thread("t");
    GraphThread thread =
        GraphRunner.builder(graph).checkpoints(contended).events(log).build().thread("t");

    List<GraphEvent> events = answeredMeanwhile(thread, 1, "editor");
    end.tryEmitEmpty();

    assertThat(openIn(events)).isEmpty();
    List<GraphEvent> facts = thread
        .attach(0, Chunks.NONE)
        .takeUntil(RunCompleted.class::isInstance)
        .collectList()
        .block(PATIENCE);
    assertThat(facts).hasAtLeastOneElementOfType(GraphEvent.RunResumed.class);
    assertThat(facts).doesNotHaveAnyElementsOfTypes(RunInterrupted.class);
    long last = events.get(events.size() - 1).sequence();
    assertThat(facts.get((int) last)).isInstanceOf(GraphEvent.RunResumed.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("E9 a run that an edit overtakes is resumed behind the edit, with its answers")
  void editedMeanwhile(boolean isLogged) {
    Graph graph = asking("editor");
    InMemoryEventLog log = InMemoryEventLog.builder().build();
    AtomicBoolean isEdited = new AtomicBoolean();
    Contended contended = new Contended(other -> isEdited.compareAndSet(false, true)
        ? other.update(Update.append(LOG, "edited"), "bob", null).then()
        : Mono.empty());
    contended.other = runner(graph, store, isLogged ? log : null).thread("t");
    GraphThread thread = runner(graph, contended, isLogged ? log : null).thread("t");

    List<GraphEvent> events = answeredMeanwhile(thread, 1, "editor");

    assertThat(openIn(events)).isEmpty();
    // the detached run has no signal of its own without a log
    Flux.interval(Duration.ofMillis(1), Schedulers.boundedElastic())
        .takeUntil(any -> status() == ThreadStatus.DONE)
        .blockLast(PATIENCE);
    assertThat(log(thread.state().block(PATIENCE)))
        .containsExactlyInAnyOrder("slow", "edited", "editor true");
  }

  private static GraphRunner runner(Graph graph, CheckpointStore store, EventLog log) {
    GraphRunner.Builder builder = GraphRunner.builder(graph).checkpoints(store);
    return (log == null ? builder : builder.events(log)).build();
  }

  /** The graph of {@link #asking} with one question, of which the node ends when it is let. */
  private Graph resuming(Sinks.Empty<Void> end) {
    return graph()
        .node("slow", state -> slow())
        .node("editor", (state, context) -> end.asMono().then(asked(context, "editor")))
        .edge(START, "slow")
        .edge("slow", END)
        .edge(START, "editor")
        .edge("editor", END)
        .build();
  }

  @Test
  @DisplayName("E21 a run that ends with open questions takes one further store call, and no other")
  void storeCalls() {
    Graph plain =
        graph().compute("a", state -> called("a")).sequence(START, "a", END).build();
    Graph asks = graph()
        .node("editor", (state, context) -> asked(context, "ok"))
        .sequence(START, "editor", END)
        .build();

    assertThat(calls(plain)).isEqualTo(5); // acquire, load, the input, a step, release
    assertThat(calls(asks)).isEqualTo(6); // acquire, load, the input, the question, load, release
  }

  private int calls(Graph graph) {
    FaultyStore counting = new FaultyStore(
        InMemoryCheckpointStore.builder().clock(clock).build(), Fault.TWICE, Integer.MAX_VALUE);
    thread(graph, counting).run(Update.NOTHING).block(PATIENCE);
    return counting.calls();
  }

  private static GraphThread thread(Graph graph, CheckpointStore store) {
    return GraphRunner.builder(graph).checkpoints(store).build().thread("t");
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @DisplayName("X.23 killed at any store call of a run that is answered meanwhile, nothing is lost")
  void killedAnywhere(Durability mode) {
    RunOptions options = RunOptions.NONE.durability(mode);
    for (Fault fault : List.of(Fault.DIE_BEFORE, Fault.DIE_AFTER, Fault.TWICE, Fault.LATE)) {
      boolean struck = true;
      for (int at = 1; struck; at++) {
        String where = fault + " at call " + at;
        CheckpointStore memory =
            new EncodingStore(InMemoryCheckpointStore.builder().clock(clock).build());
        AtomicInteger slow = new AtomicInteger();
        Graph graph = graph()
            .blocking("slow", state -> {
              GraphThread thread = thread(Graphs.single("x", any -> Mono.empty()), memory);
              if (slow.getAndIncrement() == 0) {
                thread
                    .answer("editor", true, "ada")
                    .onErrorComplete() // it is not asked yet, or was answered before
                    .block(PATIENCE);
              }
              return Update.append(LOG, "slow");
            })
            .node("editor", (state, context) -> asked(context, "editor"))
            .edge(START, "editor")
            .edge(START, "slow")
            .edge("slow", END)
            .edge("editor", END)
            .build();
        FaultyStore faulty = new FaultyStore(memory, fault, at);
        Sinks.Empty<Void> ended = Sinks.empty();
        Disposable run = thread(graph, faulty).stream(Update.NOTHING, options)
            .doFinally(any -> ended.tryEmitEmpty())
            .subscribe();
        Mono.firstWithSignal(faulty.struck(), ended.asMono()).block(PATIENCE);
        if (fault == Fault.TWICE || fault == Fault.LATE) {
          ended.asMono().block(PATIENCE);
        }
        struck = faulty.calls() >= at;
        run.dispose();
        clock.pass(Hold.LEASE.plusSeconds(1));

        finish(thread(graph, memory));

        SavedThread saved = thread(graph, memory).state().block(PATIENCE);
        assertThat(saved.position().isFinished()).as(where).isTrue();
        assertThat(log(saved)).as(where).containsExactlyInAnyOrder("slow", "editor true");
        assertThat(thread(graph, memory)
                .history()
                .flatMapIterable(Checkpoint::credits)
                .flatMapIterable(Checkpoint.Credit::answers)
                .count()
                .block(PATIENCE))
            .as(where)
            .isEqualTo(1);
      }
    }
  }

  /** Runs a thread to its end, and answers its question, unless the node of a dead run does. */
  private static void finish(GraphThread thread) {
    SavedThread saved = thread.state().block(PATIENCE);
    RunResult result = RunResult.of(saved == null ? thread.stream(Update.NOTHING) : thread.resume())
        .block(PATIENCE);
    if (!result.isCompleted()) {
      thread
          .answer("editor", true, "ada")
          .onErrorComplete(AlreadyAnsweredException.class)
          .block(PATIENCE);
      RunResult.of(thread.resume()).block(PATIENCE);
    }
  }

  @Test
  @DisplayName("E20 a run that rests for want of demand takes the answers that came meanwhile")
  void whileResting() {
    gate.tryEmitEmpty();
    Graph graph = asking("editor", "lawyer");
    thread(graph).run(Update.NOTHING).block(PATIENCE);
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    GraphThread thread =
        GraphRunner.builder(graph).checkpoints(store).timer(timer).build().thread("t");

    StepVerifier.create(thread.resume(Resume.answer("editor", true)), 1)
        .expectNextMatches(GraphEvent.RunResumed.class::isInstance)
        .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3)))
        .then(() -> assertThat(status()).isEqualTo(ThreadStatus.WAITING)) // and not running
        .then(() -> thread.answer("lawyer", false, "bob").block(PATIENCE))
        .thenRequest(Long.MAX_VALUE)
        .thenConsumeWhile(event -> !(event instanceof GraphEvent.RunCompleted))
        .expectNextCount(1)
        .expectComplete()
        .verify(PATIENCE);

    assertThat(log(thread.state().block(PATIENCE)))
        .containsExactlyInAnyOrder("slow", "editor true", "lawyer false");
  }
}
