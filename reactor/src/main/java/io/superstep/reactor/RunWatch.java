package io.superstep.reactor;

import io.superstep.checkpoint.Task;
import io.superstep.reactor.Watch.Scope;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * What an observer sees of one run: the run itself and the step it is in. Only called from inside
 * the drain. Where there is no observer, nothing is made and nothing happens.
 */
final class RunWatch {

  private static final RunWatch NOBODY = new RunWatch(null, null);

  private final Stage.@Nullable Run stage;
  private final @Nullable GuardedWatch run;
  private @Nullable GuardedWatch step;
  private boolean ended;

  private RunWatch(Stage.@Nullable Run stage, @Nullable GuardedWatch run) {
    this.stage = stage;
    this.run = run;
  }

  static RunWatch begin(Run run, Context context) {
    RunObserver observer = run.environment().observer();
    if (observer == null) {
      return NOBODY;
    }
    Stage.Run stage = new Stage.Run(run.graph(), run.path(), context);
    return new RunWatch(stage, GuardedWatch.begin(observer, stage, context));
  }

  void step(int number) {
    if (run != null && stage != null) {
      step = run.begin(new Stage.Step(stage, number));
    }
  }

  TaskWatch task(Task task) {
    return stage == null || step == null
        ? TaskWatch.NOBODY
        : TaskWatch.begin(step, new Stage.Task(stage, task));
  }

  /** To be left by {@link TaskWatch#leave}. */
  @Nullable
  Scope enterStep() {
    return step == null ? null : step.enter();
  }

  void endStep(Ending ending, @Nullable Throwable error) {
    GuardedWatch last = step;
    if (last != null) {
      step = null;
      last.end(ending, error);
    }
  }

  /** Ends the run, with the step it was in; the first time counts. */
  void end(Ending ending, @Nullable Throwable error) {
    if (run != null && !ended) {
      ended = true;
      endStep(ending, error);
      run.end(ending, error);
    }
  }
}
