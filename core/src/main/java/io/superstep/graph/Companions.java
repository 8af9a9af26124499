package io.superstep.graph;

import io.superstep.graph.Ways.Kind;
import io.superstep.graph.Ways.Way;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes always run in the same step: those that the same node leads to by plain edges and
 * nothing else, over the same number of steps. A node that may go elsewhere by a command leads to
 * all of its edges or to none, so its own companions need not have company after it.
 */
final class Companions {

  private final Ways ways;
  private final Set<Integer> deferred = new HashSet<>();
  private final Set<Integer> wayward = new HashSet<>();
  private final Map<Integer, Place> places = new HashMap<>();

  Companions(Ways ways, Blueprint blueprint) {
    this.ways = ways;
    for (NodeDraft node : blueprint.nodes()) {
      int number = ways.number(node.name());
      if (node.isDeferred()) {
        deferred.add(number);
      }
      if (node.mayGoTo().isPresent()) {
        wayward.add(number);
      }
    }
    findPlaces();
  }

  /** A number of steps after a node; nodes of the same place run together. */
  record Place(int after, int steps) {}

  Place placeOf(String node) {
    return placeOf(ways.number(node));
  }

  private Place placeOf(int node) {
    return places.getOrDefault(node, new Place(node, 0));
  }

  private void findPlaces() {
    Deque<Integer> open = new ArrayDeque<>();
    for (int node = 0; node <= ways.start(); node++) {
      if (!follows(node)) {
        open.push(node);
      }
    }
    while (!open.isEmpty()) {
      int node = open.pop();
      Place place = wayward.contains(node) ? new Place(node, 0) : placeOf(node);
      for (Way way : ways.outOf(node)) {
        if (follows(way.to())) {
          places.put(way.to(), new Place(place.after(), place.steps() + 1));
          open.push(way.to());
        }
      }
    }
  }

  /** Whether {@code node} runs a step after one other node, and never else. */
  private boolean follows(int node) {
    List<Way> in = ways.into(node);
    return in.size() == 1 && in.get(0).kind() == Kind.EDGE && !deferred.contains(node);
  }
}
