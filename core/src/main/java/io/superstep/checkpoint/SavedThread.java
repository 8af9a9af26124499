package io.superstep.checkpoint;

import io.superstep.memory.Outbox;
import io.superstep.state.StateSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A thread as its store knows it at one checkpoint.
 *
 * @param checkpoint where it stands
 * @param position the same with its state, from which a run goes on; not paused if {@code notes}
 *     say that its pause was lifted
 * @param notes what is known of the tasks that are due at this checkpoint, and of those inside
 *     them, in the order in which it was recorded
 * @param outbox what this checkpoint has remembered beyond the thread; whoever wrote it may have
 *     vanished before that was done, and to do it again does nothing
 */
public record SavedThread(
    Checkpoint checkpoint, Position position, List<TaskNote> notes, Outbox outbox) {

  public SavedThread {
    notes = List.copyOf(notes);
    if (!position.pause().isEmpty() && new TaskNotes(notes).haveLift()) {
      position = position.resumed();
    }
  }

  /** By task that is a graph of its own, where that stands, if it is under way. */
  public Map<Task, Position> inside() {
    Map<Task, Position> inside = new HashMap<>();
    for (TaskNote note : notes) {
      if (note instanceof TaskNote.Advanced step) {
        inside.put(step.task(), step.position());
      }
    }
    return inside;
  }

  /** The questions that wait for an answer, in the order in which they were asked. */
  public List<TaskNote.Asked> questions() {
    return new TaskNotes(notes).openQuestions();
  }

  /** Returns why the last run could not commit its step, if that is why the thread failed. */
  public Optional<TaskNote.CommitFailed> commitFailure() {
    return Optional.ofNullable(new TaskNotes(notes).commitFailure());
  }

  /** The same when {@code more} was written down too. */
  public SavedThread with(List<? extends TaskNote> more) {
    List<TaskNote> all = new ArrayList<>(notes);
    all.addAll(more);
    return new SavedThread(checkpoint, position, all, outbox);
  }

  /** The same as a graph with {@code schema} sees it. */
  public SavedThread as(StateSchema schema) {
    return new SavedThread(
        checkpoint, position.with(schema.adopt(position.state())), notes, outbox);
  }
}
