package io.superstep.state;

import org.jspecify.annotations.Nullable;

/**
 * A stored channel that the schema of a state does not know, as the schema left it that did: it
 * travels along, and is there again for a schema that knows it.
 *
 * @param version how many folds had changed it
 */
record KeptChannel(String name, @Nullable Object value, int version) {

  /** The channel, never what it holds. */
  @Override
  public String toString() {
    return name + "@" + version;
  }
}
