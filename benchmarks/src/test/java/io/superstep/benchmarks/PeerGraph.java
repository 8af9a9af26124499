package io.superstep.benchmarks;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A graph of a peer, ready to run. */
@FunctionalInterface
interface PeerGraph {

  /** Runs it once and gives back what its state holds, or what was counted. */
  Map<String, Object> run();

  /** A graph that is made when it is first run: whoever does not run it does not load its peer. */
  static PeerGraph lazily(Supplier<PeerGraph> maker) {
    return new PeerGraph() {

      private @Nullable PeerGraph made;

      @Override
      public Map<String, Object> run() {
        PeerGraph graph = made;
        if (graph == null) {
          graph = maker.get();
          made = graph;
        }
        return graph.run();
      }
    };
  }
}
