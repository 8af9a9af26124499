package io.superstep.graph;

import java.util.List;

/** The nodes a route may choose from; made by {@link Graph#to}. */
public record Targets(List<String> names) {

  public Targets {
    names = names.stream().map(String::valueOf).toList();
  }
}
