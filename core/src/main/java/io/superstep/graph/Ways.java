package io.superstep.graph;

import io.superstep.error.DidYouMean;
import io.superstep.graph.Blueprint.Edge;
import io.superstep.graph.Blueprint.JoinEdge;
import io.superstep.graph.Blueprint.RouteEdge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * All ways a run could take from node to node, by number: nodes count from 0 in the order in which
 * they were declared, and the start comes after the last.
 *
 * <p>A misspelt name counts as the name that was probably meant, so that one slip is told as one
 * problem and not as a graph that falls apart; for the same reason a way from a name that nobody
 * knows counts as one from the start.
 */
final class Ways {

  /** Texts that look like START or END, and are neither. */
  private static final Map<String, String> LOOKALIKES = Map.of(
      "start", Graph.START, "__start__", Graph.START, "end", Graph.END, "__end__", Graph.END);

  /** Each guess looks at all names; who needs more of them than this made no slip of the pen. */
  private static final int MOST_GUESSES = 100;

  private final Collection<String> known;
  private final Map<String, Integer> ordinals = new HashMap<>();
  private final Map<String, Optional<String>> guesses = new HashMap<>();
  private final List<List<Way>> out = new ArrayList<>();
  private final List<List<Way>> in = new ArrayList<>();
  private final List<JoinWay> joins = new ArrayList<>();

  Ways(Blueprint blueprint) {
    known = blueprint.names();
    known.forEach(name -> ordinals.put(name, ordinals.size()));
    for (int node = 0; node <= ordinals.size(); node++) {
      out.add(new ArrayList<>(2));
      in.add(new ArrayList<>(2));
    }
    for (Edge edge : blueprint.edges()) {
      add(edge.from(), edge.to(), Kind.EDGE);
    }
    for (RouteEdge route : blueprint.routes()) {
      Kind kind = route.route().kind() == Route.Kind.ONE ? Kind.CHOICE : Kind.OTHER;
      route.route().targets().forEach(target -> add(route.from(), target, kind));
    }
    for (NodeDraft node : blueprint.drafts()) {
      node.mayGoTo()
          .ifPresent(to -> to.names().forEach(name -> add(node.name(), name, Kind.OTHER)));
      node.limit().ifPresent(limit -> add(node.name(), limit.exit(), Kind.OTHER));
    }
    for (JoinEdge join : blueprint.joins()) {
      addJoin(join);
    }
    for (Edge aside : blueprint.asides()) {
      add(aside.from(), aside.to(), Kind.OTHER);
    }
  }

  /** What makes a run take a way. */
  enum Kind {
    /** The completion of the source, always. */
    EDGE,
    /** The choice of this one way among several. */
    CHOICE,
    /** The completion of the source, when others have completed too. */
    JOIN,
    /** A send, one of several choices, a command, a limit. */
    OTHER
  }

  record Way(int from, int to, Kind kind) {}

  record JoinWay(List<Integer> sources, int target, JoinEdge said) {}

  private void add(String from, String to, Kind kind) {
    int source = isStart(from) ? start() : number(from);
    int target = number(to);
    if (target >= 0) {
      add(source >= 0 ? new Way(source, target, kind) : new Way(start(), target, Kind.OTHER));
    }
  }

  private void add(Way way) {
    out.get(way.from()).add(way);
    in.get(way.to()).add(way);
  }

  private void addJoin(JoinEdge join) {
    int target = number(join.target());
    List<Integer> sources = join.sources().names().stream()
        .map(this::number)
        .filter(source -> source >= 0)
        .distinct()
        .toList();
    if (target >= 0) {
      if (sources.isEmpty()) {
        add(new Way(start(), target, Kind.OTHER));
      } else {
        joins.add(new JoinWay(sources, target, join));
        sources.forEach(source -> add(new Way(source, target, Kind.JOIN)));
      }
    }
  }

  /** START or END, if {@code name} is a text that was probably meant to be one of them. */
  static Optional<String> lookalike(String name) {
    return Optional.ofNullable(LOOKALIKES.get(name.toLowerCase(Locale.ROOT)));
  }

  /** Whether {@code name} is START, or was probably meant to be. */
  boolean isStart(String name) {
    return name.equals(Graph.START)
        || (!knows(name) && lookalike(name).filter(Graph.START::equals).isPresent());
  }

  boolean knows(String name) {
    return ordinals.containsKey(name);
  }

  /** The number of the node that is called so, or was probably meant; -1 if there is none. */
  int number(String name) {
    return meant(name).map(ordinals::get).orElse(-1);
  }

  /** The name of the node that is called so, or was probably meant. */
  Optional<String> meant(String name) {
    if (ordinals.containsKey(name)) {
      return Optional.of(name);
    }
    return name.equals(Graph.END) || name.equals(Graph.START) || lookalike(name).isPresent()
        ? Optional.empty()
        : guesses.computeIfAbsent(name, this::guess);
  }

  private Optional<String> guess(String slip) {
    return guesses.size() < MOST_GUESSES ? DidYouMean.among(known, slip) : Optional.empty();
  }

  int start() {
    return ordinals.size();
  }

  List<Way> outOf(int node) {
    return Collections.unmodifiableList(out.get(node));
  }

  List<Way> into(int node) {
    return Collections.unmodifiableList(in.get(node));
  }

  List<JoinWay> joins() {
    return Collections.unmodifiableList(joins);
  }
}
