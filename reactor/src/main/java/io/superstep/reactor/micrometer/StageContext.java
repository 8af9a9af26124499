package io.superstep.reactor.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.superstep.checkpoint.Task;
import io.superstep.reactor.Stage;
import org.jspecify.annotations.Nullable;

/** What a handler, filter, predicate or convention of Micrometer may know of a {@link Stage}. */
public final class StageContext extends Observation.Context {

  private final Stage stage;

  private StageContext(Stage stage) {
    this.stage = stage;
  }

  static StageContext of(Stage stage, @Nullable Observation around) {
    StageContext context = new StageContext(stage);
    context.setParentObservation(around);
    context.describeRun(stage.run());
    if (stage instanceof Stage.Step step) {
      context.seldom("step", step.number());
    } else if (stage instanceof Stage.Task task) {
      context.describeTask(task.task());
    } else if (stage instanceof Stage.Attempt attempt) {
      context.describeTask(attempt.task());
      context.seldom("attempt", attempt.number());
    }
    return context;
  }

  private void describeRun(Stage.Run run) {
    setContextualName(stage.kind() + " " + run.graph().name());
    often("graph", run.graph().name());
    if (!run.path().isEmpty()) {
      seldom("path", run.path());
    }
  }

  private void describeTask(Task task) {
    setContextualName(stage.kind() + " " + task.node());
    often("node", task.node());
    seldom("step", task.step());
    seldom("task", task.id());
  }

  /** What many observations have in common: what a meter may be split by. */
  private void often(String key, String value) {
    addLowCardinalityKeyValue(KeyValue.of(key, value));
  }

  /** What only few have in common. */
  private void seldom(String key, Object value) {
    addHighCardinalityKeyValue(KeyValue.of(key, value.toString()));
  }

  /** What is observed. */
  public Stage stage() {
    return stage;
  }
}
