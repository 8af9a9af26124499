package io.superstep.step;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import java.util.Arrays;
import java.util.List;

/** Puts outcomes, which arrive in any order, where their tasks stand in the plan. */
final class InPlanOrder {

  private InPlanOrder() {}

  static List<? extends Outcome> of(Position position, List<? extends Outcome> outcomes) {
    List<Due> ready = position.startable();
    if (ready.isEmpty()) {
      throw new InvalidStepException(
          position.isFinished()
              ? "The position has no pending tasks."
              : "The position is interrupted, and its plan is empty.",
          step(position));
    }
    boolean ordered = outcomes.size() == ready.size();
    for (int place = 0; place < outcomes.size(); place++) {
      Task task = outcomes.get(place).task();
      if (!isPlanned(task, position, ready)) {
        throw new InvalidStepException(
            "The outcome belongs to a task that is not in the plan of the step.", task.id());
      }
      ordered &= task.index() == place;
    }
    return ordered ? outcomes : sorted(position, ready, outcomes);
  }

  private static List<Outcome> sorted(
      Position position, List<Due> ready, List<? extends Outcome> outcomes) {
    Outcome[] slots = new Outcome[ready.size()];
    for (Outcome outcome : outcomes) {
      Task task = outcome.task();
      if (slots[task.index()] != null) {
        throw new InvalidStepException(
            "The task has two outcomes, and exactly one is required.", task.id());
      }
      slots[task.index()] = outcome;
    }
    for (int index = 0; index < slots.length; index++) {
      if (slots[index] == null) {
        throw new InvalidStepException(
            "Task " + index + " of the plan, '" + ready.get(index).node() + "', has no outcome.",
            step(position));
      }
    }
    return Arrays.asList(slots);
  }

  private static String step(Position position) {
    return "step " + (position.step() + 1) + " of " + position.origin();
  }

  private static boolean isPlanned(Task task, Position position, List<Due> ready) {
    return task.index() >= 0
        && task.index() < ready.size()
        && task.step() == position.step() + 1
        && task.node().equals(ready.get(task.index()).node())
        && task.origin().equals(position.origin());
  }
}
