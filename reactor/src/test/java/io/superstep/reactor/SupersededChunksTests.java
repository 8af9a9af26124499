package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.graph.ContextualAction;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodePolicy;
import io.superstep.json.EventJson;
import io.superstep.message.Message;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingEventLog;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.JsonStateFold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The rules of docs/events.md by which a client discards chunks, in nested graphs. */
class SupersededChunksTests extends OnAThread {

  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");

  /** The two halves of the text of each node, in the order in which the nodes run. */
  private static final Map<String, List<String>> TEXTS = Map.of(
      "intro", List.of("In", "tro "),
      "first", List.of("Al", "pha "),
      "second", List.of("Gam", "ma"));

  private static final String WHOLE = "Intro Alpha Gamma";

  private final EventLog log = new EncodingEventLog(InMemoryEventLog.builder().build());
  private final List<GraphRunner> runners = new CopyOnWriteArrayList<>();
  private final List<GraphEvent> followed = new CopyOnWriteArrayList<>();

  private GraphRunner runner(Graph graph, CheckpointStore over) {
    GraphRunner runner =
        GraphRunner.builder(graph).checkpoints(over).events(log).clock(clock).build();
    runners.add(runner);
    return runner;
  }

  private GraphThread logged(Graph graph) {
    return runner(graph, store).thread("t");
  }

  @AfterEach
  void close() {
    runners.forEach(runner -> runner.close(Duration.ofMillis(1)).blockLast(PATIENCE));
  }

  private static GraphBuilder graph() {
    return Graph.builder("chat").channels(MESSAGES);
  }

  /** Streams the text of {@code node}. */
  private ContextualAction streaming(String node) {
    return streaming(node, Flux.empty());
  }

  /** Streams the text of {@code node}; the first call ends after one half with {@code first}. */
  private ContextualAction streaming(String node, Publisher<String> first) {
    return (state, context) -> {
      called(node);
      return output(node, calls().get(node) == 1 ? first : Flux.empty());
    };
  }

  private static Flux<NodeOutput> output(String node, Publisher<String> between) {
    List<String> halves = TEXTS.get(node);
    return Flux.from(
        Tokens.from(Flux.concat(Flux.just(halves.get(0)), between, Flux.just(halves.get(1))))
            .into(MESSAGES, Message::ai));
  }

  private static Publisher<String> failure() {
    return Flux.error(new IllegalStateException("broken"));
  }

  /** A node at the top, and two in a nested graph. */
  private Graph sequence(ContextualAction second, NodePolicy policy) {
    Graph inner = graph()
        .node("first", streaming("first"))
        .node("second", second)
        .sequence(START, "first", "second", END)
        .build();
    return graph()
        .node("intro", streaming("intro"))
        .subgraph("outer", inner)
        .policy("outer", policy)
        .sequence(START, "intro", "outer", END)
        .build();
  }

  private Graph sequence(ContextualAction second) {
    return sequence(second, NodePolicy.NONE);
  }

  /** Follows the thread until the end of a run that completes it. */
  private Flux<GraphEvent> follower(Graph graph) {
    return logged(graph)
        .attach(0, Chunks.SO_FAR)
        .doOnNext(followed::add)
        .takeUntil(event -> event instanceof RunCompleted && event.path().isEmpty())
        .replay()
        .autoConnect(0);
  }

  private void awaitFact(Predicate<GraphEvent> test) {
    Flux.from(log.follow("t", 0, Chunks.SO_FAR, Schemas.NONE)).takeUntil(test).blockLast(PATIENCE);
  }

  private void awaitChunk(String content) {
    awaitFact(event -> event instanceof TaskChunk chunk && chunk.content().equals(content));
  }

  /** Ends the lease of a process that died, and resumes the thread in another one. */
  private void takeOver(Graph graph) {
    clock.pass(Hold.LEASE.plusSeconds(1));
    runner(graph, store).recover().blockLast(PATIENCE);
  }

  /** The texts that a client shows after each event: those of the state, and those streamed. */
  private static List<List<String>> screens(Graph graph, List<GraphEvent> events) {
    EventJson json = EventJson.of(graph);
    JsonStateFold committed = new JsonStateFold();
    ShownChunks shown = new ShownChunks();
    List<List<String>> screens = new ArrayList<>();
    for (GraphEvent event : events) {
      String text = json.text(event);
      committed.add(text);
      shown.see(text);
      screens.add(Stream.concat(
              committed
                  .state()
                  .path("messages")
                  .valueStream()
                  .map(message -> message.get("content").stringValue()),
              shown.texts().stream())
          .toList());
    }
    return screens;
  }

