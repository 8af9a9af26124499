package io.superstep.graph;

import io.superstep.graph.Ways.Way;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Where a run can go round: the strongly connected components of a graph that have a cycle, and
 * which ways start them over.
 *
 * <p>Nodes get a rank, the reverse post-order of a walk from the start. Inside a component a way to
 * a node of the same or a lower rank leads back; as ranks cannot grow for ever, every cycle has
 * such a way, and whoever counts those counts the rounds. Both walks are iterative, because a graph
 * may be a chain of ten thousand nodes.
 */
final class Loops {

  private static final int UNSEEN = -1;

  private final Ways ways;
  private final int[] rank;
  private final int[] loop;
  private final List<List<Integer>> members = new ArrayList<>();

  Loops(Ways ways) {
    this.ways = ways;
    this.rank = new int[ways.start() + 1];
    this.loop = new int[ways.start() + 1];
    Arrays.fill(loop, UNSEEN);
    rankNodes();
    findComponents();
  }

  /** Whether the way from one node to the other starts a loop over. */
  boolean leadsBack(int from, int to) {
    return loop[from] != UNSEEN && loop[from] == loop[to] && rank[to] <= rank[from];
  }

  /** Whether {@code node} can be reached from itself. */
  boolean contains(int node) {
    return loop[node] != UNSEEN;
  }

  /** The first node of the loop that {@code node} is part of. */
  int first(int node) {
    return members.get(loop[node]).get(0);
  }

  /** The nodes of the loop that {@code node} is part of, in the order of declaration. */
  List<Integer> membersWith(int node) {
    return contains(node) ? members.get(loop[node]) : List.of();
  }

  private void rankNodes() {
    int next = rank.length;
    boolean[] seen = new boolean[rank.length];
    for (int root = ways.start(); root >= 0; root--) {
      next = seen[root] ? next : rankFrom(root, seen, next);
    }
  }

  private int rankFrom(int root, boolean[] seen, int last) {
    int next = last;
    Deque<Walk> path = new ArrayDeque<>();
    path.push(new Walk(root));
    seen[root] = true;
    while (!path.isEmpty()) {
      Walk walk = path.element();
      int to = walk.step();
      if (to == UNSEEN) {
        rank[path.pop().node] = --next;
      } else if (!seen[to]) {
        seen[to] = true;
        path.push(new Walk(to));
      }
    }
    return next;
  }

  /** Tarjan's algorithm. */
  private void findComponents() {
    int[] index = new int[rank.length];
    int[] low = new int[rank.length];
    boolean[] open = new boolean[rank.length];
    Arrays.fill(index, UNSEEN);
    Deque<Integer> stack = new ArrayDeque<>();
    Deque<Walk> path = new ArrayDeque<>();
    int count = 0;
    for (int root = 0; root < rank.length; root++) {
      if (index[root] != UNSEEN) {
        continue;
      }
      path.push(new Walk(root));
      while (!path.isEmpty()) {
        Walk walk = path.element();
        int node = walk.node;
        if (index[node] == UNSEEN) {
          index[node] = count;
          low[node] = count++;
          stack.push(node);
          open[node] = true;
        }
        int to = walk.step();
        if (to == UNSEEN) {
          path.pop();
          if (!path.isEmpty()) {
            low[path.element().node] = Math.min(low[path.element().node], low[node]);
          }
          if (low[node] == index[node]) {
            close(node, stack, open);
          }
        } else if (index[to] == UNSEEN) {
          path.push(new Walk(to));
        } else if (open[to]) {
          low[node] = Math.min(low[node], index[to]);
        }
      }
    }
  }

  private void close(int root, Deque<Integer> stack, boolean[] open) {
    List<Integer> component = new ArrayList<>();
    int node;
    do {
      node = stack.pop();
      open[node] = false;
      component.add(node);
    } while (node != root);
    if (component.size() > 1 || ways.outOf(root).stream().anyMatch(way -> way.to() == root)) {
      component.sort(null);
      component.forEach(member -> loop[member] = members.size());
      members.add(List.copyOf(component));
    }
  }

  /** A node on the path of a walk, and how many of its ways were taken. */
  private final class Walk {

    private final int node;
    private final List<Way> out;
    private int taken;

    Walk(int node) {
      this.node = node;
      this.out = ways.outOf(node);
    }

    int step() {
      return taken < out.size() ? out.get(taken++).to() : UNSEEN;
    }
  }
}
