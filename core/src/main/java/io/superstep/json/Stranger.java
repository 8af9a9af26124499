package io.superstep.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored channel that the schema does not know, kept as the texts it was.
 *
 * @param json what it held; null if nothing was stored of it but what happened to it since
 * @param version how many folds had changed it then
 * @param effects what happened to it since, one fold after the other
 */
record Stranger(@Nullable String json, int version, List<String> effects) {

  static final Stranger NEW = new Stranger(null, 0, List.of());

  Stranger {
    effects = List.copyOf(effects);
  }

  Stranger after(String effect) {
    List<String> more = new ArrayList<>(effects);
    more.add(effect);
    return new Stranger(json, version, more);
  }

  /** The channel, never what it holds. */
  @Override
  public String toString() {
    return "Stranger@" + (version + effects.size());
  }
}
