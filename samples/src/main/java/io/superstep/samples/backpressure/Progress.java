package io.superstep.samples.backpressure;

import java.util.Locale;

/**
 * How far a node and its reader are.
 *
 * @param made the chunks that the node has made
 * @param read the chunks that the reader is done with
 */
record Progress(int made, int read) {

  /** The chunks that lie between the two. */
  int ahead() {
    return made - read;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%8d %8d %8d", made, read, ahead());
  }
}