  /** At any time the client shows a beginning of the whole text, and the whole text in the end. */
  private void assertShownInOrder(Graph graph) {
    List<List<String>> screens = screens(graph, followed);
    assertThat(screens).allSatisfy(screen -> assertThat(WHOLE).startsWith(String.join("", screen)));
    assertThat(String.join("", screens.get(screens.size() - 1))).isEqualTo(WHOLE);
  }

  /** No text is shown beside another one of its node, and the whole text is shown in the end. */
  private void assertShownAtMostOnce(Graph graph) {
    List<List<String>> screens = screens(graph, followed);
    TEXTS
        .values()
        .forEach(halves -> assertThat(screens)
            .allSatisfy(screen -> assertThat(screen)
                .filteredOn(text -> text.startsWith(halves.get(0)))
                .hasSizeLessThan(2)));
    assertThat(String.join("", screens.get(screens.size() - 1))).isEqualTo(WHOLE);
  }

  /** A text of {@code node} that was complete stays, as the node ran once. */
  private void assertStays(Graph graph, String node) {
    String text = String.join("", TEXTS.get(node));
    List<List<String>> since = screens(graph, followed).stream()
        .dropWhile(screen -> !screen.contains(text))
        .toList();
    assertThat(calls()).containsEntry(node, 1);
    assertThat(since).isNotEmpty().allSatisfy(screen -> assertThat(screen).contains(text));
  }

