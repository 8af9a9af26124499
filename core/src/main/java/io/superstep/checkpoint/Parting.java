package io.superstep.checkpoint;

import io.superstep.state.Changes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the ways to two checkpoints of a thread parted, and what was changed on either since.
 *
 * <p>It reads the history of the thread, newest first, and follows both ways back: a checkpoint
 * leads to its parent, and a merge to what it took over as well. What lies on both ways is common
 * to them; the newest of it is the base.
 *
 * <p>Where parents alone lead to the base, what was changed is what these checkpoints changed, a
 * merge by what it took over. Where the base was taken over by a merge, it is what all checkpoints
 * on the way changed but the merges, as what they took over is on the way too; unless some of that
 * was pruned, and then nobody can tell.
 */
public final class Parting {

  private static final int OURS = 1;
  private static final int THEIRS = 2;
  private static final int BOTH = OURS | THEIRS;
  private static final int BEHIND_BASE = 4;

  /** On which ways the checkpoints lie that were named and have not come yet. */
  private final Map<CheckpointId, Integer> ahead = new HashMap<>();

  private final CheckpointId ourEnd;
  private final CheckpointId theirEnd;
  private final List<Checkpoint> ours = new ArrayList<>();
  private final List<Checkpoint> theirs = new ArrayList<>();
  private @Nullable CheckpointId base;
  private boolean crossed;

  /** Between {@code ours}, as a rule the head, and {@code theirs}. */
  public Parting(CheckpointId ours, CheckpointId theirs) {
    ourEnd = ours;
    theirEnd = theirs;
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

  /** Whether something was pruned without which nobody can tell what was changed on a way. */
  public boolean isCut() {
    return isCut(ours, ourEnd) || isCut(theirs, theirEnd);
  }

  private boolean isCut(List<Checkpoint> newestFirst, CheckpointId end) {
    return line(newestFirst, end) == null && newestFirst.stream().anyMatch(this::hasLostOrigin);
  }

  private boolean hasLostOrigin(Checkpoint checkpoint) {
    CheckpointId taken = takenOver(checkpoint);
    return checkpoint.parent() == null || (taken != null && isMissing(taken));
  }

  private boolean isMissing(CheckpointId id) {
    Integer ways = ahead.get(id);
    return ways != null && (ways & BEHIND_BASE) == 0;
  }

  /** What was changed on our way since the base, oldest first. */
  public List<Changes> ours() {
    return changes(ours, ourEnd);
  }

  /** What was changed on their way since the base, oldest first. */
  public List<Changes> theirs() {
    return changes(theirs, theirEnd);
  }

  private List<Changes> changes(List<Checkpoint> newestFirst, CheckpointId end) {
    List<Changes> changes = line(newestFirst, end);
    if (changes == null) {
      changes = new ArrayList<>();
      for (Checkpoint checkpoint : newestFirst) {
        if (takenOver(checkpoint) == null) {
          changes.add(checkpoint.changes());
        }
      }
    }
    Collections.reverse(changes);
    return changes;
  }

  /** The changes from {@code end} back to the base, if parents alone lead there; otherwise null. */
  private @Nullable List<Changes> line(List<Checkpoint> newestFirst, CheckpointId end) {
    List<Changes> changes = new ArrayList<>();
    CheckpointId next = end;
    for (Checkpoint checkpoint : newestFirst) {
      if (checkpoint.id().equals(next)) {
        changes.add(checkpoint.changes());
        next = checkpoint.parent();
      }
    }
    return Objects.equals(next, base) ? changes : null;
  }
}
