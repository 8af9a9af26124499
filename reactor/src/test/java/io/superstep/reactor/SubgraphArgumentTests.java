package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.TASK;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.error.SuperstepException;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.InvalidGraphException;
import io.superstep.graph.Send;
import io.superstep.state.Channel;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.EncodingStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Sends to a node that is a subgraph. */
class SubgraphArgumentTests extends OnAThread {

  @Override
  CheckpointStore around(InMemoryCheckpointStore memory) {
    return new EncodingStore(memory);
  }

  private static Update sees(String node, State state) {
    return Update.append(LOG, node + state.get(TASK));
  }

  private static GraphBuilder inner() {
    return graph()
        .compute("a", state -> sees("a", state))
        .compute("b", state -> sees("b", state))
        .sequence(START, "a", "b", END);
  }

  private static Graph sendingTo(Graph inner) {
    return graph()
        .compute("split", state -> Update.NOTHING)
        .subgraph("inner", inner)
        .compute("after", state -> sees("after", state))
        .edge(START, "split")
        .fanOut(
            "split",
            to("inner"),
            state -> List.of(Send.to("inner", TASK, 1), Send.to("inner", TASK, 2)))
        .sequence("inner", "after", END)
        .build();
  }

  private List<String> run(Graph graph) {
    return thread(graph).run(Update.NOTHING).block(PATIENCE).state().get(LOG);
  }

  @Test
  @DisplayName("E5 E14 the nodes of a subgraph see the arguments of the send to it, in all steps")
  void nodesSeeArguments() {
    assertThat(run(sendingTo(inner().build()))).containsExactly("a1", "b1", "a2", "b2", "after0");
    assertThat(
            thread(inner().build()).state().block(PATIENCE).position().state().get(TASK))
        .isEqualTo(0);
  }

  @Test
  @DisplayName("E5 E14 subgraphs of a subgraph and its routers see the arguments of the send to it")
  void routersAndDeepNodesSeeArguments() {
    Graph deep = inner()
        .compute("only1", state -> sees("only", state))
        .route(START, to("only1", END), state -> state.get(TASK) == 1 ? "only1" : END)
        .edge("only1", END)
        .build();

    assertThat(run(sendingTo(
            graph().subgraph("deep", deep).sequence(START, "deep", END).build())))
        .containsExactlyInAnyOrder("a1", "only1", "b1", "a2", "b2", "after0");
  }

  @Test
  @DisplayName(
      "E5 E14 arguments reach the nodes of a subgraph after a pause, from a serialized store")
  void argumentsSurviveAReload() {
    Graph graph = sendingTo(inner().interruptBefore("b").build());

    thread(graph).run(Update.NOTHING).block(PATIENCE);
    SavedThread saved = thread(graph).state().block(PATIENCE);
    RunResult end = RunResult.of(thread(graph).resume()).block(PATIENCE);

    assertThat(saved.inside().values())
        .hasSize(2)
        .allSatisfy(inside -> assertThat(inside.state().get(TASK)).isEqualTo(0));
    assertThat(end.state().get(LOG)).containsExactly("a1", "b1", "a2", "b2", "after0");
  }

  @Test
  @DisplayName("E5 E14 a store in memory does not keep arguments in the state of a subgraph")
  void argumentsAreNotKept() {
    Graph graph = sendingTo(inner().interruptBefore("b").build());
    GraphThread thread = GraphRunner.builder(graph)
        .checkpoints(new InMemoryCheckpointStore())
        .build()
        .thread("t");

    thread.run(Update.NOTHING).block(PATIENCE);

    assertThat(thread.state().block(PATIENCE).inside().values())
        .hasSize(2)
        .allSatisfy(inside -> assertThat(inside.state().get(TASK)).isEqualTo(0));
    assertThat(RunResult.of(thread.resume()).block(PATIENCE).state().get(LOG))
        .containsExactly("a1", "b1", "a2", "b2", "after0");
  }

  @Test
  @DisplayName("E5 E14 a send inside a subgraph has arguments of its own, for its task only")
  void sendsInside() {
    Graph inner = graph()
        .compute("a", state -> sees("a", state))
        .compute("b", state -> sees("b", state))
        .compute("c", state -> sees("c", state))
        .edge(START, "a")
        .fanOut("a", to("b"), state -> List.of(Send.to("b", TASK, 10 * state.get(TASK))))
        .sequence("b", "c", END)
        .build();

    assertThat(run(sendingTo(inner)))
        .containsExactly("a1", "b10", "c1", "a2", "b20", "c2", "after0");
  }

  @Test
  @DisplayName("E5 E14 a node of a subgraph that writes an argument is refused")
  void writingIsAnError() {
    Graph inner = graph()
        .compute("a", state -> Update.of(TASK, 9))
        .sequence(START, "a", END)
        .build();

    Throwable failed = thread(sendingTo(inner))
        .run(Update.NOTHING)
        .then(Mono.<Throwable>empty())
        .onErrorResume(Mono::just)
        .block(PATIENCE);

    assertThat(failed).isInstanceOf(NodeFailedException.class);
    assertThat(((SuperstepException) failed.getCause()).code()).isEqualTo("SG-217");
  }

  @ParameterizedTest
  @ValueSource(strings = {"type", "lifetime"})
  @DisplayName(
      "E5 E14 an argument of a subgraph that the graph around declares otherwise is a problem")
  void declaredOtherwise(String how) {
    Channel<@Nullable String> text = Channel.value("task", String.class);
    Channel<?> around = how.equals("type") ? text.argument() : Channel.value("task", Integer.class);

    assertThatExceptionOfType(InvalidGraphException.class)
        .isThrownBy(() -> Graph.builder("outer")
            .channels(COUNT, LOG, around)
            .subgraph("inner", inner().build())
            .sequence(START, "inner", END)
            .build())
        .satisfies(refused -> {
          assertThat(refused.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo("SG-111");
            assertThat(problem.what()).contains("'task'").contains("lifetime");
          });
        });
  }
}
