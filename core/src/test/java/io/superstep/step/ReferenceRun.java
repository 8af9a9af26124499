package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;

import io.superstep.checkpoint.Position;
import io.superstep.graph.Graph;
import io.superstep.graph.Join;
import io.superstep.state.Write;
import io.superstep.step.Sketch.Edge;
import io.superstep.step.Sketch.Kind;
import io.superstep.step.Sketch.Limit;
import io.superstep.step.Sketch.Said;
import io.superstep.step.Sketch.Sent;
import io.superstep.step.Sketch.Wait;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows E1 to E7 and E12 as they are written, over names and sets, with no thought for speed:
 * every step looks at the whole graph.
 */
final class ReferenceRun {

  /** A node that is due; {@code parcel} is null unless it was sent. */
  record Turn(String node, @Nullable Integer parcel) {}

  /** Everything about a run that its rows speak of. */
  record View(
      List<Turn> due,
      List<String> deferred,
      Map<Wait, Set<String>> arrivals,
      Map<String, Integer> visits,
      List<String> pausedBefore,
      List<String> pausedAfter,
      int count,
      List<String> log) {

    /** What the algorithm says of the same things. */
    static View of(Position position, Graph graph) {
      Map<Wait, Set<String>> arrivals = new LinkedHashMap<>();
      for (Join join : graph.joins()) {
        Set<String> arrived = position.arrivals().get(join.key());
        if (arrived != null) {
          arrivals.put(new Wait(join.sources(), join.target().name()), arrived);
        }
      }
      return new View(
          position.due().stream()
              .map(due ->
                  new Turn(due.node(), due.isSend() ? parcel(due.arguments().writes()) : null))
              .toList(),
          position.deferred(),
          arrivals,
          position.visits(),
          position.pause().before(),
          position.pause().after(),
          position.state().get(Sketch.COUNT),
          position.state().get(Sketch.LOG));
    }

    private static @Nullable Integer parcel(List<Write> arguments) {
      return (Integer) arguments.get(0).value();
    }
  }

  private final Sketch sketch;
  private List<Turn> due = List.of();
  private Set<String> deferred = new LinkedHashSet<>();
  private Map<Wait, Set<String>> arrivals = new LinkedHashMap<>();
  private Map<String, Integer> visits = new LinkedHashMap<>();
  private List<String> pausedBefore = List.of();
  private List<String> pausedAfter = List.of();
  private int count;
  private final List<String> log = new ArrayList<>();

  private final Set<String> triggered = new LinkedHashSet<>();
  private final List<Turn> sent = new ArrayList<>();
  private final Set<String> left = new LinkedHashSet<>();
  private final Set<Wait> fired = new LinkedHashSet<>();

  ReferenceRun(Sketch sketch) {
    this.sketch = sketch;
  }

  View view() {
    return new View(
        due,
        declared(deferred),
        Map.copyOf(arrivals),
        Map.copyOf(visits),
        pausedBefore,
        pausedAfter,
        count,
        List.copyOf(log));
  }

  boolean isPaused() {
    return !pausedBefore.isEmpty() || !pausedAfter.isEmpty();
  }

  /** Somebody had a look. */
  void resume() {
    pausedBefore = List.of();
    pausedAfter = List.of();
  }

  /**
   * A turn begins: joins are empty, nobody was visited, and the ways out of the start are taken.
   */
  void open(int input) {
    count += input;
    deferred = new LinkedHashSet<>();
    arrivals = new LinkedHashMap<>();
    visits = new LinkedHashMap<>();
    leave(START);
    settle(Set.of());
  }

  /** E6: the deferred nodes run when nothing else is due. */
  List<Turn> ready() {
    return due.isEmpty()
        ? declared(deferred).stream().map(node -> new Turn(node, null)).toList()
        : due;
  }

  /** All that is due runs on what the step before it left, and is folded in its order. */
  void step() {
    List<Turn> running = ready();
    if (due.isEmpty()) {
      deferred = new LinkedHashSet<>();
    }
    List<Said> said = new ArrayList<>();
    for (Turn turn : running) {
      said.add(sketch.said(turn.node(), count, turn.parcel()));
      log.add(Sketch.entry(turn.node(), count, turn.parcel()));
    }
    count += said.stream().mapToInt(Said::adds).sum();
    Set<String> ran = new LinkedHashSet<>();
    for (int task = 0; task < running.size(); task++) {
      String node = running.get(task).node();
      ran.add(node);
      said.get(task).sends().forEach(this::send);
      if (said.get(task).goTo().isEmpty()) {
        leave(node);
      } else {
        said.get(task).goTo().forEach(this::trigger);
      }
    }
    settle(ran);
  }

