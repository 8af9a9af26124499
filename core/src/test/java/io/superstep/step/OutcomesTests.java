package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.step.Counted.COUNT;
import static io.superstep.step.Counted.LOG;
import static io.superstep.step.Counted.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Task;
import io.superstep.error.SuperstepException;
import io.superstep.graph.Graph;
import io.superstep.state.Channel;
import io.superstep.state.Effect;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.StepResult.Waiting;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OutcomesTests {

  private final Graph pair = nodes("a", "b", "next")
      .edge(START, "a")
      .edge(START, "b")
      .edge("a", "next")
      .edge("b", "next")
      .edge("next", END)
      .build();
  private final Walk walk = Walk.open(pair);
  private final Task a = walk.tasks().get(0);
  private final Task b = walk.tasks().get(1);
  private final Outcome done = Outcome.completed(a, Update.of(COUNT, 1));

  private StepResult commit(Outcome... outcomes) {
    return Superstep.commit(pair, walk.position(), List.of(outcomes));
  }

  @Test
  void aCommitTellsTheStateWhatChangedAndWhatIsDue() {
    Committed committed = (Committed) commit(done, Outcome.completed(b, Update.append(LOG, "b")));

    assertThat(committed.position().step()).isEqualTo(1);
    assertThat(committed.position().state().get(COUNT)).isEqualTo(1);
    assertThat(committed.changes().effects()).containsOnlyKeys("count", "log");
    assertThat(committed.changes().effects().get("log")).isInstanceOf(Effect.Append.class);
    assertThat(walk.position().state().apply(committed.changes()))
        .isEqualTo(committed.position().state());
    assertThat(committed.position().nodes()).containsExactly("next");
  }

  @Test
  @DisplayName("X.7 a node that failed is named with its cause, and nothing is committed")
  void aFailureNamesItsNodeAndCause() {
    IllegalStateException boom = new IllegalStateException("boom");

    NodeFailedException failed = catchThrowableOfType(
        NodeFailedException.class, () -> commit(new Outcome.Failed(b, 3, boom), done));

    assertThat(failed.code()).isEqualTo("SG-141");
    assertThat(failed.node()).isEqualTo("b");
    assertThat(failed.attempts()).isEqualTo(3);
    assertThat(failed).hasCause(boom);
    assertThat(failed.problems().get(0).where())
        .isEqualTo("task thread-1@1-1/1/1/b, after 3 attempts");
    assertThat(walk.position().state().get(COUNT)).isZero();
  }

  @Test
  void ofSeveralFailuresTheFirstInPlanOrderIsTold() {
    NodeFailedException failed = catchThrowableOfType(
        NodeFailedException.class,
        () -> commit(
            new Outcome.Failed(b, 1, new IllegalStateException()),
            new Outcome.Failed(a, 1, new IllegalStateException())));

    assertThat(failed.node()).isEqualTo("a");
  }

  @Test
  @DisplayName("X.7 an interrupt is no error: the step waits and the position stands")
  void anInterruptIsNoError() {
    Outcome.Interrupted asking = new Outcome.Interrupted(b, "publish");

    StepResult result = commit(asking, done);

    assertThat(result).isEqualTo(new Waiting(List.of(asking)));
    assertThat(walk.nodes()).containsExactly("a", "b");
  }

  @Test
  @DisplayName("X.7 a failure beside an interrupt is told as the failure")
  void aFailureBesideAnInterruptIsAFailure() {
    assertThatThrownBy(() -> commit(
            new Outcome.Interrupted(a, "publish"),
            new Outcome.Failed(b, 1, new IllegalStateException())))
        .isInstanceOf(NodeFailedException.class);
  }

  @Test
  void outcomesThatAreNotThoseOfThePlanAreRefused() {
    Outcome other = Outcome.completed(b, Update.NOTHING);
    Task stranger = new Task("thread-1@1-1", 1, 1, "next", null);
    Task later = new Task("thread-1@1-1", 2, 1, "b", null);
    Task elsewhere = new Task("thread-2@1-1", 1, 1, "b", null);
    Task beyond = new Task("thread-1@1-1", 1, 2, "b", null);

    for (List<Outcome> wrong : List.of(
        List.of(done),
        List.<Outcome>of(),
        List.of(done, done),
        List.of(done, other, other),
        List.of(done, Outcome.completed(stranger, Update.NOTHING)),
        List.of(done, Outcome.completed(later, Update.NOTHING)),
        List.of(done, Outcome.completed(elsewhere, Update.NOTHING)),
        List.of(done, other, Outcome.completed(beyond, Update.NOTHING)))) {
      SuperstepException refused = catchThrowableOfType(
          SuperstepException.class, () -> Superstep.commit(pair, walk.position(), wrong));

      assertThat(refused).isInstanceOf(InvalidStepException.class);
      assertThat(refused.code()).isEqualTo("SG-142");
    }
  }

  @Test
  void aFinishedRunHasNothingToCommit() {
    Walk finished = Walk.open(pair).toTheEnd();

    assertThat(finished.tasks()).isEmpty();
    assertThatThrownBy(() -> Superstep.commit(pair, finished.position(), List.of()))
        .isInstanceOf(InvalidStepException.class)
        .hasMessageContaining("The position has no pending tasks.");
  }

  @Test
  void aNodeThatSaidWhatItWritesMayWriteNothingElse() {
    Graph graph = nodes("a").sequence(START, "a", END).writes("a", COUNT).build();

    InvalidUpdateException refused = catchThrowableOfType(
        InvalidUpdateException.class,
        () -> Walk.open(graph).step("a", Update.of(COUNT, 1).and(Update.append(LOG, "x"))));

    assertThat(refused.code()).isEqualTo("SG-221");
    assertThat(refused.channel()).contains("log");
    assertThat(refused.writer()).contains("a");
    assertThat(
            Walk.open(graph).step("a", Update.of(COUNT, 1)).position().state().get(COUNT))
        .isEqualTo(1);
  }

  @Test
  void twoTasksThatWriteAChannelWithoutAReducerAreRefusedAtCommit() {
    Channel<String> status = Channel.value("status", String.class).startingAt("new");
    Graph graph = Graph.builder("status")
        .channels(status)
        .compute("a", state -> Update.NOTHING)
        .compute("b", state -> Update.NOTHING)
        .edge(START, "a")
        .edge(START, "b")
        .edge("a", END)
        .edge("b", END)
        .build();
    Walk both = Walk.open(graph);

    InvalidUpdateException refused = catchThrowableOfType(
        InvalidUpdateException.class, () -> both.stepBy(task -> Update.of(status, task.node())));

    assertThat(refused.code()).isEqualTo("SG-212");
    assertThat(both.position().state().get(status)).isEqualTo("new");
    assertThat(both.nodes()).containsExactly("a", "b");
  }

  @Test
  void anOutputOfAnUnknownKindIsRefused() {
    NodeOutput strange = new NodeOutput() {};

    assertThatThrownBy(() -> Outcome.completed(a, strange))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
