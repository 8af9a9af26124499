package io.superstep.build.architecture.broken.graph;

import io.superstep.build.architecture.broken.state.LooksUpAtTheGraph;

public final class GraphManager {
  final LooksUpAtTheGraph node = new LooksUpAtTheGraph();
}
