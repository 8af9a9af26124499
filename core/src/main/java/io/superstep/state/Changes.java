package io.superstep.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one fold did to the state: the effect on each channel it changed, in the order in which they
 * were first written.
 *
 * <p>This is what has to be stored of a step, but for the channels that are never stored:
 * {@link State#apply} leads from the state before to the state after without running any code of
 * the user.
 */
public record Changes(Map<String, Effect<?>> effects) {

  public Changes {
    effects = effects.size() < 2
        ? Map.copyOf(effects)
        : Collections.unmodifiableMap(new LinkedHashMap<>(effects));
  }

  /** The channels and the kinds of effects; never what was written. */
  @Override
  public String toString() {
    return "Changes" + effects;
  }

  public boolean isEmpty() {
    return effects.isEmpty();
  }
}
