package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.OfTask;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskFailed;
import io.superstep.event.GraphEvent.TaskRetried;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodeAction;
import io.superstep.graph.NodePolicy;
import io.superstep.json.EventJson;
import io.superstep.message.Message;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.EncodingEventLog;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The executions of tasks in the events of a thread, and the clients that go by them. */
class ExecutionTests extends OnAThread {

  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  private static final String TEXT = "Hello";

  private final EventLog log = new EncodingEventLog(InMemoryEventLog.builder().build());
  private final List<GraphRunner> runners = new CopyOnWriteArrayList<>();

  /** How often the node was called that streams the text. */
  private final AtomicInteger spoken = new AtomicInteger();

  private GraphRunner runner(Graph graph) {
    return runner(graph, store);
  }

  private GraphRunner runner(Graph graph, CheckpointStore over) {
    GraphRunner runner =
        GraphRunner.builder(graph).checkpoints(over).events(log).clock(clock).build();
    runners.add(runner);
    return runner;
  }

  @AfterEach
  void close() {
    runners.forEach(runner -> runner.close(Duration.ofMillis(1)).blockLast(PATIENCE));
  }

  private static GraphBuilder graph() {
    return Graph.builder("chat").channels(MESSAGES);
  }

  private static Graph single(NodeAction action) {
    return graph().node("speak", action).sequence(START, "speak", END).build();
  }

  private static Graph around(Graph inner, NodePolicy policy) {
    return graph()
        .subgraph("outer", inner)
        .policy("outer", policy)
        .sequence(START, "outer", END)
        .build();
  }

  /** Streams the text, the first time no further than {@code first} lets it. */
  private Flux<NodeOutput> speaking(Flux<String> first) {
    Flux<String> pieces = spoken.getAndIncrement() == 0
        ? Flux.concat(Flux.just("Hel"), first)
        : Flux.just("Hel", "lo");
    return Flux.from(Tokens.from(pieces).into(MESSAGES, Message::ai));
  }

  private NodeAction breaking() {
    return state -> speaking(Flux.error(new IllegalStateException("broken")));
  }

  /** A client that shows the committed messages, and behind them the chunks that are streamed. */
  private static final class Client {

    private final EventJson json;
    private final ShownChunks shown = new ShownChunks();

    /** By message, all chunks as they came, as a client has them that knows message ids only. */
    private final Map<String, String> concatenated = new LinkedHashMap<>();

    /** The texts of the committed messages. */
    private final List<String> committed = new ArrayList<>();

    /** The most texts that it has shown at one time. */
    private int most;

    Client(Graph graph) {
      json = EventJson.of(graph);
    }

    void see(GraphEvent event) {
      String text = json.text(event);
      JsonNode read = JsonMapper.shared().readTree(text);
      shown.see(text);
      if (event instanceof TaskChunk) {
        concatenated.merge(
            read.get("message").stringValue(), read.get("content").stringValue(), String::concat);
      } else if (event instanceof StepCommitted && event.path().isEmpty()) {
        read.path("changes")
            .path("messages")
            .path("append")
            .forEach(message -> committed.add(message.path("content").stringValue()));
      }
      most = Math.max(most, texts().size());
    }

    /** The committed texts, and those that are being streamed. */
    List<String> texts() {
      return Stream.concat(committed.stream(), shown.texts().stream()).toList();
    }
  }

  /** Looks at all events with a client, and compares what it shows with the final state. */
  private static void assertShownOnce(Graph graph, List<GraphEvent> events, State state) {
    Client client = new Client(graph);
    for (GraphEvent event : events) {
      client.see(event);
      assertThat(client.texts()).allSatisfy(text -> assertThat(TEXT).startsWith(text));
    }

    assertThat(state.get(MESSAGES)).extracting(Message::content).containsExactly(TEXT);
    assertThat(client.texts()).containsExactly(TEXT);
    assertThat(client.most).isEqualTo(1);
    assertThat(client.concatenated).containsEntry(state.get(MESSAGES).get(0).id(), TEXT);
    assertThat(client.concatenated.values()).allSatisfy(text -> assertThat(TEXT).startsWith(text));
  }

  private static State state(GraphThread thread) {
    return thread.state().block(PATIENCE).position().state();
  }

