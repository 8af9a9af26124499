package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Retention;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.graph.Graph;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import io.superstep.testkit.StoreAround;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * An operator of the caller that throws a {@code LinkageError}, behind each public method that
 * returns a publisher: the caller receives the error.
 */
class HostileOperatorTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final RunOptions OPTIONS = RunOptions.NONE;
  private static final Update ONE = Update.of(COUNT, 1);
  private static final Resume ANSWER = Resume.answer("q", true);

  private static final Channel<Boolean> AWAITING =
      Channel.value("awaiting", Boolean.class).startingAt(false);
  private static final Channel<@Nullable Boolean> APPROVED =
      Channel.value("approved", Boolean.class);
  private static final Channel<@Nullable String> FEEDBACK = Channel.value("feedback", String.class);

  private static final Approvals APPROVALS = Approvals.before("gate")
      .awaiting(AWAITING)
      .approved(APPROVED)
      .feedback(FEEDBACK)
      .editable(COUNT)
      .build();

  private static final Graph ADDING =
      Graphs.single("add", state -> Mono.delay(Duration.ofMillis(1)).thenReturn(ONE));

  private static final Graph ASKING = graph()
      .node(
          "ask",
          (state, context) -> Mono.from(
                  context.ask("q", Question.yesNo("Really?").within(Duration.ofHours(1), false)))
              .thenReturn(ONE))
      .sequence(START, "ask", END)
      .build();

  private static final Graph GATED = graph()
      .channels(AWAITING, APPROVED, FEEDBACK)
      .compute("gate", state -> ONE)
      .sequence(START, "gate", END)
      .interruptBefore("gate")
      .build();

  /** One call per public method, by its signature. */
  private static final Map<String, Function<HostileOperatorTests, Publisher<?>>> CALLS =
      new LinkedHashMap<>();

  static {
    CALLS.put("GraphThread.stream(Update)", test -> test.added().stream(ONE));
    CALLS.put("GraphThread.stream(Update, RunOptions)", test -> test.added().stream(ONE, OPTIONS));
    CALLS.put("GraphThread.run(Update)", test -> test.added().run(ONE));
    CALLS.put("GraphThread.run(Update, RunOptions)", test -> test.added().run(ONE, OPTIONS));
    CALLS.put("GraphThread.resume()", test -> test.asked().resume());
    CALLS.put("GraphThread.resume(Resume)", test -> test.asked().resume(ANSWER));
    CALLS.put(
        "GraphThread.resume(Resume, RunOptions)", test -> test.asked().resume(ANSWER, OPTIONS));
    CALLS.put("GraphThread.start(Update)", test -> test.added().start(ONE));
    CALLS.put("GraphThread.start(Update, RunOptions)", test -> test.added().start(ONE, OPTIONS));
    CALLS.put("GraphThread.start(Resume)", test -> test.asked().start(ANSWER));
    CALLS.put("GraphThread.start(Resume, RunOptions)", test -> test.asked().start(ANSWER, OPTIONS));
    CALLS.put("GraphThread.attach(long)", test -> test.added().attach(0));
    CALLS.put("GraphThread.attach(long, Chunks)", test -> test.added().attach(0, Chunks.NONE));
    CALLS.put(
        "GraphThread.attachWithState(long, Chunks)",
        test -> test.added().attachWithState(0, Chunks.NONE));
    CALLS.put("GraphThread.stop()", test -> test.added().stop());
    CALLS.put("GraphThread.queue(Update, String)", test -> test.added().queue(ONE, "ada"));
    CALLS.put("GraphThread.queued()", test -> test.queued().queued());
    CALLS.put("GraphThread.questions()", test -> test.asked().questions());
    CALLS.put(
        "GraphThread.answer(String, Object, String)",
        test -> test.asked().answer("q", true, "ada"));
    CALLS.put(
        "GraphThread.fork(CheckpointId, Update)", test -> test.added().fork(test.first(), ONE));
    CALLS.put(
        "GraphThread.fork(CheckpointId, Update, String, String, RunOptions)",
        test -> test.added().fork(test.first(), ONE, "ada", null, OPTIONS));
    CALLS.put(
        "GraphThread.update(Update, String, String)",
        test -> test.added().update(ONE, "ada", null));
    CALLS.put(
        "GraphThread.update(List)",
        test -> test.added().update(List.of(Amendment.of(ONE, "ada", null))));
    CALLS.put(
        "GraphThread.updateAs(String, Update, String, String)",
        test -> test.added().updateAs("add", ONE, "ada", null));
    CALLS.put("GraphThread.merge(CheckpointId, String, String)", test -> {
      GraphThread thread = test.added();
      return thread.merge(test.forked(), "ada", null);
    });
    CALLS.put("GraphThread.merge(CheckpointId, Map, String, String)", test -> {
      GraphThread thread = test.added();
      return thread.merge(test.forked(), Map.of(), "ada", null);
    });
    CALLS.put(
        "GraphThread.copyTo(String, CheckpointId, String, String)",
        test -> test.added().copyTo("copy", test.first(), "ada", null));
    CALLS.put("GraphThread.state()", test -> test.added().state());
    CALLS.put("GraphThread.state(CheckpointId)", test -> test.added().state(test.first()));
    CALLS.put("GraphThread.history()", test -> test.added().history());
    CALLS.put(
        "GraphThread.history(HistoryFilter)", test -> test.added().history(HistoryFilter.ALL));
    CALLS.put(
        "GraphThread.diff(CheckpointId, CheckpointId)",
        test -> test.added().diff(test.first(), test.head()));
    CALLS.put("GraphThread.delete()", test -> test.added().delete());
    CALLS.put("GraphThread.prune(Retention)", test -> test.added().prune(Retention.last(1)));

    CALLS.put("GraphRunner.stream(Update)", test -> test.runner(ADDING).stream(ONE));
    CALLS.put(
        "GraphRunner.stream(Update, RunOptions)", test -> test.runner(ADDING).stream(ONE, OPTIONS));
    CALLS.put("GraphRunner.run(Update)", test -> test.runner(ADDING).run(ONE));
    CALLS.put("GraphRunner.run(Update, RunOptions)", test -> test.runner(ADDING).run(ONE, OPTIONS));
    CALLS.put(
        "GraphRunner.resume(Position)",
        test -> test.runner(ADDING).resume(test.added().state().block(PATIENCE).position()));
    CALLS.put(
        "GraphRunner.resume(Position, RunOptions)",
        test ->
            test.runner(ADDING).resume(test.added().state().block(PATIENCE).position(), OPTIONS));
    CALLS.put("GraphRunner.settleDue()", test -> {
      test.asked();
      test.clock = Clock.offset(test.clock, Duration.ofDays(1));
      return test.runner(ASKING).settleDue();
    });
    CALLS.put("GraphRunner.recover()", test -> {
      test.queued();
      return test.runner(ADDING).recover();
    });
    CALLS.put("GraphRunner.recover(Predicate)", test -> {
      test.queued();
      return test.runner(ADDING).recover(thread -> true);
    });
    CALLS.put("GraphRunner.close(Duration)", test -> {
      Sinks.Empty<Void> begun = Sinks.empty();
      GraphRunner runner = test.runner(Graphs.single(
          "wait", state -> Mono.<Update>never().doOnSubscribe(any -> begun.tryEmitEmpty())));
      runner.thread("t").start(Update.NOTHING).block(PATIENCE);
      begun.asMono().block(PATIENCE); // a run that has not begun its step stops in time
      return runner.close(Duration.ofMillis(1));
    });
    CALLS.put(
        "GraphRunner.runAll(Flux, int)", test -> test.runner(ADDING).runAll(Flux.just(ONE), 1));
    CALLS.put(
        "GraphRunner.runAll(Flux, int, RunOptions)",
        test -> test.runner(ADDING).runAll(Flux.just(ONE), 1, OPTIONS));

    CALLS.put("Approvals.request(GraphThread)", test -> APPROVALS.request(test.paused()));
    CALLS.put(
        "Approvals.approve(GraphThread, String, String)",
        test -> APPROVALS.approve(test.requested(), "ada", null));
    CALLS.put(
        "Approvals.reject(GraphThread, String, String)",
        test -> APPROVALS.reject(test.requested(), "ada", null));
    CALLS.put(
        "Approvals.edit(GraphThread, Map, String)",
        test -> APPROVALS.edit(test.requested(), Map.of("count", 2), "ada"));
    CALLS.put(
        "Approvals.canResume(GraphThread, int)", test -> APPROVALS.canResume(test.paused(), 3));
    CALLS.put("Approvals.view(GraphThread)", test -> APPROVALS.view(test.paused()));
  }

  private final InMemoryCheckpointStore store =
      InMemoryCheckpointStore.builder().build();
  private final EventLog log = new InMemoryEventLog();
  private final List<GraphRunner> runners = new ArrayList<>();
  private Clock clock = Clock.systemUTC();
  private boolean isAsynchronous;

  @AfterEach
  void close() {
    runners.forEach(runner -> runner.close(PATIENCE).blockLast(PATIENCE));
  }

  static Stream<Arguments> calls() {
    return CALLS.entrySet().stream()
        .flatMap(call -> Stream.of(false, true)
            .map(isAsynchronous -> Arguments.of(call.getKey(), isAsynchronous, call.getValue())));
  }

  @ParameterizedTest(name = "{0}, asynchronous: {1}")
  @MethodSource("calls")
  @DisplayName("Promise 11: an operator behind a public method throws: its caller gets the error")
  void operatorThrows(
      String name, boolean asynchronous, Function<HostileOperatorTests, Publisher<?>> call) {
    isAsynchronous = asynchronous;
    Error error = new LinkageError("broken");
    Publisher<?> publisher = call.apply(this);

    assertThatThrownBy(() -> Flux.from(publisher)
            .map(value -> {
              throw error;
            })
            .blockLast(PATIENCE))
        .as(name)
        .isSameAs(error);
  }

  @Test
  @DisplayName("Promise 11: the table of calls has each public method that returns a publisher")
  void isComplete() {
    List<String> methods = Stream.of(GraphThread.class, GraphRunner.class, Approvals.class)
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> Publisher.class.isAssignableFrom(method.getReturnType()))
        .map(HostileOperatorTests::signature)
        .toList();

    assertThat(CALLS.keySet()).containsExactlyInAnyOrderElementsOf(methods);
  }

  private static String signature(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(
            ", ", method.getDeclaringClass().getSimpleName() + "." + method.getName() + "(", ")"));
  }

  /** A runner whose store and log answer on the caller's JVM thread, or later on another one. */
  private GraphRunner runner(Graph graph) {
    GraphRunner runner = GraphRunner.builder(graph)
        .checkpoints(new StoreAround(store) {
          @Override
          protected <T> Publisher<T> around(Publisher<T> call) {
            return answered(call);
          }
        })
        .events(answering(log))
        .clock(clock)
        .build();
    runners.add(runner);
    return runner;
  }

  private <T> Publisher<T> answered(Publisher<T> call) {
    return isAsynchronous ? Mono.delay(Duration.ofMillis(1)).thenMany(call) : call;
  }

  private EventLog answering(EventLog given) {
    return (EventLog) Proxy.newProxyInstance(
        EventLog.class.getClassLoader(),
        new Class<?>[] {EventLog.class},
        (proxy, method, arguments) -> {
          Object result = method.invoke(given, arguments);
          return result instanceof Publisher<?> call ? answered(call) : result;
        });
  }

  private GraphRunner preparing(Graph graph) {
    return GraphRunner.builder(graph).checkpoints(store).events(log).build();
  }

  /** A thread that has completed a run. */
  private GraphThread added() {
    preparing(ADDING).thread("t").run(ONE).block(PATIENCE);
    return runner(ADDING).thread("t");
  }

  /** A thread that waits for an answer. */
  private GraphThread asked() {
    preparing(ASKING).thread("t").run(Update.NOTHING).block(PATIENCE);
    return runner(ASKING).thread("t");
  }

  /** A thread with an input that no run has taken. */
  private GraphThread queued() {
    QueuedInput input = new QueuedInput("input", ONE, "ada", Instant.EPOCH);
    store.enqueue("t", input, ADDING.schemas()).block(PATIENCE);
    return runner(ADDING).thread("t");
  }

  /** A thread that is paused before the node to approve. */
  private GraphThread paused() {
    preparing(GATED).thread("t").run(Update.NOTHING).block(PATIENCE);
    return runner(GATED).thread("t");
  }

  /** A thread that awaits a decision. */
  private GraphThread requested() {
    GraphThread thread = paused();
    APPROVALS.request(preparing(GATED).thread("t")).block(PATIENCE);
    return thread;
  }

  /** Begins another branch, and returns the last checkpoint of the one before. */
  private CheckpointId forked() {
    CheckpointId before = head();
    preparing(ADDING).thread("t").fork(first(), ONE).blockLast(PATIENCE);
    return before;
  }

  private CheckpointId first() {
    return preparing(ADDING).thread("t").history().blockLast(PATIENCE).id();
  }

  private CheckpointId head() {
    return preparing(ADDING).thread("t").history().blockFirst(PATIENCE).id();
  }
}
