package io.superstep.build.architecture.broken.graph;

public final class GraphManager {
  private static final Object NODE =
      new io.superstep.build.architecture.broken.state.LooksUpAtTheGraph();

  Object node() {
    return NODE;
  }
}
