package io.superstep.benchmarks;

import java.util.Map;

/** A graph of a peer, ready to run. */
@FunctionalInterface
interface PeerGraph {

  /** Runs it once and gives back what its state holds. */
  Map<String, Object> run();
}
