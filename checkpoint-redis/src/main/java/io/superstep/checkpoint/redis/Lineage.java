package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Descent;
import io.superstep.checkpoint.Retention;
import java.time.Instant;
import java.util.ArrayList;
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
record Lineage(long cut, long version, @Nullable CheckpointId head, List<@Nullable Known> known) {

  /** One checkpoint, and how many bytes it takes. */
  record Known(Line line, long size) {

    CheckpointId id() {
      return line.id();
    }
  }

  /** Returns whether nothing but steps has happened to the thread since {@code earlier}. */
  boolean continues(Lineage earlier) {
    int count = earlier.known.size();
    return version == earlier.version
        && cut == earlier.cut
        && count <= known.size()
        && known.subList(0, count).equals(earlier.known);
  }

  /**
   * What goes when {@code id} does; nothing if there is no such checkpoint.
   *
   * @throws io.superstep.checkpoint.LineageException if it cannot go
   */
  Set<CheckpointId> doomed(String thread, CheckpointId id, boolean cascade) {
    List<Descent.Member> members = new ArrayList<>(known.size());
    for (Known each : known) {
      if (each != null) {
        Line line = each.line();
        members.add(new Descent.Member(line.id(), line.parent(), line.merged()));
      }
    }
    return new Descent(head, members).doomed(thread, id, cascade);
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
