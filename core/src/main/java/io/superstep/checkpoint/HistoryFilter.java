package io.superstep.checkpoint;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which checkpoints of a thread to look at, newest first.
 *
 * @param before only those that were written before this one; null for all
 * @param limit how many at most
 * @param kinds only those with these causes
 */
public record HistoryFilter(@Nullable CheckpointId before, int limit, Set<Cause.Kind> kinds) {

  /** All of them. */
  public static final HistoryFilter ALL =
      new HistoryFilter(null, Integer.MAX_VALUE, EnumSet.allOf(Cause.Kind.class));

  public HistoryFilter {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, and was " + limit + ".");
    }
    kinds = Set.copyOf(kinds);
  }

  public HistoryFilter before(CheckpointId id) {
    return new HistoryFilter(id, limit, kinds);
  }

  public HistoryFilter limit(int most) {
    return new HistoryFilter(before, most, kinds);
  }

  public HistoryFilter causedBy(Cause.Kind first, Cause.Kind... more) {
    return new HistoryFilter(before, limit, EnumSet.of(first, more));
  }

  /** Whether {@code checkpoint} is one of them, however many there are. */
  public boolean accepts(Checkpoint checkpoint) {
    return (before == null || checkpoint.id().compareTo(before) < 0)
        && kinds.contains(checkpoint.cause().kind());
  }
}
