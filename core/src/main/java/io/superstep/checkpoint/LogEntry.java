package io.superstep.checkpoint;

import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Outbox;
import io.superstep.memory.Writer;
import io.superstep.state.Changes;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint as a log on disk keeps it: what a {@link Commit} has written but for the state and
 * the notes, so that it is as long as what changed.
 *
 * @param parent the checkpoint that {@code changes} start from; null if it is a base
 * @param base the whole state, of a base only; null of any other
 * @param position where the thread stood; its state is left empty
 */
public record LogEntry(
    CheckpointId id,
    @Nullable CheckpointId parent,
    Cause cause,
    Instant time,
    String fingerprint,
    @Nullable State base,
    Changes changes,
    Position position,
    List<Credit> credits,
    List<MemoryWrite> memories) {

  private static final State LEFT_OUT = Schemas.NONE.schema().start();

  public LogEntry {
    if ((parent == null) != (base != null)) {
      throw new IllegalArgumentException("A checkpoint has either a parent or a base: " + id + ".");
    }
    position = position.with(LEFT_OUT);
    credits = List.copyOf(credits);
    memories = List.copyOf(memories);
  }

  /** What {@code commit} adds to the log. */
  public static LogEntry of(Commit commit) {
    return new LogEntry(
        commit.id(),
        commit.parent(),
        commit.cause(),
        commit.time(),
        commit.fingerprint(),
        commit.parent() == null ? commit.position().state() : null,
        commit.changes(),
        commit.position(),
        commit.credits(),
        commit.memories());
  }

  /** Whether this is what {@code commit} would add: its reply was lost. */
  public boolean isOf(Commit commit) {
    return id.equals(commit.id())
        && Objects.equals(parent, commit.parent())
        && cause.equals(commit.cause())
        && changes.equals(commit.changes());
  }

  /** The checkpoint that it is in {@code thread}. */
  public Checkpoint in(String thread) {
    return new Checkpoint(
        thread,
        id,
        parent,
        cause,
        time,
        fingerprint,
        position.step(),
        position.ready(),
        changes,
        credits);
  }

  /**
   * The state that the checkpoint has.
   *
   * @param before that of its parent; of a base it does not matter
   * @throws io.superstep.state.InvalidUpdateException if the changes do not fit it
   */
  public State after(@Nullable State before) {
    return base != null ? base : Objects.requireNonNull(before).apply(changes);
  }

  /**
   * The thread at this checkpoint.
   *
   * @param state that of this checkpoint
   * @param notes what is known of the tasks that are due there
   */
  public SavedThread load(String thread, State state, List<TaskNote> notes) {
    return new SavedThread(in(thread), position.with(state), notes, outbox(thread));
  }

  private Outbox outbox(String thread) {
    return new Outbox(new Writer(thread, id.sequence(), id.fence()), time, memories);
  }

  /** The same with another state, of a base only. */
  public LogEntry withBase(State state) {
    return new LogEntry(
        id, parent, cause, time, fingerprint, state, changes, position, credits, memories);
  }

  /**
   * The same without a parent, which is about to be removed.
   *
   * @param state that of this checkpoint
   */
  public LogEntry asBase(State state) {
    return new LogEntry(
        id,
        null,
        cause,
        time,
        fingerprint,
        state,
        Changes.whole(state),
        position,
        credits,
        memories);
  }
}
