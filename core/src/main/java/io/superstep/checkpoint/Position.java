package io.superstep.checkpoint;

import io.superstep.state.State;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a run stands between two steps: its state, and all that decides what comes next.
 *
 * @param origin what makes the ids of its tasks unique: the thread and the checkpoint at which this
 *     line of steps began
 * @param step how many steps were committed since
 * @param due what runs next, in plan order: nodes in the order of their declaration, then sends in
 *     the order in which they were sent
 * @param deferred nodes whose turn comes when nothing else is due, in the order of declaration
 * @param arrivals by the key of a join that is partly filled, which of its sources have completed
 * @param visits how often the nodes that have a limit have run in this turn, what is due included
 * @param pause why nothing may run before somebody has had a look
 */
public record Position(
    String origin,
    int step,
    State state,
    List<Due> due,
    List<String> deferred,
    Map<String, Set<String>> arrivals,
    Map<String, Integer> visits,
    Pause pause) {

  public Position {
    due = List.copyOf(due);
    deferred = List.copyOf(deferred);
    arrivals = sealed(arrivals);
    visits = ordered(visits);
  }

  private static Map<String, Set<String>> sealed(Map<String, Set<String>> arrivals) {
    if (arrivals.isEmpty()) {
      return Map.of();
    }
    Map<String, Set<String>> copy = new LinkedHashMap<>();
    arrivals.forEach((join, sources) -> copy.put(join, Set.copyOf(sources)));
    return Collections.unmodifiableMap(copy);
  }

  private static <V> Map<String, V> ordered(Map<String, V> map) {
    return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  /** What runs next: what is due, or the deferred nodes if nothing else is. */
  public List<Due> ready() {
    return due.isEmpty() && !deferred.isEmpty() ? deferred.stream().map(Due::by).toList() : due;
  }

  /** What may run now: what is ready, or nothing while the run is paused. */
  public List<Due> startable() {
    return pause.isEmpty() ? ready() : List.of();
  }

  /** The names of the nodes that run next. */
  public Set<String> nodes() {
    Set<String> nodes = new LinkedHashSet<>();
    ready().forEach(next -> nodes.add(next.node()));
    return nodes;
  }

  /** Whether nothing is left to do. */
  public boolean isFinished() {
    return due.isEmpty() && deferred.isEmpty();
  }

  /** This position after somebody has had a look: what is due may run. */
  public Position resumed() {
    return new Position(origin, step, state, due, deferred, arrivals, visits, Pause.NONE);
  }

  /** This position as part of another line of steps, whose tasks have other ids. */
  public Position under(String other) {
    return new Position(other, step, state, due, deferred, arrivals, visits, pause);
  }

  /** This position without what lives only as long as a run: what a store may keep. */
  public Position stored() {
    State kept = state.stored();
    return kept == state ? this : with(kept);
  }

  /** This position with another state. */
  public Position with(State other) {
    return new Position(origin, step, other, due, deferred, arrivals, visits, pause);
  }
}
