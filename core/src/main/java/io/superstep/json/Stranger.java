package io.superstep.json;

/**
 * A stored channel that the schema does not know, kept as the text it was.
 *
 * @param version how many folds had changed it
 */
record Stranger(String json, int version) {

  /** The channel, never what it holds. */
  @Override
  public String toString() {
    return "Stranger@" + version;
  }
}
