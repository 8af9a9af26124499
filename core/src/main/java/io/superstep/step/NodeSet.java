package io.superstep.step;

import io.superstep.graph.Node;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Nodes in the order of their declaration, each once.
 *
 * <p>Most steps have one node, which needs no array, or know them in their order already; then
 * adding one costs no more than a place in an array, and nothing has to be sorted in the end.
 */
final class NodeSet {

  private static final Node[] NO_ROOM = new Node[0];

  /** No node. It is never added to: {@link #with} gives another one. */
  static final NodeSet NONE = new NodeSet(null);

  /** The only node there ever was; null if there is none or there is room for several. */
  private @Nullable Node only;

  /** Room for several nodes. */
  private Node[] nodes = NO_ROOM;

  private int size;

  private NodeSet(@Nullable Node only) {
    this.only = only;
    this.size = only == null ? 0 : 1;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** The node at a place in the order, from 0. */
  Node get(int place) {
    return only == null ? nodes[place] : only;
  }

  boolean contains(Node node) {
    return only == null ? place(node) >= 0 : node == only;
  }

  /** The set to go on with, which has {@code node} too; this one must not be used any more. */
  NodeSet with(Node node) {
    if (this == NONE) {
      return new NodeSet(node);
    }
    if (node == only) {
      return this;
    }
    makeRoom();
    int place = place(node);
    if (place < 0) {
      insert(~place, node);
    }
    return this;
  }

  private void makeRoom() {
    if (only != null) {
      nodes = new Node[4];
      nodes[0] = only;
      only = null;
    }
  }

  private void insert(int place, Node node) {
    if (size == nodes.length) {
      nodes = Arrays.copyOf(nodes, size * 2);
    }
    System.arraycopy(nodes, place, nodes, place + 1, size - place);
    nodes[place] = node;
    size++;
  }

  void remove(Node node) {
    makeRoom();
    int place = place(node);
    if (place >= 0) {
      System.arraycopy(nodes, place + 1, nodes, place, size - place - 1);
      size--;
    }
  }

  /** Where {@code node} stands; if nowhere, the complement of where it would. */
  private int place(Node node) {
    int low = 0;
    int high = size - 1;
    int ordinal = node.ordinal();
    if (high >= 0 && nodes[high].ordinal() < ordinal) {
      return ~size;
    }
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = nodes[middle].ordinal();
      if (found == ordinal) {
        return middle;
      } else if (found < ordinal) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return ~low;
  }
}
