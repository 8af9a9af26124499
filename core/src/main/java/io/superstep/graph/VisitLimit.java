package io.superstep.graph;

/**
 * How often a node may run in one turn of its thread, and where to go in its place from then on.
 *
 * @param exit a node, or {@link Graph#END}
 */
public record VisitLimit(int most, String exit) {

  /** When the exit is taken, in words. */
  String label() {
    return "after " + most + (most == 1 ? " visit" : " visits");
  }
}
