package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.LineageException;
import io.superstep.checkpoint.Retention;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the checkpoints of a thread hang together, as it was when they were looked at.
 *
 * @param cut how many were cut off at the beginning
 * @param version changes whenever something else happens to the thread than a step
 * @param known by sequence, from {@code cut + 1}; null where one was removed
 */
record Lineage(long cut, String version, @Nullable CheckpointId head, List<@Nullable Known> known) {

  /** One checkpoint, and how many bytes it takes. */
  record Known(Line line, long size) {

    CheckpointId id() {
      return line.id();
    }
  }

  private @Nullable Known find(CheckpointId id) {
    long at = id.sequence() - cut - 1;
    Known found = at < 0 || at >= known.size() ? null : known.get((int) at);
    return found != null && found.id().equals(id) ? found : null;
  }

  /**
   * What goes when {@code id} does; nothing if there is no such checkpoint.
   *
   * @throws LineageException if it cannot go
   */
  Set<CheckpointId> doomed(String thread, CheckpointId id, boolean cascade) {
    if (find(id) == null) {
      return Set.of();
    }
    Set<CheckpointId> family = new LinkedHashSet<>(List.of(id));
    for (Known each : known) {
      CheckpointId parent = each == null ? null : each.line().parent();
      if (each != null && parent != null && family.contains(parent)) {
        family.add(each.id());
      }
    }
    if (!cascade && family.size() > 1) {
      throw LineageException.hasChildren(thread, id);
    }
    if (head != null && family.contains(head)) {
      throw LineageException.holdsHead(thread, id);
    }
    for (Known each : known) {
      CheckpointId merged = each == null ? null : each.line().merged();
      if (each != null
          && merged != null
          && family.contains(merged)
          && !family.contains(each.id())) {
        throw LineageException.wasMerged(thread, id, each.id());
      }
    }
    return family;
  }

  /** How many go at the beginning, removed ones included. */
  int outdated(Retention retention, Instant now) {
    long later = known.stream().filter(each -> each != null).count();
    int index = 0;
    for (Known each : known) {
      if (each != null && retention.keeps(--later, each.line().time(), now)) {
        return index;
      }
      index++;
    }
    return index;
  }

  /** Those behind the first {@code count} whose parents are among them. */
  List<Known> orphans(int count) {
    List<Known> orphans = new ArrayList<>();
    for (Known each : known.subList(count, known.size())) {
      CheckpointId parent = each == null ? null : each.line().parent();
      if (each != null && parent != null && parent.sequence() <= cut + count) {
        orphans.add(each);
      }
    }
    return orphans;
  }
}
