package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;
import static io.superstep.step.Counted.COUNT;
import static io.superstep.step.Counted.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Position;
import io.superstep.graph.Graph;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.Update;
import io.superstep.step.StepResult.Committed;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UpdatesFromOutsideTests {

  private static final Contribution CHANGE = new Contribution("ada", Update.of(COUNT, 5));

  private final Graph chain =
      nodes("a", "b", "c").sequence(START, "a", "b", "c", END).build();

  @Test
  @DisplayName("E12 an update from outside is a step of its own and leaves what is due alone")
  void anUpdateLeavesWhatIsDueAlone() {
    Position before = Walk.open(chain).step().position();

    Committed after = Superstep.update(before, CHANGE);

    assertThat(after.position().state().get(COUNT)).isEqualTo(5);
    assertThat(after.changes().effects()).containsOnlyKeys("count");
    assertThat(after.position().step()).isEqualTo(before.step() + 1);
    assertThat(after.position().nodes()).containsExactly("b");
    assertThat(before.state().get(COUNT)).isZero();
  }

  @Test
  @DisplayName("E12 an update that acts as a node: that node's edges decide what is due")
  void anUpdateCanActAsANode() {
    Position before = Walk.open(chain).step().position();

    assertThat(as("a", before).position().nodes()).containsExactly("b");
    assertThat(as("b", before).position().nodes()).containsExactly("c");
    assertThat(as("c", before).position().isFinished()).isTrue();
    assertThat(as("b", before).position().state().get(COUNT)).isEqualTo(5);
  }

  private Committed as(String node, Position position) {
    return Superstep.updateAs(chain, position, node, CHANGE);
  }

  @Test
  @DisplayName("E12 a finished run can be taken up again as if a node had just run")
  void aFinishedRunCanBeTakenUpAgain() {
    Position finished = Walk.open(chain).toTheEnd().position();

    assertThat(as("a", finished).position().nodes()).containsExactly("b");
  }

  @Test
  @DisplayName("E12 what was due and no longer is gets reported")
  void whatIsDroppedIsReported() {
    Graph graph = nodes("a", "b", "c")
        .edge(START, "a")
        .edge(START, "b")
        .edge("a", "c")
        .edge("b", "c")
        .edge("c", END)
        .build();
    Position both = Walk.open(graph).position();

    Committed asA = Superstep.updateAs(graph, both, "a", CHANGE);

    assertThat(asA.position().nodes()).containsExactly("c");
    assertThat(asA.dropped()).containsExactly(Due.by("b"));
    assertThat(as("b", Walk.open(chain).step().position()).dropped()).isEmpty();
    assertThat(as("a", Walk.open(chain).step().position()).dropped()).isEmpty();
  }

  @Test
  @DisplayName(
      "E12 acting as a node asks its route, counts towards its joins, keeps deferred nodes")
  void actingFollowsRoutesAndJoins() {
    Graph graph = nodes("a", "b", "m", "report")
        .edge(START, "a")
        .edge(START, "b")
        .edge("a", "report")
        .join(all("a", "b"), "m")
        .route("m", to("a", END), state -> state.get(COUNT) == 5 ? "a" : END)
        .edge("report", END)
        .defer("report")
        .build();
    Position start = Walk.open(graph).position();

    Position asA = Superstep.updateAs(graph, start, "a", CHANGE).position();
    Position asB = Superstep.updateAs(graph, asA, "b", new Contribution("ada", Update.NOTHING))
        .position();

    assertThat(asA.nodes()).containsExactly("report");
    assertThat(asB.nodes()).containsExactly("m");
    assertThat(asB.deferred()).containsExactly("report");
    assertThat(Superstep.updateAs(graph, asB, "m", new Contribution("ada", Update.NOTHING))
            .position()
            .nodes())
        .containsExactly("a");
    assertThat(Superstep.updateAs(graph, asA, "report", CHANGE).position().isFinished())
        .isTrue();
  }

  @Test
  @DisplayName("E12 a refused update and an unknown node change nothing")
  void whatIsRefusedChangesNothing() {
    Position before = Walk.open(chain).step().position();

    InvalidUpdateException refused = catchThrowableOfType(
        InvalidUpdateException.class,
        () -> Superstep.update(before, new Contribution("ada", Update.of("cuont", 1))));
    InvalidRouteException unknown =
        catchThrowableOfType(InvalidRouteException.class, () -> as("d", before));

    assertThat(refused.code()).isEqualTo("SG-211");
    assertThat(refused.writer()).contains("ada");
    assertThat(unknown.code()).isEqualTo("SG-126");
    assertThat(unknown.problems().get(0).fix()).contains("[a, b, c]");
    assertThat(before.nodes()).isEqualTo(java.util.Set.of("b"));
  }

  @Test
  @DisplayName("E12 what the last step left for the next is still there after an update")
  void whatLivesForOneStepIsStillThere() {
    Channel<String> hint = Channel.text("hint").ephemeral();
    Graph graph = Graph.builder("hinting")
        .channels(COUNT, hint)
        .compute("a", state -> Update.NOTHING)
        .compute("b", state -> Update.NOTHING)
        .sequence(START, "a", "b", END)
        .build();
    Position atB = Walk.open(graph).step("a", Update.of(hint, "look")).position();

    Position updated = Superstep.update(atB, CHANGE).position();

    assertThat(updated.state().get(hint)).isEqualTo("look");
    assertThat(Walk.from(graph, updated).step().position().state().get(hint)).isEmpty();
  }

  @Test
  @DisplayName("E12 after an update from outside task ids are still unique")
  void taskIdsStayUnique() {
    Position before = Walk.open(chain).position();
    Position after = as("c", before).position();

    assertThat(Superstep.plan(before).get(0).id())
        .isNotEqualTo(Superstep.plan(as("a", after).position()).get(0).id());
    assertThat(List.of(before.step(), after.step())).containsExactly(0, 1);
  }
}
