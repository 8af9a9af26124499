package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodeContext;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.SubgraphUpdateException;
import io.superstep.testkit.EncodingStore;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Updates from outside while a subgraph has begun; each run has a runner of its own. */
class UpdatesInsideTests extends OnAThread {

  private static final Channel<@Nullable String> TOPIC = Channel.value("topic", String.class);
  private static final Channel<Integer> SUM = Channel.sum("sum", Integer.class);
  private static final Channel<Map<String, Integer>> MAP =
      Channel.map("map", String.class, Integer.class);
  private static final Channel<@Nullable String> ONCE =
      Channel.value("once", String.class).writeOnce();
  private static final Channel<Integer> LATEST =
      Channel.reduced("latest", Integer.class, 0, (old, fresh) -> fresh);

  private static final Channel<Integer> DIGITS =
      Channel.reduced("digits", Integer.class, 0, (old, fresh) -> 10 * old + fresh);

  @Override
  CheckpointStore around(InMemoryCheckpointStore memory) {
    return new EncodingStore(memory);
  }

  private static GraphBuilder graph() {
    return Graph.builder("sample").channels(LOG, TOPIC, SUM, MAP, ONCE, LATEST, DIGITS);
  }

  /** Pauses before its second node, which writes what it sees. */
  private static Graph inner(Update first) {
    return graph()
        .compute("a", state -> first)
        .compute(
            "b",
            state -> Update.append(LOG, "b sees " + state.get(LOG) + state.get(TOPIC))
                .and(SUM, 1000 * state.get(SUM)))
        .sequence(START, "a", "b", END)
        .interruptBefore("b")
        .build();
  }

  private static Graph around(Graph inner) {
    return graph()
        .subgraph("inner", inner)
        .compute("after", state -> Update.append(LOG, "after " + state.get(TOPIC)))
        .sequence(START, "inner", "after", END)
        .build();
  }

  private static Graph deep(Graph inner) {
    return around(graph().subgraph("deep", inner).sequence(START, "deep", END).build());
  }

  private SavedThread paused(Graph graph, Update input) {
    assertThat(thread(graph).run(input).block(PATIENCE).status())
        .isEqualTo(RunResult.Status.INTERRUPTED);
    return thread(graph).state().block(PATIENCE);
  }

  private void update(Graph graph, Update change) {
    thread(graph).update(change, "ada", "she knows").block(PATIENCE);
  }

  private RunResult resumed(Graph graph) {
    RunResult result = RunResult.of(thread(graph).resume()).block(PATIENCE);
    assertThat(result.isCompleted()).isTrue();
    return result;
  }

  private List<String> logAfter(Graph graph, Update input, Update change) {
    paused(graph, input);
    update(graph, change);
    return resumed(graph).state().get(LOG);
  }

  @Test
  @DisplayName("E13 E14 a node inside sees what was updated from outside at a pause inside")
  void nodesInsideSeeTheUpdate() {
    assertThat(logAfter(
            around(inner(Update.append(LOG, "a"))),
            Update.of(TOPIC, "tea"),
            Update.of(TOPIC, "coffee").and(SUM, 7)))
        .containsExactly("a", "b sees [a]coffee", "after coffee");
    assertThat(thread(around(inner(Update.NOTHING)))
            .state()
            .block(PATIENCE)
            .position()
            .state())
        .satisfies(state -> assertThat(state.get(SUM)).isEqualTo(7007));
  }

  @Test
  @DisplayName("E13 E14 an update from outside reaches nodes at any depth")
  void nodesDeepInsideSeeTheUpdate() {
    assertThat(logAfter(
            deep(inner(Update.of(TOPIC, "milk"))), Update.NOTHING, Update.of(TOPIC, "coffee")))
        .containsExactly("b sees []coffee", "after coffee");
  }

  @Test
  @DisplayName("E13 E14 an update from outside is later than what a subgraph has written")
  void theUpdateIsLater() {
    assertThat(logAfter(
            around(inner(Update.of(TOPIC, "milk"))),
            Update.of(TOPIC, "tea"),
            Update.of(TOPIC, "coffee")))
        .containsExactly("b sees []coffee", "after coffee");
  }

  @Test
  @DisplayName("E13 E14 additions from outside and inside are all kept, in the order of the end")
  void additionsAreKept() {
    assertThat(logAfter(
            around(inner(Update.append(LOG, "a").and(SUM, 2))),
            Update.append(LOG, "input"),
            Update.append(LOG, "ada").and(SUM, 3)))
        .containsExactly("input", "ada", "a", "b sees [input, ada, a]null", "after null");
    assertThat(thread(around(inner(Update.NOTHING)))
            .state()
            .block(PATIENCE)
            .position()
            .state())
        .satisfies(state -> assertThat(state.get(SUM)).isEqualTo(5005));
  }

