package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;

import io.superstep.graph.InvalidGraphException;
import io.superstep.step.Sketch.Edge;
import io.superstep.step.Sketch.Fork;
import io.superstep.step.Sketch.Kind;
import io.superstep.step.Sketch.Limit;
import io.superstep.step.Sketch.Wait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Draws legal graphs: first a way to every node from those before it, then more ways in any
 * direction, joins, limits and pauses. What cannot be built is thrown away.
 */
final class RandomGraphs {

  private final Random random;
  private final List<String> nodes = new ArrayList<>();
  private final List<List<String>> sequences = new ArrayList<>();
  private final Set<Edge> edges = new LinkedHashSet<>();
  private final Set<Wait> joins = new LinkedHashSet<>();
  private final Map<String, Fork> forks = new LinkedHashMap<>();
  private final Map<String, Set<String>> commands = new LinkedHashMap<>();
  private final Map<String, Limit> limits = new LinkedHashMap<>();

  private RandomGraphs(Random random) {
    this.random = random;
  }

  /** The next graph that can be built. */
  static Sketch next(Random random) {
    return Stream.generate(() -> new RandomGraphs(random).draw())
        .filter(RandomGraphs::isLegal)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isLegal(Sketch sketch) {
    try {
      sketch.graph();
      return true;
    } catch (InvalidGraphException thrownAway) {
      return false;
    }
  }

  private Sketch draw() {
    String prefix = onceIn(2) ? "n" : "z";
    for (int node = 2 + random.nextInt(8); node > 0; node--) {
      nodes.add(prefix + node);
    }
    for (int node = 0; node < nodes.size(); node++) {
      leadTo(node);
    }
    for (int more = random.nextInt(nodes.size()); more > 0; more--) {
      way(any(nodes), any(nodes));
    }
    for (int more = random.nextInt(3); more > 0; more--) {
      join(nodes, any(nodes));
    }
    if (onceIn(2)) {
      unequalBranches();
    }
    drawLimits();
    leadOut();
    List<String> declared = new ArrayList<>(nodes);
    Collections.shuffle(declared, random);
    return new Sketch(
        random.nextLong(),
        declared,
        sequences,
        edges,
        joins,
        forks,
        commands,
        limits,
        some(8),
        some(14),
        some(14));
  }

  private void leadTo(int node) {
    List<String> earlier = nodes.subList(0, node);
    String to = nodes.get(node);
    if (node == 0 || onceIn(8)) {
      enter(to);
    } else if (node > 1 && onceIn(4)) {
      join(earlier, to);
    } else {
      way(any(earlier), to);
    }
  }

  private void enter(String to) {
    if (onceIn(4)) {
      fork(START, to);
    } else {
      edges.add(new Edge(START, to));
    }
  }

  private void way(String from, String to) {
    int kind = random.nextInt(8);
    if (kind < 4) {
      edges.add(new Edge(from, to));
    } else if (kind < 7) {
      fork(from, to);
    } else {
      commands.computeIfAbsent(from, any -> new LinkedHashSet<>()).add(to);
    }
  }

  private void fork(String from, String to) {
    Kind kind = any(List.of(Kind.values()));
    Fork fork = forks.computeIfAbsent(from, any -> new Fork(kind, new LinkedHashSet<>()));
    fork.targets().add(to);
    if (onceIn(4) && fork.kind() != Kind.SENDS) {
      fork.targets().add(END);
    }
  }

  private void join(List<String> among, String target) {
    Set<String> sources = new LinkedHashSet<>();
    for (int source = 2 + random.nextInt(2); source > 0; source--) {
      sources.add(any(among));
    }
    if (sources.size() > 1) {
      joins.add(new Wait(sources, target));
    }
  }

  /** A short and a long branch that meet in a join, which perhaps begins them anew. */
  private void unequalBranches() {
    String from = any(nodes);
    List<String> long1ThenLong2 = List.of(from, "long1", "long2");
    List<String> long2ThenLong1 = List.of(from, "long2", "long1");
    List<String> branch = onceIn(2) ? long1ThenLong2 : long2ThenLong1;
    sequences.add(List.of(from, "short"));
    sequences.add(branch);
    Set<String> sources = new LinkedHashSet<>(List.of("short", branch.get(2)));
    if (onceIn(2)) {
      joins.add(new Wait(sources, onceIn(2) ? from : any(nodes)));
    } else {
      joins.add(new Wait(sources, "meet"));
      edges.add(new Edge("meet", onceIn(2) ? END : from));
      nodes.add("meet");
    }
    nodes.addAll(List.of("short", "long1", "long2"));
  }

  private void drawLimits() {
    for (String node : nodes) {
      if (onceIn(5)) {
        limits.put(node, new Limit(1 + random.nextInt(3), onceIn(3) ? END : any(nodes)));
      }
      if (onceIn(10)) {
        commands.computeIfAbsent(node, any -> new LinkedHashSet<>()).add(END);
      }
    }
  }

  private void leadOut() {
    Set<String> leaving = new LinkedHashSet<>(forks.keySet());
    leaving.addAll(commands.keySet());
    edges.forEach(edge -> leaving.add(edge.from()));
    joins.forEach(join -> leaving.addAll(join.sources()));
    sequences.forEach(path -> leaving.addAll(path.subList(0, path.size() - 1)));
    for (String node : nodes) {
      if (!leaving.contains(node) || onceIn(12)) {
        edges.add(new Edge(node, END));
      }
    }
  }

  private Set<String> some(int oneIn) {
    Set<String> some = new LinkedHashSet<>();
    nodes.stream().filter(node -> onceIn(oneIn)).forEach(some::add);
    return some;
  }

  private <T> T any(List<T> among) {
    return among.get(random.nextInt(among.size()));
  }

  private boolean onceIn(int times) {
    return random.nextInt(times) == 0;
  }
}
