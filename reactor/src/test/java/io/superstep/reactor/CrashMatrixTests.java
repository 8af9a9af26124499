package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.TASK;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.graph.CachePolicy;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodeContext;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.question.Question;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Lets a run go wrong at every single call of its store, goes on with a fresh runner, and compares
 * with a run that nothing happened to.
 */
class CrashMatrixTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** By the id of its task, every call of a node, in their order. */
  static final class Calls {

    private final ConcurrentLinkedQueue<String> tasks = new ConcurrentLinkedQueue<>();

    Update note(NodeContext context) {
      tasks.add(context.taskId());
      return Update.append(LOG, context.node()).and(COUNT, 1);
    }
  }

  /** A graph that is killed. */
  record Sample(String name, Function<Calls, GraphBuilder> builder) {

    Graph made(Calls calls) {
      return builder.apply(calls).build();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Sample> samples() {
    return List.of(
        new Sample(
            "chain",
            calls -> graph()
                .compute("a", (state, context) -> calls.note(context))
                .compute("b", (state, context) -> calls.note(context))
                .sequence(START, "a", "b", END)),
        new Sample(
            "fan out and join",
            calls -> graph()
                .compute("a", (state, context) -> calls.note(context))
                .compute("b", (state, context) -> calls.note(context))
                .compute("c", (state, context) -> calls.note(context))
                .compute("b2", (state, context) -> calls.note(context))
                .compute("join", (state, context) -> calls.note(context))
                .edge(START, "a")
                .edge(START, "b")
                .edge(START, "c")
                .edge("b", "b2")
                .join(all("a", "b2", "c"), "join")
                .edge("join", END)),
        new Sample(
            "sends",
            calls -> graph()
                .compute("plan", (state, context) -> calls.note(context))
                .compute(
                    "work", (state, context) -> calls.note(context).and(COUNT, state.get(TASK)))
                .compute("gather", (state, context) -> calls.note(context))
                .edge(START, "plan")
                .fanOut(
                    "plan",
                    to("work"),
                    state -> IntStream.range(1, 4)
                        .mapToObj(task -> Send.to("work", Update.of(TASK, task)))
                        .toList())
                .edge("work", "gather")
                .edge("gather", END)),
        new Sample(
            "loop",
            calls -> graph()
                .compute("tick", (state, context) -> calls.note(context))
                .compute("tock", (state, context) -> calls.note(context))
                .edge(START, "tick")
                .edge("tick", "tock")
                .route("tock", to("tick", END), state -> state.get(COUNT) < 6 ? "tick" : END)),
        new Sample(
            "retry",
            calls -> graph()
                .node(
                    "flaky",
                    (state, context) -> context.attempt() < 3
                        ? Mono.error(new IllegalStateException("attempt " + context.attempt()))
                        : Mono.just(calls.note(context)))
                .compute("beside", (state, context) -> calls.note(context))
                .policy("flaky", NodePolicy.retry(9))
                .edge(START, "flaky")
                .edge(START, "beside")
                .edge("flaky", END)
                .edge("beside", END)),
        new Sample(
            "handler",
            calls -> graph()
                .node("bad", (state, context) -> Mono.error(new IllegalStateException()))
                .handler("bad", (state, failure) -> Mono.just(Update.append(LOG, "handled")))
                .compute("beside", (state, context) -> calls.note(context))
                .compute("after", (state, context) -> calls.note(context))
                .edge(START, "bad")
                .edge(START, "beside")
                .edge("bad", "after")
                .edge("beside", END)
                .edge("after", END)),
        new Sample(
            "cache",
            calls -> graph()
                .compute("known", (state, context) -> calls.note(context))
                .policy("known", NodePolicy.NONE.cache(CachePolicy.by(state -> "always")))
                .compute("beside", (state, context) -> calls.note(context))
                .edge(START, "known")
                .edge(START, "beside")
                .route("known", to("known", END), state -> state.get(COUNT) < 5 ? "known" : END)
                .edge("beside", END)),
        new Sample(
            "limit",
            calls -> graph()
                .compute("plan", (state, context) -> calls.note(context))
                .compute("work", (state, context) -> calls.note(context))
                .policy("work", NodePolicy.NONE.concurrency(1))
                .edge(START, "plan")
                .fanOut(
                    "plan",
                    to("work"),
                    state -> List.of(Send.to("work"), Send.to("work"), Send.to("work")))
                .edge("work", END)),
        new Sample(
            "retry and handler",
            calls -> graph()
                .node("flaky", (state, context) -> Mono.error(new IllegalStateException("flaky")))
                .policy("flaky", NodePolicy.retry(2))
                .handler(
                    "flaky",
                    (state, failure) -> Mono.just(
                        Update.append(LOG, "handled " + failure.error().getMessage())))
                .compute("beside", (state, context) -> calls.note(context))
                .edge(START, "flaky")
                .edge(START, "beside")
                .edge("flaky", END)
                .edge("beside", END)),
        new Sample(
            "deferred",
            calls -> graph()
                .compute("a", (state, context) -> calls.note(context))
                .compute("b", (state, context) -> calls.note(context))
                .compute("last", (state, context) -> calls.note(context))
                .defer("last")
                .edge(START, "a")
                .edge(START, "last")
                .edge("a", "b")
                .edge("b", END)
                .edge("last", END)),
        new Sample(
            "hopping",
            calls -> graph()
                .blocking("a", (state, context) -> calls.note(context))
                .blocking("b", (state, context) -> calls.note(context))
                .blocking("after", (state, context) -> calls.note(context))
                .edge(START, "a")
                .edge(START, "b")
                .join(all("a", "b"), "after")
                .edge("after", END)),
        new Sample(
            "subgraph",
            calls -> graph()
                .compute("before", (state, context) -> calls.note(context))
                .subgraph("inner", inner(calls))
                .compute("after", (state, context) -> calls.note(context))
                .sequence(START, "before", "inner", "after", END)),
        new Sample(
            "mapped subgraph",
            calls -> graph()
                .subgraph(
                    "inner",
                    inner(calls),
                    state -> Update.append(LOG, "in"),
                    state -> Update.append(LOG, "out").and(COUNT, state.get(COUNT)))
                .sequence(START, "inner", END)),
        new Sample(
            "subgraphs beside each other, one in another",
            calls -> graph()
                .subgraph("left", inner(calls))
                .subgraph(
                    "right",
                    graph()
                        .blocking("first", (state, context) -> calls.note(context))
                        .subgraph("deep", inner(calls))
                        .sequence(START, "first", "deep", END)
                        .build())
                .compute("beside", (state, context) -> calls.note(context))
                .compute("after", (state, context) -> calls.note(context))
                .edge(START, "left")
                .edge(START, "right")
                .edge(START, "beside")
                .join(all("left", "right", "beside"), "after")
                .edge("after", END)));
  }

  /** Graphs that ask. */
  static List<Sample> asking() {
    return List.of(
        new Sample(
            "question",
            calls -> graph()
                .compute("before", (state, context) -> calls.note(context))
                .node("asker", (state, context) -> asked(calls, context, "ok"))
                .compute("after", (state, context) -> calls.note(context))
                .sequence(START, "before", "asker", "after", END)),
        new Sample(
            "questions beside each other, and one after the other",
            calls -> graph()
                .node("left", (state, context) -> asked(calls, context, "ok"))
                .node(
                    "right",
                    (state, context) -> Mono.from(context.ask("first", Question.yesNo("First?")))
                        .flatMap(yes -> asked(calls, context, "second")))
                .blocking("beside", (state, context) -> calls.note(context))
                .compute("after", (state, context) -> calls.note(context))
                .edge(START, "left")
                .edge(START, "right")
                .edge(START, "beside")
                .join(all("left", "right", "beside"), "after")
                .edge("after", END)),
        new Sample(
            "questions in sends and subgraphs, retried",
            calls -> graph()
                .compute("plan", (state, context) -> calls.note(context))
                .node("work", (state, context) -> asked(calls, context, "ok"))
                .subgraph(
                    "inner",
                    graph()
                        .compute("first", (state, context) -> calls.note(context))
                        .node(
                            "asker",
                            (state, context) -> context.attempt() < 2
                                ? Mono.error(new IllegalStateException("flaky"))
                                : asked(calls, context, "inside"))
                        .policy("asker", NodePolicy.retry(9))
                        .sequence(START, "first", "asker", END)
                        .build())
                .edge(START, "plan")
                .edge("plan", "inner")
                .fanOut("plan", to("work"), state -> List.of(Send.to("work"), Send.to("work")))
                .edge("work", END)
                .edge("inner", END)));
  }

  private static Mono<Update> asked(Calls calls, NodeContext context, String key) {
    return Mono.from(context.ask(key, Question.yesNo("Is it ok?"))).map(yes -> calls.note(context));
  }

  /** All of them. */
  static List<Sample> everything() {
    return Stream.concat(samples().stream(), asking().stream()).toList();
  }

  /** Goes on after {@code events} with an answer to all that is asked, until all is done. */
  private static Flux<GraphEvent> toTheEnd(GraphThread thread, Flux<GraphEvent> events) {
    AtomicReference<GraphEvent> last = new AtomicReference<>();
    return Flux.concat(
        events.doOnNext(last::set),
        Flux.defer(() -> last.get() instanceof RunInterrupted waiting
            ? toTheEnd(thread, thread.resume(Resume.answers(yes(waiting))))
            : Flux.empty()));
  }

  private static Map<String, Boolean> yes(RunInterrupted waiting) {
    return waiting.questions().stream().collect(Collectors.toMap(TaskNote.Asked::id, any -> true));
  }

  /** A step of two tasks, then a loop. */
  private static Graph inner(Calls calls) {
    return graph()
        .compute("a", (state, context) -> calls.note(context))
        .compute("b", (state, context) -> calls.note(context))
        .compute("c", (state, context) -> calls.note(context))
        .edge(START, "a")
        .edge(START, "b")
        .join(all("a", "b"), "c")
        .route("c", to("c", END), state -> state.get(COUNT) < 6 ? "c" : END)
        .build();
  }

  private final MovingClock clock = new MovingClock(Instant.EPOCH);

  private InMemoryCheckpointStore store() {
    return InMemoryCheckpointStore.builder().clock(clock).build();
  }

  private static GraphThread thread(Graph graph, CheckpointStore store) {
    return GraphRunner.builder(graph).checkpoints(store).build().thread("t");
  }

  /** A run to which nothing happens: what it comes to, and how many calls of the store it takes. */
  private record Undisturbed(State state, int calls) {}

  private Undisturbed undisturbed(Sample sample) {
    return undisturbed(sample, RunOptions.NONE);
  }

  private Undisturbed undisturbed(Sample sample, RunOptions options) {
    FaultyStore counting = new FaultyStore(store(), Fault.LATE, Integer.MAX_VALUE);
    GraphThread thread = thread(sample.made(new Calls()), counting);
    RunResult result =
        RunResult.of(toTheEnd(thread, thread.stream(Update.NOTHING, options))).block(PATIENCE);
    return new Undisturbed(result.state(), counting.calls());
  }

  /** Goes on, from the input if nothing was written, until all is done. */
  private static void finish(GraphThread thread) {
    SavedThread saved = thread.state().block(PATIENCE);
    Flux<GraphEvent> events = saved == null ? thread.stream(Update.NOTHING) : thread.resume();
    toTheEnd(thread, events).blockLast(PATIENCE);
  }

  /** All that the store has confirmed to be done. */
  private static final class Confirmed {

    private final Set<String> tasks = new HashSet<>();

    /** By the id of a task that is under way, how many steps were taken inside it. */
    private final Map<String, Integer> steps = new HashMap<>();

    Confirmed(GraphThread thread) {
      SavedThread saved = thread.state().block(PATIENCE);
      if (saved != null) {
        saved.notes().stream()
            .filter(note -> note instanceof TaskNote.Ended)
            .forEach(note -> tasks.add(note.task().id()));
        saved.inside().forEach((task, position) -> steps.put(task.id(), position.step()));
        thread
            .history()
            .doOnNext(checkpoint ->
                checkpoint.credits().forEach(credit -> tasks.add(credit.task().id())))
            .blockLast(PATIENCE);
      }
    }

    /** Whether the task, or one around it, has ended, or the step it belongs to was taken. */
    boolean has(String id) {
      return tasks.stream().anyMatch(task -> id.equals(task) || id.startsWith(task + "/"))
          || steps.entrySet().stream()
              .anyMatch(inside ->
                  id.startsWith(inside.getKey() + "/") && stepOf(id, inside) <= inside.getValue());
    }

    private static int stepOf(String id, Map.Entry<String, Integer> inside) {
      String rest = id.substring(inside.getKey().length() + 1);
      return Integer.parseInt(rest.substring(0, rest.indexOf('/')));
    }
  }

  /** A fresh runner comes to what was expected, and repeats nothing that was acknowledged. */
  private void assertGoesOn(
      Sample sample, CheckpointStore store, Undisturbed expected, String where) {
    Calls after = new Calls();
    GraphThread again = thread(sample.made(after), store);
    Confirmed done = new Confirmed(again);
    clock.pass(Hold.LEASE.plusSeconds(1));
    finish(again);

    assertThat(again.state().block(PATIENCE).position().state())
        .as(where)
        .isEqualTo(expected.state());
    assertThat(after.tasks).as(where).noneMatch(done::has);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("everything")
  @DisplayName("X.23 S3.18 killed at any call of the store, a thread loses and repeats nothing")
  void killedAnywhere(Sample sample) {
    Undisturbed expected = undisturbed(sample);
    for (Fault fault : List.of(Fault.DIE_BEFORE, Fault.DIE_AFTER)) {
      for (int at = 1; at <= expected.calls(); at++) {
        String where = fault + " at call " + at;
        InMemoryCheckpointStore store = store();
        FaultyStore dying = new FaultyStore(store, fault, at);
        Queue<GraphEvent> told = new ConcurrentLinkedQueue<>();
        GraphThread thread = thread(sample.made(new Calls()), dying);
        Disposable run =
            toTheEnd(thread, thread.stream(Update.NOTHING)).doOnNext(told::add).subscribe();
        dying.struck().block(PATIENCE);
        run.dispose();

        GraphThread left = thread(sample.made(new Calls()), store);
        assertThat(toldAsCompleted(told))
            .as("tasks that were told have been written: %s", where)
            .allMatch(new Confirmed(left)::has);
        assertThat(left.history(HistoryFilter.ALL.causedBy(Cause.Kind.STEP))
                .count()
                .block(PATIENCE))
            .as("steps that were told have been written: %s", where)
            .isGreaterThanOrEqualTo(told.stream()
                .filter(event ->
                    event instanceof GraphEvent.StepCommitted && event.path().isEmpty())
                .count());
        assertGoesOn(sample, store, expected, where);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("everything")
  @DisplayName("X.23 killed again at any call while it goes on, a thread loses and repeats nothing")
  void killedTwice(Sample sample) {
    Undisturbed expected = undisturbed(sample);
    for (int first = 3; first <= expected.calls(); first += 2) {
      boolean struck = true;
      for (int second = 1; struck; second++) {
        InMemoryCheckpointStore store = store();
        kill(sample, new FaultyStore(store, Fault.DIE_AFTER, first));
        clock.pass(Hold.LEASE.plusSeconds(1));
        struck = kill(sample, new FaultyStore(store, Fault.DIE_AFTER, second));
        if (struck) {
          assertGoesOn(sample, store, expected, "died at calls " + first + " and " + second);
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("everything")
  @DisplayName(
      "E21 killed anywhere while its store is behind, a thread repeats nothing that is safe")
  void killedWhileTheStoreIsBehind(Sample sample) {
    for (Durability mode : List.of(Durability.ASYNC, Durability.EXIT)) {
      RunOptions options = RunOptions.NONE.durability(mode);
      Undisturbed expected = undisturbed(sample, options);
      for (Fault fault : List.of(Fault.DIE_BEFORE, Fault.DIE_AFTER)) {
        for (int at = 1; at <= expected.calls(); at++) {
          String where = mode + " " + fault + " at call " + at;
          InMemoryCheckpointStore store = store();
          FaultyStore dying = new FaultyStore(store, fault, at);
          Queue<GraphEvent> told = new ConcurrentLinkedQueue<>();
          GraphThread thread = thread(sample.made(new Calls()), dying);
          Disposable run = toTheEnd(thread, thread.stream(Update.NOTHING, options))
              .doOnNext(told::add)
              .subscribe();
          boolean hasDied =
              dying.struck().thenReturn(true).timeout(PATIENCE).blockOptional().orElseThrow();
          run.dispose();

          assertThat(hasDied).isTrue();
          assertThat(thread(sample.made(new Calls()), store).history().count().block(PATIENCE))
              .as("checkpoints that were told have been written: %s", where)
              .isGreaterThanOrEqualTo(told.stream()
                  .filter(event -> event instanceof GraphEvent.CheckpointSaved)
                  .count());
          assertGoesOn(sample, store, expected, where);
        }
      }
    }
  }

  /** Goes on, or begins, until the store dies; says whether it did. */
  private static boolean kill(Sample sample, FaultyStore dying) {
    GraphThread thread = thread(sample.made(new Calls()), dying);
    Flux<GraphEvent> begun = thread
        .resume()
        .onErrorResume(UnknownThreadException.class, any -> thread.stream(Update.NOTHING));
    Mono<Boolean> survived = toTheEnd(thread, begun).then(Mono.just(false));
    return survived
        .mergeWith(dying.struck().thenReturn(true))
        .next()
        .blockOptional(PATIENCE)
        .orElseThrow();
  }

  /** Tasks of which a subscriber heard that they are done. */
  private static Set<String> toldAsCompleted(Queue<GraphEvent> told) {
    return told.stream()
        .filter(event -> event instanceof TaskCompleted)
        .map(event -> ((TaskCompleted) event).task().id())
        .collect(Collectors.toSet());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("samples")
  @DisplayName("E21 a save that fails at any call fails the run, and the thread goes on from there")
  void failedSaves(Sample sample) {
    Undisturbed expected = undisturbed(sample);
    for (Fault fault : List.of(Fault.FAIL_BEFORE, Fault.FAIL_AFTER, Fault.CONFLICT)) {
      for (int at = 1; at <= expected.calls(); at++) {
        String where = fault + " at call " + at;
        InMemoryCheckpointStore store = store();
        FaultyStore failing = new FaultyStore(store, fault, at);

        Throwable error = thread(sample.made(new Calls()), failing)
            .run(Update.NOTHING)
            .then(Mono.<Throwable>empty())
            .onErrorResume(failure -> Mono.just(Exceptions.unwrap(failure)))
            .block(PATIENCE);

        if (at == expected.calls()) {
          assertThat(error)
              .as("the lease could not be given back, and all was done")
              .isNull();
        } else {
          assertThat(error)
              .as(where)
              .isInstanceOf(
                  fault == Fault.CONFLICT
                      ? CheckpointConflictException.class
                      : TimeoutException.class);
        }
        assertGoesOn(sample, store, expected, where);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("asking")
  @DisplayName("E9 a call that fails while somebody asks or answers loses and repeats nothing")
  void failedWhileAsking(Sample sample) {
    Undisturbed expected = undisturbed(sample);
    for (Fault fault : List.of(Fault.FAIL_BEFORE, Fault.FAIL_AFTER, Fault.CONFLICT)) {
      for (int at = 1; at <= expected.calls(); at++) {
        InMemoryCheckpointStore store = store();
        GraphThread thread = thread(sample.made(new Calls()), new FaultyStore(store, fault, at));
        toTheEnd(thread, thread.stream(Update.NOTHING)).onErrorComplete().blockLast(PATIENCE);

        assertGoesOn(sample, store, expected, fault + " at call " + at);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("everything")
  @DisplayName("E21 calls that are done twice, or answered late, change nothing")
  void repeatedAndLateCalls(Sample sample) {
    Undisturbed expected = undisturbed(sample);
    for (Fault fault : List.of(Fault.TWICE, Fault.LATE)) {
      for (int at = 1; at <= expected.calls(); at++) {
        Calls calls = new Calls();
        GraphThread thread = thread(sample.made(calls), new FaultyStore(store(), fault, at));
        RunResult result =
            RunResult.of(toTheEnd(thread, thread.stream(Update.NOTHING))).block(PATIENCE);

        assertThat(result.state()).as(fault + " at call " + at).isEqualTo(expected.state());
        assertThat(calls.tasks).as(fault + " at call " + at).doesNotHaveDuplicates();
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("samples")
  @DisplayName("S2.9 a run that was told of an old head is refused, and the thread goes on")
  void staleReads(Sample sample) {
    Undisturbed expected = undisturbed(sample);
    for (int at = 4; at < expected.calls(); at++) {
      InMemoryCheckpointStore store = store();
      kill(sample, new FaultyStore(store, Fault.DIE_AFTER, at));
      clock.pass(Hold.LEASE.plusSeconds(1));
      GraphThread left = thread(sample.made(new Calls()), store);
      long before = left.history().count().block(PATIENCE);
      Throwable error = thread(sample.made(new Calls()), new FaultyStore(store, Fault.STALE, 2))
          .resume()
          .then(Mono.<Throwable>empty())
          .onErrorResume(Mono::just)
          .block(PATIENCE);

      if (before > 1) {
        assertThat(error).isInstanceOf(CheckpointConflictException.class);
        assertThat(left.history().count().block(PATIENCE)).isEqualTo(before);
      }
      clock.pass(Hold.LEASE.plusSeconds(1));
      finish(thread(sample.made(new Calls()), store));
      assertThat(thread(sample.made(new Calls()), store)
              .state()
              .block(PATIENCE)
              .position()
              .state())
          .isEqualTo(expected.state());
    }
  }
}
