package io.superstep.checkpoint;

import java.util.List;

/**
 * Why a run stops although work is due: nodes before which, and nodes after which, somebody wanted
 * to have a look.
 */
public record Pause(List<String> before, List<String> after) {

  /** Nobody wanted the run to stop. */
  public static final Pause NONE = new Pause(List.of(), List.of());

  public Pause {
    before = List.copyOf(before);
    after = List.copyOf(after);
  }

  public static Pause of(List<String> before, List<String> after) {
    return before.isEmpty() && after.isEmpty() ? NONE : new Pause(before, after);
  }

  public boolean isEmpty() {
    return before.isEmpty() && after.isEmpty();
  }
}
