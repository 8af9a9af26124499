package io.superstep.reactor;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Asks runs to stop at the end of their step; what they have committed can be resumed.
 *
 * <p>One may be given to any number of runs. It is asked for once and for all.
 */
public final class Stop {

  /** Brings nothing but its end, so that nobody has to ask for anything. */
  private final Sinks.Empty<Void> asked = Sinks.empty();

  private volatile boolean requested;

  /** Asks all runs that were given this to stop. */
  public void request() {
    requested = true;
    asked.tryEmitEmpty();
  }

  public boolean isRequested() {
    return requested;
  }

  /** Completes when it is asked for. */
  public Mono<Void> asMono() {
    return asked.asMono();
  }
}
