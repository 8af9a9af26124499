package io.superstep.step;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Position;
import io.superstep.graph.Command;
import io.superstep.state.Changes;
import io.superstep.state.Transition.HandedBack;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What follows from the outcomes of a step, if nothing failed. */
public sealed interface StepResult {

  /** Some tasks wait for answers; nothing was committed, and the position is as it was. */
  record Waiting(List<Outcome.Interrupted> questions) implements StepResult {

    public Waiting {
      questions = List.copyOf(questions);
    }
  }

  /**
   * The step was committed as a whole.
   *
   * @param position where the run stands now
   * @param changes what the step did to the state
   * @param handedBack channels that were given back what they held
   * @param startedOver the loops that the step has the run go round once more, some perhaps named
   *     more than once
   * @param dropped what was or would be due and is not, because somebody outside, or a command to
   *     the graph around this one, decided so
   * @param parentCommand directions for the graph around this one, which end this one; null if
   *     there are none
   */
  record Committed(
      Position position,
      Changes changes,
      List<HandedBack> handedBack,
      List<String> startedOver,
      List<Due> dropped,
      @Nullable Command parentCommand)
      implements StepResult {

    public Committed {
      handedBack = List.copyOf(handedBack);
      startedOver = List.copyOf(startedOver);
      dropped = List.copyOf(dropped);
    }

    /** What somebody did from outside, which ends nothing and starts nothing over. */
    Committed(Position position, Changes changes) {
      this(position, changes, List.of(), List.of(), List.of(), null);
    }

    /** A position without changes, such as the one at which a run resumes. */
    public static Committed unchanged(Position position) {
      return new Committed(position, new Changes(Map.of()));
    }

    /** Directions for the graph around this one, which end this one. */
    public Optional<Command> toParent() {
      return Optional.ofNullable(parentCommand);
    }
  }
}
