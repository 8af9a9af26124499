package io.superstep.graph;

import io.superstep.state.NodeOutput;

/**
 * A piece of output for those who watch the run, such as a token of a model. It is streamed when it
 * is emitted and never becomes state.
 */
public record Chunk(Object content) implements NodeOutput {

  /** That it is a chunk; never what is in it. */
  @Override
  public String toString() {
    return "Chunk";
  }
}
