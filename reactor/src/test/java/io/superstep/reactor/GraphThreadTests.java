package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.counting;
import static io.superstep.reactor.Graphs.graph;
import static io.superstep.reactor.Graphs.kinds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.NothingToRerunException;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.UnfinishedThreadException;
import io.superstep.checkpoint.UnknownCheckpointException;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.json.InvalidJsonException;
import io.superstep.message.Message;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.GraphChangedException;
import io.superstep.step.InvalidRouteException;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.EncodingStore;
import io.superstep.testkit.FaultyStore;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class GraphThreadTests extends OnAThread {

  @Test
  @DisplayName(
      "S3.17 every step is a checkpoint that names what changed, who did it and its parent")
  void everyStepIsACheckpoint() {
    GraphThread thread = thread(counting(2));

    RunResult result = thread.run(Update.append(LOG, "hello")).block(PATIENCE);

    assertThat(result.isCompleted()).isTrue();
    List<Checkpoint> history = thread.history().collectList().block(PATIENCE);
    assertThat(history)
        .extracting(checkpoint -> checkpoint.id().toString())
        .containsExactly("3-1", "2-1", "1-1");
    assertThat(history)
        .extracting(checkpoint -> checkpoint.cause().kind())
        .containsExactly(Cause.Kind.STEP, Cause.Kind.STEP, Cause.Kind.INPUT);
    assertThat(history.get(0).parent()).isEqualTo(history.get(1).id());
    assertThat(history.get(0).changes().effects()).containsOnlyKeys("count");
    assertThat(history.get(2).changes().effects()).containsOnlyKeys("log");
    assertThat(history.get(1).credits()).singleElement().satisfies(credit -> {
      assertThat(credit.task().id()).isEqualTo("t/1-1/1/0/tick");
      assertThat(credit.attempt()).isEqualTo(1);
    });
    assertThat(thread.state().block(PATIENCE).position().state()).isEqualTo(result.state());
  }

  @Test
  @DisplayName("E13 the state of any checkpoint can be read, and never changes")
  void statesOfThePast() {
    GraphThread thread = thread(counting(3));
    thread.run(Update.NOTHING).block(PATIENCE);

    List<Integer> counts = thread
        .history()
        .concatMap(checkpoint -> thread.state(checkpoint.id()))
        .map(saved -> saved.position().state().get(COUNT))
        .collectList()
        .block(PATIENCE);

    assertThat(counts).containsExactly(3, 2, 1, 0);
    assertThat(thread
            .history(HistoryFilter.ALL.limit(1).causedBy(Cause.Kind.INPUT))
            .blockFirst(PATIENCE)
            .id())
        .isEqualTo(CheckpointId.parse("1-1"));
  }

  @Test
  @DisplayName("E10 a thread goes on in its next turn with what the last one left")
  void turns() {
    GraphThread thread = thread(graph()
        .compute("say", state -> called("say"))
        .sequence(START, "say", END)
        .build());

    thread.run(Update.append(LOG, "one")).block(PATIENCE);
    RunResult result = thread.run(Update.append(LOG, "two")).block(PATIENCE);

    assertThat(result.state().get(LOG)).containsExactly("one", "say", "two", "say");
    assertThat(thread
            .history()
            .map(checkpoint -> checkpoint.id().toString())
            .collectList()
            .block(PATIENCE))
        .containsExactly("4-2", "3-2", "2-1", "1-1");
  }

  @Test
  @DisplayName("E8 S3.18 after a failure only what has no outcome runs again")
  void onlyWhatIsLeftRunsAgain() {
    Graph graph = graph()
        .compute("first", state -> called("first"))
        .compute("good", state -> called("good"))
        .compute("bad", state -> failing("bad"))
        .compute("after", state -> called("after"))
        .edge(START, "first")
        .edge("first", "good")
        .edge("first", "bad")
        .join(all("good", "bad"), "after")
        .edge("after", END)
        .build();

    assertThatExceptionOfType(NodeFailedException.class)
        .isThrownBy(() -> thread(graph).run(Update.NOTHING).block(PATIENCE))
        .withMessageContaining("bad");
    SavedThread failed = thread(graph).state().block(PATIENCE);
    assertThat(log(failed)).containsExactly("first");
    assertThat(failed.position().nodes()).containsExactly("good", "bad");
    assertThat(failed.notes())
        .extracting(note -> note.task().node() + " " + note.getClass().getSimpleName())
        .containsExactly("good Ended", "bad Failed");
    assertThat(((TaskNote.Failed) failed.notes().get(1)).error()).contains("broken");

    broken.set(false);
    List<GraphEvent> events = events(thread(graph).resume());

    assertThat(calls()).isEqualTo(Map.of("first", 1, "good", 1, "bad", 2, "after", 1));
    assertThat(log(thread(graph).state().block(PATIENCE)))
        .containsExactly("first", "good", "bad", "after");
    assertThat(events)
        .filteredOn(event -> event instanceof TaskStarted)
        .extracting(event -> ((TaskStarted) event).task().node())
        .containsExactly("bad", "after");
  }

  @Test
  @DisplayName("E8 a commit that is refused keeps all outcomes and leaves the thread readable")
  void refusedCommitsKeepOutcomes() {
    Graph graph = graph()
        .compute("left", state -> called("left"))
        .compute("right", state -> called("right"))
        .edge(START, "left")
        .edge(START, "right")
        .edge("right", END)
        .route("left", to("left", END), state -> {
          if (broken.get()) {
            throw new IllegalStateException("undecided");
          }
          return END;
        })
        .build();

    StepVerifier.create(thread(graph).run(Update.NOTHING)).verifyError(InvalidRouteException.class);
    assertThat(thread(graph).state().block(PATIENCE).notes())
        .filteredOn(TaskNote.Ended.class::isInstance)
        .hasSize(2);

    broken.set(false);
    thread(graph).resume().blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("left", 1, "right", 1));
    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("left", "right");
  }

  @Test
  @DisplayName("X.24 E16 what a handler said is kept like any other outcome")
  void handledOutcomesAreKept() {
    Graph graph = graph()
        .node("bad", state -> {
          called("bad");
          return Mono.error(new IllegalStateException("handled"));
        })
        .handler("bad", (state, failure) -> Mono.just(called("handler")))
        .node("worse", state -> Mono.fromCallable(() -> failing("worse")).hide())
        .edge(START, "bad")
        .edge(START, "worse")
        .edge("bad", END)
        .edge("worse", END)
        .build();

    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    broken.set(false);
    thread(graph).resume().blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("bad", 1, "handler", 1, "worse", 2));
    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("handler", "worse");
  }

  @Test
  @DisplayName("X.1 a run that was paused goes on at its frontier")
  void resumesAtTheFrontier() {
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .compute("b", state -> called("b"))
        .compute("c", state -> called("c"))
        .sequence(START, "a", "b", "c", END)
        .interruptBefore("b")
        .build();

    RunResult paused = thread(graph).run(Update.NOTHING).block(PATIENCE);
    assertThat(paused.status()).isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(kinds(events(thread(graph).resume())))
        .startsWith("RunResumed")
        .endsWith("RunCompleted");

    assertThat(calls()).isEqualTo(Map.of("a", 1, "b", 1, "c", 1));
    assertThat(events(thread(graph).resume()))
        .as("nothing is left")
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly("RunResumed", "RunCompleted");
  }

  @Test
  @DisplayName("X.25 a join waits for a sibling that was under way when its run ended")
  void joinsSurvive() {
    Sinks.Empty<Update> never = Sinks.empty();
    Graph graph = graph()
        .compute("fast", state -> called("fast"))
        .compute("slow", state -> called("slow"))
        .node("slower", state -> broken.get() ? never.asMono() : Mono.just(called("slower")))
        .compute("join", state -> called("join"))
        .edge(START, "fast")
        .edge(START, "slow")
        .edge("slow", "slower")
        .join(all("fast", "slower"), "join")
        .edge("join", END)
        .build();

    Disposable run = thread(graph).stream(Update.NOTHING).subscribe();
    run.dispose();
    broken.set(false);
    thread(graph).resume().blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("fast", 1, "slow", 1, "slower", 1, "join", 1));
  }

  @Test
  @DisplayName("X.14 E15 the attempts that a crash interrupted are used up")
  void attemptsSurvive() {
    AtomicInteger attempts = new AtomicInteger();
    Graph graph = graph()
        .node("flaky", (state, context) -> {
          attempts.incrementAndGet();
          called("attempt " + context.attempt());
          return context.attempt() == 2 && broken.get()
              ? Mono.never()
              : Mono.error(new IllegalStateException("flaky"));
        })
        .policy("flaky", NodePolicy.retry(3))
        .sequence(START, "flaky", END)
        .build();

    thread(graph).stream(Update.NOTHING).subscribe().dispose();
    assertThat(attempts).hasValue(2);
    broken.set(false);
    thread(graph).resume().onErrorComplete().blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("attempt 1", 1, "attempt 2", 1, "attempt 3", 1));
  }

  @Test
  @DisplayName("SG-306 a channel that the store cannot write is reported when the runner is built")
  void channelsThatCannotBeStored() {
    Graph graph = Graph.builder("g")
        .channels(Channel.value("client", InputStream.class))
        .compute("a", state -> Update.NOTHING)
        .sequence(START, "a", END)
        .build();
    GraphRunner.Builder serializing =
        GraphRunner.builder(graph).checkpoints(new EncodingStore(new InMemoryCheckpointStore()));

    assertThatExceptionOfType(InvalidJsonException.class)
        .isThrownBy(serializing::build)
        .withMessageContaining("SG-306  The type InputStream cannot be stored")
        .withMessageContaining("runtimeOnly()");
    assertThatCode(() -> GraphRunner.builder(graph)
            .checkpoints(new InMemoryCheckpointStore())
            .build())
        .doesNotThrowAnyException();
  }

  @Test
  @DisplayName("E11 a thread with work to do refuses another input, and nothing is written")
  void unfinishedThreadsRefuseInput() {
    Graph graph = graph()
        .compute("bad", state -> failing("bad"))
        .sequence(START, "bad", END)
        .build();
    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    assertThatExceptionOfType(UnfinishedThreadException.class)
        .isThrownBy(() -> thread(graph).run(Update.append(LOG, "more")).block(PATIENCE))
        .withMessageContaining(
            "SG-407  The thread has pending tasks [bad], and cannot take another")
        .withMessageContaining("thread.resume()")
        .withMessageContaining("thread.queue(...)")
        .withMessageContaining("discardUnfinished(true)")
        .satisfies(error -> assertThat(error.questions()).isEmpty());
    assertThat(thread(graph).history().count().block(PATIENCE)).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "S2.9 a thread has one run at a time, and is free when it ends, fails or is cancelled")
  void oneRunAtATime() {
    Graph graph = graph()
        .node("wait", state -> broken.get() ? Mono.never() : Mono.just(called("wait")))
        .sequence(START, "wait", END)
        .build();
    Disposable first = thread(graph).stream(Update.NOTHING).subscribe();

    assertThatExceptionOfType(ThreadBusyException.class)
        .isThrownBy(() -> thread(graph).resume().blockLast(PATIENCE));
    first.dispose();
    broken.set(false);
    assertThat(thread(graph).resume().blockLast(PATIENCE))
        .isInstanceOf(GraphEvent.RunCompleted.class);
  }

  @Test
  @DisplayName("S2.9 a run that lost its thread is refused, and its commit is never told")
  void lostThreads() {
    Sinks.One<Update> answer = Sinks.one();
    Graph graph = graph()
        .node("wait", state -> broken.get() ? answer.asMono() : Mono.just(called("other")))
        .sequence(START, "wait", END)
        .build();
    List<GraphEvent> told = new ArrayList<>();
    List<Throwable> errors = new ArrayList<>();
    thread(graph).stream(Update.NOTHING).subscribe(told::add, errors::add);

    clock.pass(Hold.LEASE.plusSeconds(1));
    broken.set(false);
    thread(graph).resume().blockLast(PATIENCE);
    answer.tryEmitValue(Update.append(LOG, "late"));

    assertThat(errors).singleElement().isInstanceOf(CheckpointConflictException.class);
    assertThat(told).noneMatch(event -> event instanceof StepCommitted);
    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("other");
  }

  @Test
  @DisplayName("E13 S3.21 a fork is a new branch; nothing of the old one is rewritten or run again")
  void forks() {
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .compute("b", state -> called("b"))
        .compute("c", state -> called("c"))
        .sequence(START, "a", "b", "c", END)
        .build();
    GraphThread thread = thread(graph);
    thread.run(Update.NOTHING).block(PATIENCE);
    List<Checkpoint> before = thread.history().collectList().block(PATIENCE);
    CheckpointId afterA = before.get(2).id();

    thread.fork(afterA, Update.append(LOG, "changed")).blockLast(PATIENCE);

    assertThat(log(thread.state().block(PATIENCE))).containsExactly("a", "changed", "b", "c");
    assertThat(log(thread.state(before.get(0).id()).block(PATIENCE)))
        .containsExactly("a", "b", "c");
    List<Checkpoint> after = thread.history().collectList().block(PATIENCE);
    assertThat(after.subList(3, after.size())).isEqualTo(before);
    assertThat(after.get(2).parent()).isEqualTo(afterA);
    assertThat(after.get(2).cause().kind()).isEqualTo(Cause.Kind.FORK);
    assertThat(calls()).isEqualTo(Map.of("a", 1, "b", 2, "c", 2));
    assertThatExceptionOfType(UnknownCheckpointException.class)
        .isThrownBy(() -> thread.fork(new CheckpointId(99, 1), Update.NOTHING).blockLast(PATIENCE));
  }

  @Test
  @DisplayName("E12 X.6 an update from outside is a checkpoint of its own with author and reason")
  void updatesFromOutside() {
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .compute("b", state -> called("b"))
        .sequence(START, "a", "b", END)
        .interruptBefore("b")
        .build();
    GraphThread thread = thread(graph);
    thread.run(Update.NOTHING).block(PATIENCE);
    SavedThread before = thread.state().block(PATIENCE);

    Checkpoint update =
        thread.update(Update.append(LOG, "edited"), "ada", "a typo").block(PATIENCE);

    assertThat(update.cause()).isEqualTo(Cause.update("ada", "a typo"));
    assertThat(update.parent()).isEqualTo(before.checkpoint().id());
    assertThat(thread.state(before.checkpoint().id()).block(PATIENCE).position())
        .isEqualTo(before.position());
    assertThat(thread.state().block(PATIENCE).position().nodes()).containsExactly("b");
    thread.resume().blockLast(PATIENCE);
    assertThat(log(thread.state().block(PATIENCE))).containsExactly("a", "edited", "b");
  }

  @Test
  @DisplayName("E12 an update may act as a node, whose edges decide what is due")
  void updatesAsANode() {
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .compute("b", state -> called("b"))
        .compute("c", state -> called("c"))
        .sequence(START, "a", "b", "c", END)
        .interruptBefore("b")
        .build();
    GraphThread thread = thread(graph);
    thread.run(Update.NOTHING).block(PATIENCE);

    thread.updateAs("b", Update.append(LOG, "by hand"), "ada", null).block(PATIENCE);
    thread.resume().blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("a", 1, "c", 1));
    assertThat(log(thread.state().block(PATIENCE))).containsExactly("a", "by hand", "c");
  }

  @Test
  @DisplayName("E12 a bad update is refused, and nothing is written")
  void badInputWritesNothing() {
    GraphThread thread = thread(counting(1));

    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> thread.run(Update.of("unknown", 1)).block(PATIENCE));
    assertThatExceptionOfType(UnknownThreadException.class)
        .isThrownBy(() -> thread.resume().blockLast(PATIENCE));
    assertThatExceptionOfType(UnknownThreadException.class)
        .isThrownBy(() -> thread.update(Update.NOTHING, "ada", null).block(PATIENCE));
    assertThat(thread.state().blockOptional(PATIENCE)).isEmpty();
    assertThat(thread.history().count().block(PATIENCE)).isZero();
  }

  @Test
  @DisplayName(
      "E25 another graph goes on where due nodes and channels are there, else says what is not")
  void changedGraphs() {
    Graph old = graph()
        .compute("a", state -> called("a"))
        .compute("b", state -> called("b"))
        .sequence(START, "a", "b", END)
        .interruptBefore("b")
        .build();
    thread(old).run(Update.NOTHING).block(PATIENCE);
    Graph without =
        graph().compute("a", state -> called("a")).sequence(START, "a", END).build();
    Channel<String> added = Channel.value("added", String.class).startingAt("new");
    Graph wider = Graph.builder("sample")
        .channels(added, LOG, COUNT, Graphs.TASK)
        .compute("b", state -> called("b").and(added, state.get(added) + "er"))
        .compute("a", state -> called("a"))
        .sequence(START, "a", "b", END)
        .build();

    assertThatExceptionOfType(GraphChangedException.class)
        .isThrownBy(() -> thread(without).resume().blockLast(PATIENCE))
        .withMessageContaining("b");
    RunResult result = RunResult.of(thread(wider).resume()).block(PATIENCE);

    assertThat(result.state().get(LOG)).containsExactly("a", "b");
    assertThat(result.state().get(added)).isEqualTo("newer");
    assertThat(thread(wider)
            .history()
            .map(Checkpoint::fingerprint)
            .distinct()
            .collectList()
            .block(PATIENCE))
        .containsExactly(wider.fingerprint(), old.fingerprint());
  }

  @Test
  @DisplayName("S2.37 folding the changes of a thread from its start gives the state of every step")
  void historyIsEnough() {
    ListChannel<Message> messages = Channel.messages("messages");
    Graph graph = Graph.builder("talk")
        .channels(messages, COUNT)
        .compute(
            "talk",
            state ->
                Update.append(messages, Message.ai("said " + state.get(COUNT))).and(COUNT, 1))
        .edge(START, "talk")
        .route("talk", to("talk", END), state -> state.get(COUNT) < 20 ? "talk" : END)
        .build();
    GraphThread thread = thread(graph);
    thread.run(Update.append(messages, Message.human("hello"))).block(PATIENCE);

    List<Checkpoint> oldestFirst = thread
        .history()
        .collectSortedList((one, other) -> one.id().compareTo(other.id()))
        .block(PATIENCE);
    var state = graph.schema().start();
    for (Checkpoint checkpoint : oldestFirst) {
      state = state.apply(checkpoint.changes());
      assertThat(state)
          .isEqualTo(thread.state(checkpoint.id()).block(PATIENCE).position().state());
    }
    assertThat(state.get(messages)).hasSize(21).allMatch(message -> message.id() != null);
  }

  @Test
  @DisplayName("E22 a run that was stopped goes on in another")
  void stoppedRunsGoOn() {
    Stop stop = new Stop();
    Graph graph = Graphs.stopping(stop);

    RunResult stopped =
        thread(graph).run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop)).block(PATIENCE);
    assertThat(stopped.status()).isEqualTo(RunResult.Status.STOPPED);
    RunResult ended = RunResult.of(thread(graph).resume()).block(PATIENCE);

    assertThat(ended.state().get(COUNT)).isEqualTo(5);
  }

  @Test
  @DisplayName("E8 outcomes can be forgotten, and their nodes run again, also after another crash")
  void outcomesCanBeForgotten() {
    Graph graph = graph()
        .compute("good", state -> {
          Update update = called("good");
          if (calls().get("good") == 2) {
            throw new IllegalStateException("not so good");
          }
          return update;
        })
        .compute("other", state -> called("other"))
        .compute("bad", state -> failing("bad"))
        .edge(START, "good")
        .edge(START, "other")
        .edge(START, "bad")
        .edge("good", END)
        .edge("other", END)
        .edge("bad", END)
        .build();
    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    assertThatExceptionOfType(NothingToRerunException.class)
        .isThrownBy(() -> thread(graph).resume(Resume.rerun("bad")).blockLast(PATIENCE))
        .withMessageContaining("SG-408");
    thread(graph).resume(Resume.rerun("good")).onErrorComplete().blockLast(PATIENCE);
    assertThat(calls()).containsEntry("good", 2).containsEntry("other", 1);
    broken.set(false);
    thread(graph).resume().blockLast(PATIENCE);

    assertThat(calls()).containsEntry("good", 3).containsEntry("other", 1);
    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("good", "other", "bad");
  }

  @Test
  @DisplayName("E11 unfinished work can be given up for another input, which is written down")
  void unfinishedWorkCanBeGivenUp() {
    Graph graph = graph()
        .compute("bad", state -> failing("bad"))
        .sequence(START, "bad", END)
        .build();
    thread(graph).run(Update.append(LOG, "one")).onErrorComplete().block(PATIENCE);
    broken.set(false);

    thread(graph)
        .run(Update.append(LOG, "two"), RunOptions.NONE.discardUnfinished(true))
        .block(PATIENCE);

    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("one", "two", "bad");
    assertThat(thread(graph)
            .history(HistoryFilter.ALL.causedBy(Cause.Kind.INPUT))
            .map(checkpoint -> String.valueOf(checkpoint.cause().reason()))
            .collectList()
            .block(PATIENCE))
        .containsExactly("gave up [bad]", "null");
  }

  @Test
  @DisplayName("S2.36 the difference between any two checkpoints can be told")
  void differences() {
    GraphThread thread = thread(counting(3));
    thread.run(Update.append(LOG, "hello")).block(PATIENCE);

    Map<String, State.Difference> forth =
        thread.diff(CheckpointId.parse("2-1"), CheckpointId.parse("4-1")).block(PATIENCE);

    assertThat(forth).isEqualTo(Map.of("count", new State.Difference(1, 3)));
    assertThat(thread.diff(CheckpointId.parse("1-1"), CheckpointId.parse("1-1")).block(PATIENCE))
        .isEmpty();
    assertThatExceptionOfType(UnknownCheckpointException.class)
        .isThrownBy(() ->
            thread.diff(CheckpointId.parse("1-1"), CheckpointId.parse("9-9")).block(PATIENCE));
  }

  @Test
  @DisplayName("E12 what has ended stays so when somebody repairs the state of a failed step")
  void updatesKeepOutcomes() {
    Graph graph = graph()
        .compute("pay", state -> called("pay"))
        .compute("mail", state -> {
          called("mail");
          if (!state.get(LOG).contains("address")) {
            throw new IllegalStateException("no address");
          }
          return Update.append(LOG, "mail");
        })
        .edge(START, "pay")
        .edge(START, "mail")
        .edge("pay", END)
        .edge("mail", END)
        .build();
    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    thread(graph).update(Update.append(LOG, "address"), "ada", "was missing").block(PATIENCE);
    thread(graph).resume().blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("pay", 1, "mail", 2));
    assertThat(log(thread(graph).state().block(PATIENCE)))
        .containsExactly("address", "pay", "mail");
  }

  @Test
  @DisplayName("E8 an error that a reducer throws keeps the outcomes too")
  void errorsOfReducersKeepOutcomes() {
    Channel<Integer> strict = Channel.reduced("strict", Integer.class, 0, (current, update) -> {
      if (broken.get()) {
        throw new AssertionError("never");
      }
      return current + update;
    });
    Graph graph = Graph.builder("strict")
        .channels(strict, LOG)
        .compute("a", state -> called("a").and(strict, 1))
        .sequence(START, "a", END)
        .build();

    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    broken.set(false);
    thread(graph).resume().blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("a", 1));
  }

  @Test
  @DisplayName("E21 what lives as long as a run starts once in it, and once in the next")
  void runtimeChannelsStartOncePerRun() {
    AtomicInteger made = new AtomicInteger();
    Channel<Integer> client = Channel.value("client", Integer.class)
        .startingWith(made::incrementAndGet)
        .runtimeOnly();
    Graph graph = Graph.builder("clients")
        .channels(client, COUNT, LOG)
        .compute("tick", state -> Update.of(COUNT, 1))
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> state.get(COUNT) % 5 > 0 ? "tick" : END)
        .build();

    thread(graph).run(Update.NOTHING).block(PATIENCE);
    assertThat(made).hasValue(1);
    RunResult second = thread(graph).run(Update.NOTHING).block(PATIENCE);

    assertThat(second.state().get(client)).isEqualTo(2);
    assertThat(made).hasValue(2);
  }

  @Test
  @DisplayName("S2.9 a renewal that fails is tried again; one that is refused ends the run")
  void renewals() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    FaultyStore flaky = new FaultyStore(store, FaultyStore.Fault.FAIL_BEFORE, 4);
    Graph graph =
        graph().node("wait", state -> Mono.never()).sequence(START, "wait", END).build();
    List<Throwable> errors = new ArrayList<>();
    GraphRunner.builder(graph).checkpoints(flaky).timer(time).build().thread("t").stream(
            Update.NOTHING)
        .subscribe(event -> {}, errors::add);
    assertThat(flaky.calls()).as("lease, load, input").isEqualTo(3);

    time.advanceTimeBy(Duration.ofSeconds(25));
    assertThat(flaky.calls()).isEqualTo(5);
    assertThat(errors).isEmpty();
    clock.pass(Hold.LEASE.plusSeconds(1));
    Mono.from(store.acquire("t", "other", Hold.LEASE)).block(PATIENCE);
    time.advanceTimeBy(Duration.ofSeconds(10));

    assertThat(errors).singleElement().isInstanceOf(CheckpointConflictException.class);
  }

  @Test
  @DisplayName("S2.29 a limit of revisions holds across runs: the next one takes the declared exit")
  void revisionsAreLimited() {
    Graph graph = graph()
        .compute("draft", state -> called("draft"))
        .compute("revise", state -> called("revise"))
        .compute("giveUp", state -> called("giveUp"))
        .maxVisits("revise", 3, "giveUp")
        .edge(START, "draft")
        .edge("draft", "revise")
        .edge("revise", "revise")
        .edge("giveUp", END)
        .interruptBefore("revise")
        .build();
    RunResult result = thread(graph).run(Update.NOTHING).block(PATIENCE);

    for (int asked = 1; asked <= 3; asked++) {
      assertThat(result.status()).isEqualTo(RunResult.Status.INTERRUPTED);
      result = RunResult.of(thread(graph).resume()).block(PATIENCE);
    }

    assertThat(result.isCompleted()).isTrue();
    assertThat(calls()).isEqualTo(Map.of("draft", 1, "revise", 3, "giveUp", 1));
  }
}
