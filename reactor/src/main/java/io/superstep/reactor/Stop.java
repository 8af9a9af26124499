package io.superstep.reactor;

/**
 * Asks runs to stop at the end of their step; what they have committed can be resumed.
 *
 * <p>One may be given to any number of runs. It is asked for once and for all.
 */
public final class Stop {

  private volatile boolean requested;

  /** Asks all runs that were given this to stop. */
  public void request() {
    requested = true;
  }

  public boolean isRequested() {
    return requested;
  }
}