  private static List<Execution> executions(List<GraphEvent> events, Class<? extends OfTask> kind) {
    return events.stream()
        .filter(kind::isInstance)
        .map(event -> kind.cast(event).execution())
        .toList();
  }

  @Test
  @DisplayName("E15 E19 all events of a task have its execution, also in a run without a thread")
  void withoutThread() {
    Graph graph = graph()
        .node("speak", breaking())
        .policy("speak", NodePolicy.retry(2))
        .sequence(START, "speak", END)
        .build();

    List<GraphEvent> events = events(GraphRunner.of(graph).stream(Update.NOTHING));

    Execution retried = new Execution(0, 2);
    assertThat(executions(events, TaskStarted.class)).containsExactly(Execution.FIRST);
    assertThat(executions(events, TaskRetried.class)).containsExactly(Execution.FIRST);
    assertThat(executions(events, TaskChunk.class))
        .containsExactly(Execution.FIRST, retried, retried);
    assertThat(executions(events, TaskUpdated.class)).containsExactly(retried);
    assertThat(executions(events, TaskCompleted.class)).containsExactly(retried);
    assertShownOnce(graph, events, ((RunCompleted) events.get(events.size() - 1)).state());
  }

  private Graph handled(NodePolicy policy) {
    return graph()
        .node("speak", breaking())
        .policy("speak", policy)
        .handler("speak", (state, failure) -> speaking(Flux.empty()))
        .sequence(START, "speak", END)
        .build();
  }

  @Test
  @DisplayName("E16 E19 the text of a handler is not joined to that of the failed attempt")
  void handler() {
    Graph graph = handled(NodePolicy.NONE);

    List<GraphEvent> events = events(GraphRunner.of(graph).stream(Update.NOTHING));

    Execution handler = new Execution(0, 2);
    assertThat(executions(events, TaskChunk.class))
        .containsExactly(Execution.FIRST, handler, handler);
    assertThat(events)
        .filteredOn(TaskChunk.class::isInstance)
        .extracting(event -> ((TaskChunk) event).index())
        .containsExactly(0, 0, 1);
    assertThat(executions(events, TaskUpdated.class)).containsExactly(handler);
    assertThat(executions(events, TaskCompleted.class)).containsExactly(handler);
    assertThat(executions(events, TaskRetried.class)).isEmpty();
    assertShownOnce(graph, events, ((RunCompleted) events.get(events.size() - 1)).state());
  }

  @Test
  @DisplayName("E16 E19 also on a thread, whose history counts the attempts of the node")
  void handlerOnAThread() {
    Graph graph = around(handled(NodePolicy.NONE), NodePolicy.NONE);
    GraphThread thread = runner(graph).thread("t");

    List<GraphEvent> events = events(thread.stream(Update.NOTHING));

    assertShownOnce(graph, events, state(thread));
    assertThat(state(thread).get(MESSAGES))
        .extracting(Message::id)
        .containsExactly("t/1-1/1/0/outer/1/0/speak/1-2-0");
    assertThat(thread.state().block(PATIENCE).checkpoint().credits())
        .extracting(Checkpoint.Credit::attempt)
        .containsExactly(1);
  }

  @Test
  @DisplayName("E16 E19 a handler that fails ends the task with its own execution")
  void failingHandler() {
    Graph graph = graph()
        .node("speak", state -> Mono.error(new IllegalStateException("broken")))
        .policy("speak", NodePolicy.retry(2))
        .handler("speak", (state, failure) -> Mono.error(new IllegalStateException("broken too")))
        .sequence(START, "speak", END)
        .build();
    List<GraphEvent> events = new ArrayList<>();

    assertThatExceptionOfType(NodeFailedException.class)
        .isThrownBy(() ->
            GraphRunner.of(graph).stream(Update.NOTHING).doOnNext(events::add).blockLast(PATIENCE))
        .satisfies(failed -> assertThat(failed.attempts()).isEqualTo(2));

    assertThat(executions(events, TaskFailed.class)).containsExactly(new Execution(0, 3));
  }

  @Test
  @DisplayName("E19 an undisturbed run names its messages after their tasks")
  void undisturbed() {
    Graph graph = single(state -> speaking(Flux.just("lo")));
    GraphThread thread = runner(graph).thread("t");

    List<GraphEvent> events = events(thread.stream(Update.NOTHING));

    assertThat(executions(events, OfTask.class)).containsOnly(new Execution(1, 1));
    assertThat(state(thread).get(MESSAGES))
        .extracting(Message::id)
        .containsExactly("t/1-1/1/0/speak-0");
    assertShownOnce(graph, events, state(thread));
  }