  /**
   * E12: somebody adds to the count as if {@code node} had, and its ways decide what is due.
   *
   * @return what was due and is no longer
   */
  List<Turn> act(String node, int added) {
    List<Turn> dropped = new ArrayList<>(due);
    dropped.remove(new Turn(node, null));
    dropped.forEach(turn -> forgetVisit(turn.node()));
    deferred.remove(node);
    count += added;
    leave(node);
    settle(Set.of());
    dropped.removeIf(turn -> turn.parcel() == null && due.contains(turn));
    return dropped;
  }

  /** E7 counts what runs, and what is dropped never did. */
  private void forgetVisit(String node) {
    visits.computeIfPresent(node, (limited, before) -> before == 1 ? null : before - 1);
  }

  /** E1, E2 and E3: the ways out of a node are taken once in a step, whatever its tasks. */
  private void leave(String node) {
    if (!left.add(node)) {
      return;
    }
    for (Edge edge : sketch.edges()) {
      if (edge.from().equals(node)) {
        trigger(edge.to());
      }
    }
    for (Wait join : sketch.joins()) {
      if (arrived(join).equals(join.sources()) && fired.add(join)) {
        trigger(join.target());
      }
    }
    if (sketch.forks().containsKey(node)) {
      if (sketch.forks().get(node).kind() == Kind.SENDS) {
        sketch.sent(node, count).forEach(this::send);
      } else {
        sketch.chosen(node, count).forEach(this::trigger);
      }
    }
  }

  /** E2: the sources that have completed, in this step or since the join last fired. */
  private Set<String> arrived(Wait join) {
    Set<String> arrived = new LinkedHashSet<>(join.sources());
    arrived.removeIf(source ->
        !left.contains(source) && !arrivals.getOrDefault(join, Set.of()).contains(source));
    return arrived;
  }

  /** E1 and E6: however many triggers, one run; E7: or the exit, once the limit is reached. */
  private void trigger(String node) {
    if (node.equals(END) || triggered.contains(node) || deferred.contains(node)) {
      return;
    }
    if (isUsedUp(node)) {
      trigger(sketch.limits().get(node).exit());
    } else {
      visit(node);
      (sketch.deferred().contains(node) ? deferred : triggered).add(node);
    }
  }

  /** E5: one task per send; E7: or the exit, once the limit is reached. */
  private void send(Sent send) {
    if (isUsedUp(send.node())) {
      trigger(sketch.limits().get(send.node()).exit());
    } else {
      visit(send.node());
      sent.add(new Turn(send.node(), send.parcel()));
    }
  }

  private boolean isUsedUp(String node) {
    Limit limit = sketch.limits().get(node);
    return limit != null && visits.getOrDefault(node, 0) == limit.most();
  }

  private void visit(String node) {
    if (sketch.limits().containsKey(node)) {
      visits.merge(node, 1, Integer::sum);
    }
  }

  /** E2: joins that fired are empty, others keep who arrived. E5: nodes come before sends. */
  private void settle(Set<String> ran) {
    for (Wait join : sketch.joins()) {
      Set<String> arrived = arrived(join);
      if (fired.contains(join) || arrived.isEmpty()) {
        arrivals.remove(join);
      } else {
        arrivals.put(join, arrived);
      }
    }
    due = new ArrayList<>();
    declared(triggered).forEach(node -> due.add(new Turn(node, null)));
    due.addAll(sent);
    triggered.clear();
    sent.clear();
    left.clear();
    fired.clear();
    Set<String> next = new LinkedHashSet<>();
    ready().forEach(turn -> next.add(turn.node()));
    next.retainAll(sketch.before());
    pausedBefore = declared(next);
    Set<String> done = new LinkedHashSet<>(ran);
    done.retainAll(sketch.after());
    pausedAfter = declared(done);
  }

  private List<String> declared(Collection<String> some) {
    return sketch.nodes().stream().filter(some::contains).toList();
  }
}
