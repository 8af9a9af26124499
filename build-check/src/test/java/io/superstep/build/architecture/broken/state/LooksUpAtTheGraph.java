package io.superstep.build.architecture.broken.state;

import io.superstep.build.architecture.broken.graph.GraphManager;
import org.jspecify.annotations.Nullable;

public final class LooksUpAtTheGraph {
  @Nullable
  GraphManager graph;
}
