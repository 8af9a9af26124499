package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;
import static io.superstep.step.Counted.TASK;
import static io.superstep.step.Counted.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Position;
import io.superstep.error.Problem;
import io.superstep.graph.Graph;
import io.superstep.graph.Send;
import io.superstep.state.Update;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GraphChangesTests {

  @Test
  @DisplayName("E25 a run may go on with a changed graph while the due nodes still exist")
  void aChangedGraphWillDoWhileTheDueNodesExist() {
    Position atB =
        Walk.open(nodes("a", "b").sequence(START, "a", "b", END).build()).step().position();
    Graph changed = nodes("b", "c").sequence(START, "b", "c", END).build();

    assertThatNoException().isThrownBy(() -> Superstep.requireFits(changed, atB));
    assertThat(Walk.from(changed, atB).toTheEnd().steps())
        .containsExactly(List.of("b"), List.of("c"));
  }

  @Test
  @DisplayName("E25 a step cannot be committed to a graph that its node is gone from")
  void aStepOfAnOldGraphIsRefused() {
    Walk walk = Walk.open(nodes("a").sequence(START, "a", END).build());
    Outcome done = Outcome.completed(walk.tasks().get(0), Update.NOTHING);
    Graph changed = nodes("b").sequence(START, "b", END).build();

    GraphChangedException refused = catchThrowableOfType(
        GraphChangedException.class,
        () -> Superstep.commit(changed, walk.position(), List.of(done)));

    assertThat(refused.problems().get(0).where()).isEqualTo("node 'a'");
  }

  @Test
  @DisplayName("E25 otherwise the error says all that is missing")
  void theErrorSaysAllThatIsMissing() {
    Graph before = nodes("plan", "a", "b", "worker", "m", "report")
        .edge(START, "plan")
        .edge("plan", "a")
        .edge("plan", "report")
        .fanOut("plan", to("worker"), state -> List.of(Send.to("worker", TASK, 1)))
        .edge("worker", END)
        .edge("a", "b")
        .join(all("plan", "b"), "m")
        .edge("m", END)
        .edge("report", END)
        .defer("report")
        .build();
    Position position = Walk.open(before).step().position();
    Graph after = Graph.builder("sample")
        .channels(Counted.COUNT)
        .compute("reports", state -> Update.NOTHING)
        .sequence(START, "reports", END)
        .build();

    GraphChangedException refused = catchThrowableOfType(
        GraphChangedException.class, () -> Superstep.requireFits(after, position));

    assertThat(refused.problems()).extracting(Problem::code).containsOnly("SG-143");
    assertThat(refused.problems())
        .extracting(Problem::where)
        .containsExactly(
            "node 'a'", "node 'worker'", "node 'report'", "channel 'task'", "join [b, plan] -> m");
    assertThat(refused.problems().get(2).fix()).contains("'reports'");
    assertThatNoException().isThrownBy(() -> Superstep.requireFits(before, position));
  }
}