  @Test
  @DisplayName("E13 E14 an overwrite from outside replaces what a subgraph has written")
  void overwritesFromOutside() {
    assertThat(logAfter(
            deep(inner(Update.append(LOG, "a"))),
            Update.append(LOG, "input"),
            Update.overwrite(LOG, List.of("ada"))))
        .containsExactly("ada", "b sees [ada]null", "after null");
  }

  @Test
  @DisplayName("E13 E14 an addition from outside follows an overwrite of a subgraph")
  void overwritesInside() {
    assertThat(logAfter(
            deep(inner(Update.overwrite(LOG, List.of("a")))),
            Update.append(LOG, "input"),
            Update.append(LOG, "ada")))
        .containsExactly("a", "ada", "b sees [a, ada]null", "after null");
  }

  @Test
  @DisplayName("E13 E14 of a map the entries of both are kept, and those from outside are later")
  void mapsInside() {
    Graph graph = around(inner(Update.of(MAP, Map.of("x", 1, "y", 1))));
    paused(graph, Update.NOTHING);
    update(graph, Update.of(MAP, Map.of("y", 2, "z", 2)));

    assertThat(thread(graph).state().block(PATIENCE).inside().values())
        .singleElement()
        .satisfies(inside ->
            assertThat(inside.state().get(MAP)).isEqualTo(Map.of("x", 1, "y", 2, "z", 2)));
    assertThat(resumed(graph).state().get(MAP)).isEqualTo(Map.of("x", 1, "y", 2, "z", 2));
  }

  @Test
  @DisplayName("E13 E14 two subgraphs of one step get an update from outside each")
  void severalSubgraphs() {
    Graph inner = inner(Update.append(LOG, "a"));
    Graph graph = graph()
        .subgraph("one", inner)
        .subgraph("two", inner)
        .sequence(START, "one", END)
        .sequence(START, "two", END)
        .build();

    assertThat(logAfter(graph, Update.NOTHING, Update.overwrite(LOG, List.of("ada"))))
        .containsExactly("ada", "b sees [ada]null", "b sees [ada]null");
  }

  @Test
  @DisplayName("E13 E14 several updates from outside see each other inside")
  void severalUpdates() {
    Graph graph = around(inner(Update.append(LOG, "a")));
    paused(graph, Update.NOTHING);
    thread(graph)
        .update(List.of(
            Amendment.of(Update.append(LOG, "ada").and(TOPIC, "tea"), "ada", null),
            Amendment.of(Update.of(TOPIC, "coffee"), "bob", null)))
        .blockLast(PATIENCE);

    assertThat(resumed(graph).state().get(LOG))
        .containsExactly("ada", "a", "b sees [ada, a]coffee", "after coffee");
  }

  private static Mono<Update> asking(NodeContext context, State state) {
    return Mono.from(context.ask("name", Question.of("Name?", String.class)))
        .map(name -> Update.append(LOG, name + " " + state.get(TOPIC)));
  }

  @Test
  @DisplayName("E13 E14 a node inside that asks sees an update from outside when it is answered")
  void questionsInside() {
    Graph inner = graph()
        .compute("a", state -> Update.append(LOG, "a"))
        .node("b", (state, context) -> asking(context, state))
        .sequence(START, "a", "b", END)
        .build();
    Graph graph = around(inner);
    paused(graph, Update.of(TOPIC, "tea"));
    update(graph, Update.of(TOPIC, "coffee"));

    assertThat(RunResult.of(thread(graph).resume(Resume.answer("name", "eve")))
            .block(PATIENCE)
            .state()
            .get(LOG))
        .containsExactly("a", "eve coffee", "after coffee");
  }

  @Test
  @DisplayName(
      "E13 E14 steps that a subgraph takes after an update from outside are stored behind it")
  void stepsAfterTheUpdate() {
    Graph inner = graph()
        .compute("a", state -> Update.append(LOG, "a"))
        .compute("b", state -> Update.append(LOG, "b " + state.get(TOPIC)))
        .compute("c", state -> Update.append(LOG, "c " + state.get(TOPIC)))
        .sequence(START, "a", "b", "c", END)
        .interruptBefore("b", "c")
        .build();
    Graph graph = around(inner);
    paused(graph, Update.of(TOPIC, "tea"));
    update(graph, Update.of(TOPIC, "coffee"));
    assertThat(RunResult.of(thread(graph).resume()).block(PATIENCE).isCompleted())
        .isFalse();

    assertThat(resumed(graph).state().get(LOG))
        .containsExactly("a", "b coffee", "c coffee", "after coffee");
  }

