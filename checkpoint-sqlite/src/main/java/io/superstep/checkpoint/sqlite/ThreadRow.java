package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Lease;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What stands in the row of a thread, and where it stands.
 *
 * @param isIdle whether nothing is due there, and nothing paused
 * @param owner who holds the lease; null if there is none
 * @param lost how many leases in a row ran out without anything having been done
 * @param waiting how many inputs wait
 * @param skipped how many of the bytes that lead to its head loading need not read
 * @param look from how many on that it has to read it is looked at
 * @param tip the checkpoint where it stands; null if nothing was written yet but inputs that wait
 */
record ThreadRow(
    long id,
    String name,
    boolean isIdle,
    @Nullable String owner,
    long fence,
    Instant until,
    int lost,
    int waiting,
    long skipped,
    long look,
    @Nullable Tip tip) {

  /**
   * The last checkpoint of a thread.
   *
   * @param stem from where on each is the parent of the next, up to this one
   * @param span about how many bytes lead here
   * @param hasNotes whether anything is known of the tasks that are due here
   */
  record Tip(CheckpointId id, long stem, long span, boolean hasNotes) {}

  /** Where the thread stands; null if nothing was written yet. */
  @Nullable
  CheckpointId head() {
    return tip == null ? null : tip.id;
  }

  /** About how many bytes loading it has to read. */
  long span() {
    return tip == null ? 0 : Math.max(0, tip.span - skipped);
  }

  boolean isLeased(Instant now) {
    return owner != null && now.isBefore(until);
  }

  /** How many in a row have vanished, whoever holds a lease that has run out included. */
  int lost(Instant now) {
    return lost + (owner != null && !isLeased(now) ? 1 : 0);
  }

  /** The lease as it stands; there has to be one. */
  Lease lease() {
    return new Lease(name, Objects.requireNonNull(owner), fence, until);
  }

  /** One that has run out still counts, as long as nobody else has taken the thread. */
  boolean isHeldBy(Lease lease) {
    return owner != null && fence == lease.fence();
  }

  /**
   * Returns whether the thread has work due, and {@code lease} was its last one and is released.
   */
  boolean wasReleasedBy(Lease lease) {
    return owner == null && fence == lease.fence() && head() != null && !isIdle();
  }

  void requireHead(@Nullable CheckpointId seen) {
    if (!Objects.equals(head(), seen)) {
      throw CheckpointConflictException.movedHead(name, seen, head());
    }
  }
}
