package io.superstep.checkpoint;

/** The way in which a lease is given back, which decides what becomes of the thread. */
public enum Release {
  /** The run leaves the thread as intended: leases that were lost before are forgotten. */
  SETTLED,
  /** No run has ended: leases that were lost before stay remembered. */
  UNCHANGED,
  /**
   * The run leaves work to another runner, as in a graceful shutdown: the thread is
   * {@link ThreadStatus#ORPHANED} at once, unless it waits or has failed. However often this
   * happens, it does not count as a lost lease.
   */
  HANDED_OVER;

  /**
   * Returns the number of lost leases that a store keeps after the release. A thread that is handed
   * over counts as one with a lost lease, so that a takeover follows, and never as more.
   *
   * @param lost the number before
   */
  public int lostAfter(int lost) {
    return switch (this) {
      case SETTLED -> 0;
      case UNCHANGED -> lost;
      case HANDED_OVER -> Math.max(1, lost);
    };
  }
}
