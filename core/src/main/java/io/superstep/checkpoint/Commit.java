package io.superstep.checkpoint;

import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Outbox;
import io.superstep.memory.Writer;
import io.superstep.state.Changes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What makes a checkpoint: written as a whole or not at all.
 *
 * @param seen the head of the thread as the writer knows it, which the new checkpoint replaces;
 *     null if there is none
 * @param parent the checkpoint that {@code changes} start from; it is {@code seen} unless this is a
 *     fork
 * @param changes what leads from the state of the parent to that of {@code position}
 * @param position where the thread stands now, without what lives only as long as a run; of its
 *     state a store keeps no more than {@code changes}
 * @param notes what is known already of the tasks that are due now
 * @param notesSeen how many notes the writer knows of at the head it saw, whose tasks go on here;
 *     null if none of them does, and whatever was written down there is over
 * @param taken the id of the input with which a turn begins, if it had to wait: it waits no more
 * @param memories what is to be remembered beyond the thread, once this is written
 */
public record Commit(
    CheckpointId id,
    @Nullable CheckpointId seen,
    @Nullable CheckpointId parent,
    Cause cause,
    Instant time,
    String fingerprint,
    Changes changes,
    Position position,
    List<Credit> credits,
    List<TaskNote> notes,
    @Nullable Integer notesSeen,
    @Nullable String taken,
    List<MemoryWrite> memories) {

  public Commit {
    changes = changes.stored(position.state().schema());
    position = position.stored();
    credits = List.copyOf(credits);
    notes = List.copyOf(notes);
    memories = List.copyOf(memories);
  }

  /**
   * The same without a parent: what it changes starts from the start of the schema, and leads to
   * its whole state.
   */
  public Commit asBase() {
    return new Commit(
        id,
        seen,
        null,
        cause,
        time,
        fingerprint,
        Changes.whole(position.state()),
        position,
        credits,
        notes,
        notesSeen,
        taken,
        memories);
  }

  /** What is to be remembered of it, if anything is, by whoever writes it in {@code thread}. */
  public Outbox outbox(String thread) {
    return new Outbox(new Writer(thread, id.sequence(), id.fence()), time, memories);
  }

  /** The checkpoint it makes in {@code thread}. */
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
}
