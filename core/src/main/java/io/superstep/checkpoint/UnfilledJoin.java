package io.superstep.checkpoint;

import java.util.List;

/** A join that some of its sources have reached and others have not. */
public record UnfilledJoin(String target, List<String> arrived, List<String> missing) {

  public UnfilledJoin {
    arrived = List.copyOf(arrived);
    missing = List.copyOf(missing);
  }
}
