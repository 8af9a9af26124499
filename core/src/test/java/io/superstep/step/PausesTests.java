package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.step.Counted.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Task;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.Send;
import io.superstep.state.Update;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PausesTests {

  private static GraphBuilder chain() {
    return nodes("a", "b", "c").sequence(START, "a", "b", "c", END);
  }

  @Test
  @DisplayName("X.1 resume continues at the saved frontier: a runs once, then b and c")
  void resumeContinuesAtTheFrontier() {
    Walk walk = Walk.open(chain().interruptBefore("b").build()).step();

    assertThat(walk.position().pause()).isEqualTo(new Pause(List.of("b"), List.of()));
    assertThat(walk.tasks()).isEmpty();
    assertThat(walk.position().isFinished()).isFalse();

    walk.at(walk.position().resumed()).toTheEnd();

    assertThat(walk.steps()).containsExactly(List.of("a"), List.of("b"), List.of("c"));
  }

  @Test
  void nothingCanBeCommittedWhilePaused() {
    Graph graph = chain().interruptBefore("b").build();
    Walk walk = Walk.open(graph).step();
    Task b = Superstep.plan(walk.position().resumed()).get(0);

    assertThatThrownBy(() ->
            Superstep.commit(graph, walk.position(), List.of(Outcome.completed(b, Update.NOTHING))))
        .isInstanceOf(InvalidStepException.class)
        .hasMessageContaining("The position is interrupted, and its plan is empty.");
  }

  @Test
  void aRunCanStopAfterANode() {
    Walk walk = Walk.open(chain().interruptAfter("b").build()).step();
    assertThat(walk.nodes()).containsExactly("b");

    walk.step();

    assertThat(walk.position().pause()).isEqualTo(new Pause(List.of(), List.of("b")));
    assertThat(walk.at(walk.position().resumed()).nodes()).containsExactly("c");
  }

  @Test
  void aRunCanStopBeforeItsFirstNodeAndBeforeASend() {
    Graph graph = nodes("plan", "worker")
        .edge(START, "plan")
        .fanOut("plan", to("worker"), state -> List.of(Send.to("worker"), Send.to("worker")))
        .edge("worker", END)
        .interruptBefore("plan", "worker")
        .build();
    Walk walk = Walk.open(graph);

    assertThat(walk.position().pause().before()).containsExactly("plan");
    walk.at(walk.position().resumed()).step();
    assertThat(walk.position().pause().before()).containsExactly("worker");
    assertThat(walk.at(walk.position().resumed()).nodes()).containsExactly("worker", "worker");
  }

  @Test
  void aDeferredNodeIsPausedBeforeWhenItsTurnComes() {
    Graph graph = nodes("a", "b", "report")
        .edge(START, "a")
        .edge(START, "report")
        .edge("a", "b")
        .edge("b", END)
        .edge("report", END)
        .defer("report")
        .interruptBefore("report")
        .build();
    Walk walk = Walk.open(graph);

    assertThat(walk.nodes()).containsExactly("a");
    assertThat(walk.step().nodes()).containsExactly("b");
    assertThat(walk.step().position().pause().before()).containsExactly("report");
  }
}