  @Test
  @DisplayName("E19 the tasks of a step share their first execution")
  void shared() {
    Graph graph = graph()
        .compute("a", state -> Update.NOTHING)
        .compute("b", state -> Update.NOTHING)
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .build();

    List<Execution> executions =
        executions(events(thread(graph).stream(Update.NOTHING)), OfTask.class);

    assertThat(executions).hasSize(4).allMatch(each -> each == executions.get(0));
  }

  @Nested
  class AfterATakeover {

    private final List<GraphEvent> followed = new CopyOnWriteArrayList<>();
    private final Sinks.Many<String> late = Sinks.many().unicast().onBackpressureBuffer();

    /** Starts a run, follows it, and returns when the first piece of the text was seen. */
    private Flux<GraphEvent> begun(GraphThread thread) {
      Sinks.Empty<Void> streamed = Sinks.empty();
      Flux<GraphEvent> follower = thread
          .attach(0, Chunks.SO_FAR)
          .doOnNext(followed::add)
          .doOnNext(event -> {
            if (event instanceof TaskChunk chunk && chunk.content().equals("Hel")) {
              streamed.tryEmitEmpty();
            }
          })
          .takeUntil(event -> event instanceof RunCompleted && event.path().isEmpty())
          .replay()
          .autoConnect(0);
      thread.start(Update.NOTHING).block(PATIENCE);
      streamed.asMono().block(PATIENCE);
      return follower;
    }

    private void assertTakenOver(Graph graph) {
      Flux<GraphEvent> follower = begun(runner(graph).thread("t"));
      GraphRunner second = runner(graph);
      clock.pass(Hold.LEASE.plusSeconds(1));

      second.recover().blockLast(PATIENCE);
      late.tryEmitNext("lo"); // the first runner is still at it
      follower.blockLast(PATIENCE);

      State state = state(second.thread("t"));
      List<Execution> chunks = executions(followed, TaskChunk.class);
      assertThat(chunks).hasSize(3).isSorted();
      assertThat(chunks.get(0)).isEqualTo(new Execution(1, 1));
      assertThat(chunks.get(2)).isGreaterThan(chunks.get(0)).isEqualTo(chunks.get(1));
      assertThat(state.get(MESSAGES).get(0).id())
          .endsWith("speak/" + chunks.get(2).fence() + "-1-0");
      assertShownOnce(graph, followed, state);
    }

    @Test
    @DisplayName("E15 E19 X.15 a text that another runner streams again is shown once")
    void takenOver() {
      assertTakenOver(single(state -> speaking(late.asFlux())));
    }

    @Test
    @DisplayName("E15 E19 X.15 a text in a nested graph that is streamed again is shown once")
    void takenOverInside() {
      assertTakenOver(around(single(state -> speaking(late.asFlux())), NodePolicy.NONE));
    }

    @Test
    @DisplayName("E15 E19 S2.7 an outcome that was recorded keeps the ids of its messages")
    void recorded() {
      Graph graph = graph()
          .node("quick", state -> Tokens.from(Flux.just("Hi")).into(MESSAGES, Message::ai))
          .node("speak", state -> speaking(late.asFlux()))
          .edge(START, "quick")
          .edge(START, "speak")
          .edge("quick", END)
          .edge("speak", END)
          .build();
      Flux<GraphEvent> follower = begun(runner(graph).thread("t"));
      awaitCompleted("quick");
      GraphRunner second = runner(graph);
      clock.pass(Hold.LEASE.plusSeconds(1));

      second.recover().blockLast(PATIENCE);
      follower.blockLast(PATIENCE);

      assertThat(state(second.thread("t")).get(MESSAGES))
          .extracting(Message::id)
          .startsWith("t/1-1/1/0/quick-0")
          .doesNotContain("t/1-1/1/1/speak-0");
      assertThat(followed)
          .filteredOn(
              event -> event instanceof TaskChunk chunk && chunk.content().equals("Hi"))
          .hasSize(1);
    }

