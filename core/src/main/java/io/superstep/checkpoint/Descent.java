package io.superstep.checkpoint;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which checkpoints of a thread grew out of which, as stores need it that remove some of them.
 *
 * @param head where the thread stands; null if nothing was written yet
 * @param members in the order in which they were written
 */
public record Descent(@Nullable CheckpointId head, List<Member> members) {

  public Descent {
    members = List.copyOf(members);
  }

  /**
   * One checkpoint.
   *
   * @param parent null if it is a base
   * @param merged the checkpoint that it has taken over; null if it is no merge
   */
  public record Member(
      CheckpointId id,
      @Nullable CheckpointId parent,
      @Nullable CheckpointId merged) {

    public static Member of(CheckpointId id, @Nullable CheckpointId parent, Cause cause) {
      return new Member(id, parent, merged(cause));
    }

    /** The checkpoint that a merge has taken over; null of any other cause. */
    public static @Nullable CheckpointId merged(Cause cause) {
      Cause.Source source = cause.source();
      return cause.kind() == Cause.Kind.MERGE && source != null ? source.checkpoint() : null;
    }
  }

  /**
   * What goes when {@code id} does; nothing if there is no such checkpoint.
   *
   * @param cascade whether those that grew out of it may go too
   * @throws LineageException if it cannot go
   */
  public Set<CheckpointId> doomed(String thread, CheckpointId id, boolean cascade) {
    if (members.stream().noneMatch(member -> member.id().equals(id))) {
      return Set.of();
    }
    Set<CheckpointId> family = new LinkedHashSet<>(List.of(id));
    for (Member member : members) {
      if (member.parent() != null && family.contains(member.parent())) {
        family.add(member.id());
      }
    }
    if (!cascade && family.size() > 1) {
      throw LineageException.hasChildren(thread, id);
    }
    if (head != null && family.contains(head)) {
      throw LineageException.holdsHead(thread, id);
    }
    for (Member member : members) {
      if (member.merged() != null
          && family.contains(member.merged())
          && !family.contains(member.id())) {
        throw LineageException.wasMerged(thread, id, member.id());
      }
    }
    return family;
  }
}
