package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Lease;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What stands in the row of a thread.
 *
 * @param head where it stands; null if nothing was written yet but inputs that wait
 * @param digest of what was written there
 * @param isIdle whether nothing is due there, and nothing paused
 * @param owner who holds the lease; null if there is none
 * @param lost how many leases in a row ran out without anything having been done
 * @param waiting how many inputs wait
 * @param shape changes with whatever is no mere step
 * @param span about how many bytes loading has to read
 * @param look from how many on that is looked at
 */
record ThreadRow(
    long id,
    String name,
    @Nullable CheckpointId head,
    @Nullable String digest,
    boolean isIdle,
    @Nullable String owner,
    long fence,
    Instant until,
    int lost,
    int waiting,
    long shape,
    long span,
    long look) {

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

  void requireHead(@Nullable CheckpointId seen) {
    if (!Objects.equals(head, seen)) {
      throw CheckpointConflictException.movedHead(name, seen, head);
    }
  }
}