    private void awaitCompleted(String node) {
      Flux.from(log.follow("t", 0, Chunks.NONE, Schemas.NONE))
          .takeUntil(event -> event instanceof TaskCompleted completed
              && completed.task().node().equals(node))
          .blockLast(PATIENCE);
    }
  }

  /** Streams the text in two steps, one of them in a nested graph. */
  private static Graph twice() {
    NodeAction streaming = state -> Tokens.from(Flux.just("Hel", "lo")).into(MESSAGES, Message::ai);
    return graph()
        .node("speak", streaming)
        .subgraph("outer", single(streaming))
        .sequence(START, "speak", "outer", END)
        .build();
  }

  static Stream<Arguments> deaths() {
    FaultyStore counting =
        new FaultyStore(InMemoryCheckpointStore.builder().build(), Fault.LATE, Integer.MAX_VALUE);
    GraphRunner.builder(twice())
        .checkpoints(counting)
        .build()
        .thread("t")
        .run(Update.NOTHING)
        .block(PATIENCE);
    return Stream.of(Fault.DIE_BEFORE, Fault.DIE_AFTER)
        .flatMap(
            fault -> IntStream.range(1, counting.calls()).mapToObj(at -> Arguments.of(fault, at)));
  }

  @ParameterizedTest
  @MethodSource("deaths")
  @DisplayName("E15 E19 X.15 dead at any call of the store, each text is shown once")
  void deadAtTheStore(Fault fault, int at) {
    Graph graph = twice();
    List<GraphEvent> followed = new CopyOnWriteArrayList<>();
    Flux<GraphEvent> follower = runner(graph)
        .thread("t")
        .attach(0, Chunks.SO_FAR)
        .doOnNext(followed::add)
        .takeUntil(event -> event instanceof RunCompleted && event.path().isEmpty())
        .replay()
        .autoConnect(0);
    FaultyStore dying = new FaultyStore(store, fault, at);
    // its run is cut off by the close of the runner, and has nobody to tell that it lost its lease
    Consumer<Throwable> dropped = lost -> assertThat(lost).hasMessageContaining("SG-401");
    runner(graph, dying)
        .thread("t")
        .start(Update.NOTHING)
        .onErrorComplete()
        .contextWrite(Context.of("reactor.onErrorDropped.local", dropped))
        .subscribe();
    dying.struck().block(PATIENCE);
    clock.pass(Hold.LEASE.plusSeconds(1));

    GraphRunner second = runner(graph);
    if (second.thread("t").state().blockOptional(PATIENCE).isEmpty()) {
      second.thread("t").start(Update.NOTHING).block(PATIENCE);
    } else {
      second.recover().blockLast(PATIENCE);
    }
    follower.blockLast(PATIENCE);

    Client client = new Client(graph);
    followed.forEach(client::see);
    List<Message> messages = state(second.thread("t")).get(MESSAGES);
    assertThat(messages).extracting(Message::content).containsExactly(TEXT, TEXT);
    assertThat(client.texts()).containsExactly(TEXT, TEXT);
    assertThat(client.concatenated.values()).allSatisfy(text -> assertThat(TEXT).startsWith(text));
    assertThat(client.most).isLessThanOrEqualTo(2);
  }

  @Test
  @DisplayName(
      "E15 E19 a text that is streamed again when a failed thread is resumed is shown once")
  void resumed() {
    Graph graph = single(breaking());
    GraphThread thread = runner(graph).thread("t");
    List<GraphEvent> events = new CopyOnWriteArrayList<>();

    thread.stream(Update.NOTHING).doOnNext(events::add).onErrorComplete().blockLast(PATIENCE);
    events.addAll(events(thread.resume()));

    assertThat(executions(events, TaskStarted.class))
        .containsExactly(new Execution(1, 1), new Execution(2, 1));
    assertThat(executions(logged(), TaskFailed.class)).containsExactly(new Execution(1, 1));
    assertShownOnce(graph, events, state(thread));
  }

  private List<GraphEvent> logged() {
    return Flux.from(log.read("t", 0, Schemas.NONE)).collectList().block(PATIENCE);
  }

