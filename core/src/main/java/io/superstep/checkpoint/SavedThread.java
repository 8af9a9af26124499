package io.superstep.checkpoint;

import io.superstep.state.StateSchema;
import java.util.List;

/**
 * A thread as its store knows it at one checkpoint.
 *
 * @param checkpoint where it stands
 * @param position the same with its state, from which a run goes on; with a budget of its own
 * @param notes what is known of the tasks that are due at this checkpoint, in the order in which it
 *     was recorded
 */
public record SavedThread(Checkpoint checkpoint, Position position, List<TaskNote> notes) {

  public SavedThread {
    notes = List.copyOf(notes);
  }

  /** The same as a graph with {@code schema} sees it. */
  public SavedThread as(StateSchema schema) {
    return new SavedThread(checkpoint, position.with(schema.adopt(position.state())), notes);
  }
}
