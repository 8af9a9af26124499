package io.superstep.reactor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
  private final List<Stop> others;

  public Stop() {
    this(List.of());
  }

  private Stop(List<Stop> others) {
    this.others = others;
  }

  /** One that is asked for when it is itself, or when one of {@code others} is. */
  static Stop along(Collection<Stop> others) {
    return new Stop(List.copyOf(others));
  }

  /** Asks all runs that were given this to stop. */
  public void request() {
    requested = true;
    asked.tryEmitEmpty();
  }

  public boolean isRequested() {
    for (int other = 0; other < others.size(); other++) {
      if (others.get(other).isRequested()) {
        return true;
      }
    }
    return requested;
  }

  /** Completes when it is asked for. */
  public Mono<Void> asMono() {
    if (others.isEmpty()) {
      return asked.asMono();
    }
    List<Mono<Void>> all = new ArrayList<>(List.of(asked.asMono()));
    others.forEach(other -> all.add(other.asMono()));
    return Mono.firstWithSignal(all);
  }
}