  @Test
  @DisplayName("E15 E19 a text that is streamed again after an answer is shown once")
  void answered() {
    Graph graph = graph()
        .node(
            "speak",
            (state, context) -> speaking(Mono.from(context.ask("more", Question.yesNo("More?")))
                .map(yes -> "lo")
                .flux()))
        .sequence(START, "speak", END)
        .build();
    GraphThread thread = runner(graph).thread("t");

    List<GraphEvent> events = new ArrayList<>(events(thread.stream(Update.NOTHING)));
    RunInterrupted waiting = (RunInterrupted) events.get(events.size() - 1);
    events.addAll(events(thread.resume(Resume.answers(
        waiting.questions().stream().collect(Collectors.toMap(TaskNote.Asked::id, any -> true))))));

    assertThat(executions(events, TaskStarted.class))
        .containsExactly(new Execution(1, 1), new Execution(2, 1));
    assertShownOnce(graph, events, state(thread));
  }

  @Test
  @DisplayName("E15 E19 a text that is streamed again by a retry is shown once")
  void retried() {
    Graph graph = graph()
        .node("speak", breaking())
        .policy("speak", NodePolicy.retry(2))
        .sequence(START, "speak", END)
        .build();
    GraphThread thread = runner(graph).thread("t");

    List<GraphEvent> events = events(thread.stream(Update.NOTHING));

    assertThat(state(thread).get(MESSAGES))
        .extracting(Message::id)
        .containsExactly("t/1-1/1/0/speak/1-2-0");
    assertShownOnce(graph, events, state(thread));
  }

  @Test
  @DisplayName("E15 E19 a text that is streamed again as its whole graph is retried is shown once")
  void retriedAround() {
    Graph graph = around(single(breaking()), NodePolicy.retry(2));
    GraphThread thread = runner(graph).thread("t");

    List<GraphEvent> events = events(thread.stream(Update.NOTHING));

    Execution again = new Execution(1, List.of(2), 1);
    assertThat(executions(events, TaskChunk.class))
        .containsExactly(new Execution(1, 1), again, again);
    assertThat(state(thread).get(MESSAGES))
        .extracting(Message::id)
        .containsExactly("t/1-1/1/0/outer/1/0/speak/1-2.1-0");
    assertShownOnce(graph, events, state(thread));
  }

  @Test
  @DisplayName("E15 E19 the graph of a graph that is retried begins new executions too")
  void retriedAroundTwice() {
    Graph graph = around(around(single(breaking()), NodePolicy.retry(2)), NodePolicy.NONE);

    List<GraphEvent> events = events(thread(graph).stream(Update.NOTHING));

    Execution again = new Execution(1, List.of(1, 2), 1);
    assertThat(executions(events, TaskChunk.class))
        .containsExactly(new Execution(1, 1), again, again);
    assertShownOnce(graph, events, state(thread(graph)));
  }

  @Test
  @DisplayName("E19 each of several texts of a node has the id of its message")
  void severalTexts() {
    Graph graph = single(state -> Flux.just(
        new Chunk("a"),
        Update.append(MESSAGES, Message.ai("a")),
        Update.append(MESSAGES, Message.ai("own").withId("own")),
        new Chunk("b"),
        new Chunk(Message.ai("c").withId("c")),
        Update.append(MESSAGES, Message.ai("b"), Message.ai("c").withId("c")),
        new Chunk("d"),
        Update.append(MESSAGES, Message.ai("d")),
        new Chunk(3)));

    List<GraphEvent> events = events(GraphRunner.of(graph).stream(Update.NOTHING));

    RunCompleted end = (RunCompleted) events.get(events.size() - 1);
    Map<String, String> ids =
        end.state().get(MESSAGES).stream().collect(Collectors.toMap(Message::content, Message::id));
    assertThat(events)
        .filteredOn(TaskChunk.class::isInstance)
        .extracting(event -> ((TaskChunk) event).messageId().orElse(""))
        .containsExactly(ids.get("a"), ids.get("b"), "c", ids.get("d"), "");
  }

  @Test
  @DisplayName("E15 an outcome that an operator supplies has messages of its own")
  void supplied() {
    Graph graph = single(breaking());
    GraphThread thread = runner(graph).thread("t");
    thread.stream(Update.NOTHING).onErrorComplete().blockLast(PATIENCE);

    thread
        .resume(Resume.ended("speak", Update.append(MESSAGES, Message.ai("By hand."))))
        .blockLast(PATIENCE);

    assertThat(state(thread).get(MESSAGES))
        .extracting(Message::id)
        .containsExactly("t/1-1/1/0/speak/2-1-0");
  }
}
