package io.superstep.step;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import java.util.Collection;
import java.util.List;

/** Puts outcomes, which arrive in any order, where their tasks stand in the plan. */
final class InPlanOrder {

  private InPlanOrder() {}

  static Outcome[] of(Position position, Collection<? extends Outcome> outcomes) {
    List<Due> ready = position.startable();
    if (ready.isEmpty()) {
      throw new InvalidStepException(
          position.isFinished() ? "No task is due." : "The run is paused, and nothing may run.",
          step(position));
    }
    Outcome[] slots = new Outcome[ready.size()];
    for (Outcome outcome : outcomes) {
      Task task = outcome.task();
      if (!isPlanned(task, position, ready)) {
        throw new InvalidStepException("The task was not planned in this step.", task.id());
      }
      if (slots[task.index()] != null) {
        throw new InvalidStepException("The task has two outcomes.", task.id());
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
    return slots;
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
