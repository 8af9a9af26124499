package io.superstep.reactor;

import io.superstep.checkpoint.Position;
import io.superstep.state.State;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended that did not fail.
 *
 * @param position where it stands, and would go on
 */
public record RunResult(Status status, Position position) {

  /** Why a run ended. */
  public enum Status {
    /** Nothing is due any more. */
    COMPLETED,
    /** It waits for somebody. */
    INTERRUPTED,
    /** It was asked to stop. */
    STOPPED
  }

  public State state() {
    return position.state();
  }

  public boolean isCompleted() {
    return status == Status.COMPLETED;
  }

  /** What a caller gets to see of the state, by name. */
  public Map<String, @Nullable Object> output() {
    return state().schema().output(state());
  }
}
