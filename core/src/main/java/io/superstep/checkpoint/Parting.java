package io.superstep.checkpoint;

import io.superstep.state.Changes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the ways to two checkpoints of a thread parted, and what was changed on either since.
 *
 * <p>It reads the history of the thread, newest first, and follows both ways back: a checkpoint
 * leads to its parent, and a merge to what it took over as well. What lies on both ways is common
 * to them; the newest of it is the base. A merge brought no changes of its own, as what it took
 * over is on the way; where that was pruned, its own changes stand for it.
 */
public final class Parting {

  private static final int OURS = 1;
  private static final int THEIRS = 2;
  private static final int BOTH = OURS | THEIRS;
  private static final int BEHIND_BASE = 4;

  /** On which ways the checkpoints lie that were named and have not come yet. */
  private final Map<CheckpointId, Integer> ahead = new HashMap<>();

  private final List<Checkpoint> ours = new ArrayList<>();
  private final List<Checkpoint> theirs = new ArrayList<>();
  private @Nullable CheckpointId base;
  private boolean crossed;

  /** Between {@code ours}, as a rule the head, and {@code theirs}. */
  public Parting(CheckpointId ours, CheckpointId theirs) {
    mark(ours, OURS);
    mark(theirs, THEIRS);
  }

  private void mark(@Nullable CheckpointId id, int ways) {
    if (id != null) {
      ahead.merge(id, ways, (one, other) -> one | other);
    }
  }

  /** Reads the next checkpoint of the history, newest first, and says whether that is enough. */
  public boolean read(Checkpoint checkpoint) {
    Integer ways = ahead.remove(checkpoint.id());
    if (ways != null) {
      int on = sortIn(checkpoint, ways);
      mark(checkpoint.parent(), on);
      mark(takenOver(checkpoint), on);
    }
    return ahead.values().stream().allMatch(way -> (way & BEHIND_BASE) != 0);
  }

  /** Puts a checkpoint where it belongs, and says on which ways those lie that it grew out of. */
  private int sortIn(Checkpoint checkpoint, int ways) {
    if (ways == OURS) {
      ours.add(checkpoint);
    } else if (ways == THEIRS) {
      theirs.add(checkpoint);
    } else if (ways == BOTH) {
      crossed |= base != null;
      base = base == null ? checkpoint.id() : base;
      return BOTH | BEHIND_BASE;
    }
    return ways;
  }

  private static @Nullable CheckpointId takenOver(Checkpoint checkpoint) {
    Cause cause = checkpoint.cause();
    return cause.kind() == Cause.Kind.MERGE && cause.source() != null
        ? cause.source().checkpoint()
        : null;
  }

  /** The newest checkpoint on both ways; null if there is none. */
  public @Nullable CheckpointId base() {
    return base;
  }

  /** Whether either way has taken over from the other, so that there is more than one base. */
  public boolean isCrossed() {
    return crossed;
  }

  /** What was changed on our way since the base, oldest first. */
  public List<Changes> ours() {
    return changes(ours);
  }

  /** What was changed on their way since the base, oldest first. */
  public List<Changes> theirs() {
    return changes(theirs);
  }

  private List<Changes> changes(List<Checkpoint> newestFirst) {
    List<Changes> changes = new ArrayList<>();
    for (Checkpoint checkpoint : newestFirst) {
      CheckpointId taken = takenOver(checkpoint);
      if (taken == null || isMissing(taken)) {
        changes.add(checkpoint.changes());
      }
    }
    Collections.reverse(changes);
    return changes;
  }

  private boolean isMissing(CheckpointId id) {
    Integer ways = ahead.get(id);
    return ways != null && (ways & BEHIND_BASE) == 0;
  }
}