  @Test
  @DisplayName("E14 E15 X.19 a takeover keeps the text of a nested step that was committed")
  void takenOver() {
    Graph graph = sequence(streaming("second", Flux.never()));
    Flux<GraphEvent> follower = follower(graph);
    logged(graph).start(Update.NOTHING).block(PATIENCE);
    awaitChunk("Gam");

    takeOver(graph);
    follower.blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("intro", 1, "first", 1, "second", 2));
    assertStays(graph, "first");
    assertShownInOrder(graph);
  }

  @Test
  @DisplayName("E14 E15 X.19 a takeover keeps the text of a nested task whose outcome is recorded")
  void takenOverBesideAnOutcome() {
    Graph inner = graph()
        .node("first", streaming("first"))
        .node("second", streaming("second", Flux.never()))
        .edge(START, "first")
        .edge(START, "second")
        .edge("first", END)
        .edge("second", END)
        .build();
    Graph graph = graph().subgraph("outer", inner).sequence(START, "outer", END).build();
    Flux<GraphEvent> follower = follower(graph);
    logged(graph).start(Update.NOTHING).block(PATIENCE);
    awaitChunk("Gam");
    awaitFact(event ->
        event instanceof TaskCompleted completed && completed.task().node().equals("first"));

    takeOver(graph);
    follower.blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("first", 1, "second", 2));
    assertStays(graph, "first");
    assertThat(screens(graph, followed))
        .allSatisfy(screen -> assertThat(screen).hasSizeLessThan(3));
  }

  @Test
  @DisplayName("E8 E15 X.19 a failed attempt of a nested graph is shown no longer")
  void retried() {
    Graph graph = sequence(streaming("second", failure()), NodePolicy.retry(2));
    Flux<GraphEvent> follower = follower(graph);

    logged(graph).start(Update.NOTHING).block(PATIENCE);
    follower.blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("intro", 1, "first", 2, "second", 2));
    assertShownInOrder(graph);
  }

  @Test
  @DisplayName("E8 E15 X.19 a nested graph that fails and is resumed keeps its committed text")
  void resumed() {
    Graph graph = sequence(streaming("second", failure()));
    Flux<GraphEvent> follower = follower(graph);
    logged(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    logged(graph).resume().blockLast(PATIENCE);
    follower.blockLast(PATIENCE);

    assertStays(graph, "first");
    assertShownInOrder(graph);
  }

  @Test
  @DisplayName("E8 E15 X.19 a nested graph that is run again discards the text of its later steps")
  void rerun() {
    Graph graph = sequence(streaming("second", failure()));
    Flux<GraphEvent> follower = follower(graph);
    logged(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    logged(graph).resume(Resume.rerun("outer")).blockLast(PATIENCE);
    follower.blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("intro", 1, "first", 2, "second", 2));
    assertShownInOrder(graph);
  }

  @Test
  @DisplayName("E8 E15 X.19 an answer to a question in a nested graph keeps its committed text")
  void answered() {
    Graph graph = sequence((state, context) -> {
      called("second");
      return output(
          "second", Mono.from(context.ask("more", Question.yesNo("More?"))).thenMany(Flux.empty()));
    });
    Flux<GraphEvent> follower = follower(graph);
    logged(graph).run(Update.NOTHING).block(PATIENCE);
    String question = logged(graph).questions().map(TaskNote.Asked::id).blockFirst(PATIENCE);

    logged(graph).resume(Resume.answers(Map.of(question, true))).blockLast(PATIENCE);
    follower.blockLast(PATIENCE);

    assertStays(graph, "first");
    assertShownInOrder(graph);
  }

  @Test
  @DisplayName("E12 X.19 an update of a thread discards the text of the tasks that it replaces")
  void updated() {
    Graph graph = sequence(streaming("second", failure()));
    Flux<GraphEvent> follower = follower(graph);
    logged(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    logged(graph).update(Update.NOTHING, "ada", null).block(PATIENCE);
    logged(graph).resume().blockLast(PATIENCE);
    follower.blockLast(PATIENCE);

    assertShownAtMostOnce(graph);
  }

  @Test
  @DisplayName("E12 X.19 an input that discards unfinished work discards its text")
  void discarded() {
    Graph graph = sequence(streaming("second", failure()));
    Flux<GraphEvent> follower = follower(graph);
    logged(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    logged(graph).run(Update.NOTHING, RunOptions.NONE.discardUnfinished(true)).block(PATIENCE);
    follower.blockLast(PATIENCE);

    List<String> screens =
        screens(graph, followed).stream().map(screen -> String.join("", screen)).toList();
    assertThat(screens)
        .allSatisfy(
            screen -> assertThat(WHOLE.startsWith(screen) || ("Intro " + WHOLE).startsWith(screen))
                .isTrue());
    assertThat(screens).last().isEqualTo("Intro " + WHOLE);
  }

  @Test
  @DisplayName("E8 E15 X.19 a nested graph that begins anew on another route discards its text")
  void rerouted() {
    Graph inner = graph()
        .node("first", streaming("first"))
        .node("second", streaming("second", failure()))
        .route(
            START,
            to("first", "second"),
            state -> calls().containsKey("second") ? "first" : "second")
        .edge("first", END)
        .edge("second", END)
        .build();
    Graph graph = graph().subgraph("outer", inner).sequence(START, "outer", END).build();
    Flux<GraphEvent> follower = follower(graph);
    logged(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    logged(graph).resume().blockLast(PATIENCE);
    follower.blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("first", 1, "second", 1));
    assertThat(screens(graph, followed))
        .doesNotContain(List.of("Gam", "Al"))
        .contains(List.of("Gam"), List.of("Al"))
        .last()
        .isEqualTo(List.of("Alpha "));
  }

  static Stream<Arguments> deaths() {
    return Stream.of(Durability.values())
        .flatMap(durability -> Stream.of(Fault.DIE_BEFORE, Fault.DIE_AFTER)
            .flatMap(fault ->
                IntStream.range(1, 10).mapToObj(at -> Arguments.of(durability, fault, at))));
  }

  @ParameterizedTest
  @MethodSource("deaths")
  @DisplayName("E15 E19 X.19 dead at any call of the store, each text is shown once and in order")
  void deadAtTheStore(Durability durability, Fault fault, int at) {
    Graph graph = sequence(streaming("second"));
    RunOptions options = RunOptions.NONE.durability(durability);
    Flux<GraphEvent> follower = follower(graph);
    FaultyStore dying = new FaultyStore(store, fault, at);
    GraphThread first = runner(graph, dying).thread("t");
    Mono.firstWithSignal(
            first.stream(Update.NOTHING, options).onErrorComplete().then(), dying.struck())
        .block(PATIENCE);

    clock.pass(Hold.LEASE.plusSeconds(1));
    GraphRunner second = runner(graph, store);
    if (second.thread("t").state().blockOptional(PATIENCE).isEmpty()) {
      second.thread("t").run(Update.NOTHING).block(PATIENCE);
    } else {
      second.recover().blockLast(PATIENCE);
    }
    follower.blockLast(PATIENCE);

    if (followed.stream().anyMatch(ThreadUpdated.class::isInstance)) {
      assertShownAtMostOnce(graph); // a step that had replaced its chunks was taken back
      return;
    }
    assertShownInOrder(graph);
    TEXTS.keySet().stream()
        .filter(node -> calls().get(node) == 1)
        .forEach(node -> assertStays(graph, node));
  }
}