  private void assertRefused(Graph graph, Update change, String subgraph, String channel) {
    CheckpointId head = thread(graph).state().block(PATIENCE).checkpoint().id();

    assertThatExceptionOfType(SubgraphUpdateException.class)
        .isThrownBy(() -> update(graph, change))
        .satisfies(refused -> {
          assertThat(refused.code()).isEqualTo("SG-144");
          assertThat(refused.subgraph()).isEqualTo(subgraph);
          assertThat(refused.channels()).containsExactly(channel);
          assertThat(refused).hasMessageContaining(subgraph).hasMessageContaining(channel);
        });
    assertThat(thread(graph).state().block(PATIENCE).checkpoint().id()).isEqualTo(head);
  }

  private static Graph mapped(Graph inner) {
    return graph()
        .subgraph(
            "inner",
            inner,
            state -> Update.of(TOPIC, state.get(TOPIC)),
            state -> Update.of(MAP, Map.of("end", 1)))
        .compute("after", state -> Update.append(LOG, "after " + state.get(TOPIC)))
        .sequence(START, "inner", "after", END)
        .build();
  }

  @Test
  @DisplayName("E13 E14 a change of what was mapped into a subgraph that has begun is refused")
  void mappedSubgraphs() {
    Graph graph = mapped(inner(Update.append(LOG, "a")));
    paused(graph, Update.of(TOPIC, "tea"));

    assertRefused(graph, Update.of(TOPIC, "coffee"), "inner", "topic");

    update(graph, Update.append(LOG, "ada"));
    assertThat(resumed(graph).state().get(LOG)).containsExactly("ada", "after tea");
  }

  @Test
  @DisplayName("E13 E14 a change of what was mapped deep inside is refused with the path")
  void mappedDeepInside() {
    Graph graph = around(mapped(inner(Update.append(LOG, "a"))));
    paused(graph, Update.of(TOPIC, "tea"));
    // the outer subgraph has taken no step, but the mapped one inside has
    assertRefused(graph, Update.of(TOPIC, "coffee"), "inner/inner", "topic");
  }

  @Test
  @DisplayName("E13 E14 a mapping that fails for the changed state refuses the change")
  void failingMappings() {
    Graph graph = graph()
        .subgraph(
            "inner",
            inner(Update.append(LOG, "a")),
            state -> Update.append(LOG, "x".repeat(5 - state.get(SUM))),
            state -> Update.NOTHING)
        .sequence(START, "inner", END)
        .build();
    paused(graph, Update.NOTHING);

    assertRefused(graph, Update.of(SUM, 6), "inner", "sum");
  }

  @Test
  @DisplayName("E13 E14 another value of a channel that a subgraph has written once is refused")
  void writtenOnce() {
    Graph graph = deep(inner(Update.of(ONCE, "in")));
    paused(graph, Update.NOTHING);

    assertRefused(graph, Update.of(ONCE, "out"), "inner/deep", "once");
    assertThat(resumed(graph).state().get(ONCE)).isEqualTo("in");
  }

  @Test
  @DisplayName("E13 E14 a reducer that keeps the newest value keeps the one from outside")
  void newestWins() {
    Graph graph = around(inner(Update.of(LATEST, 1)));
    paused(graph, Update.NOTHING);
    update(graph, Update.of(LATEST, 2).and(LATEST, 3));

    assertThat(resumed(graph).state().get(LATEST)).isEqualTo(3);
  }

  @Test
  @DisplayName("E13 E14 where the order of a reducer cannot be kept, the change is refused")
  void orderThatCannotBeKept() {
    Graph graph = around(inner(Update.of(DIGITS, 1)));
    paused(graph, Update.NOTHING);

    assertRefused(graph, Update.of(DIGITS, 2), "inner", "digits");
    assertThat(resumed(graph).state().get(DIGITS)).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "E13 E14 a merge that changes shared channels of a subgraph that has begun is refused")
  void mergesInside() {
    Graph graph = around(inner(Update.append(LOG, "a")));
    CheckpointId first = paused(graph, Update.of(TOPIC, "tea")).checkpoint().id();
    update(graph, Update.append(LOG, "ours"));
    thread(graph).fork(first, Update.of(TOPIC, "coffee")).blockLast(PATIENCE);
    SavedThread theirs = thread(graph).state().block(PATIENCE);
    CheckpointId ours = thread(graph)
        .history()
        .filter(each -> "she knows".equals(each.cause().reason()))
        .blockFirst(PATIENCE)
        .id();

    assertThatExceptionOfType(SubgraphUpdateException.class)
        .isThrownBy(() -> thread(graph).merge(ours, "ada", null).block(PATIENCE))
        .satisfies(refused -> assertThat(refused.channels()).containsExactly("log"));
    assertThat(thread(graph).state().block(PATIENCE).checkpoint()).isEqualTo(theirs.checkpoint());
  }
}
