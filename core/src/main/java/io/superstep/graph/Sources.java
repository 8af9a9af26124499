package io.superstep.graph;

import java.util.List;

/** The nodes a join waits for; made by {@link Graph#all}. */
public record Sources(List<String> names) {

  public Sources {
    names = names.stream().map(String::valueOf).toList();
  }
}
