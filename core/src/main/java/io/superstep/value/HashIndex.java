package io.superstep.value;

import org.jspecify.annotations.Nullable;

/**
 * Where each key stands in a list: a persistent hash trie from keys to positions.
 *
 * <p>Each level of the trie takes five bits of the hash; a node holds only the children that exist
 * and a bitmap that says which. Adding a key copies the nodes on its path and shares all others, so
 * every older index stays as it was. Keys whose hashes are equal form a chain in one leaf. Keys are
 * never taken out: whoever drops a key builds a new index.
 */
final class HashIndex {

  static final HashIndex EMPTY = new HashIndex(new Node(0, new Object[0]));

  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;

  private final Node root;

  private HashIndex(Node root) {
    this.root = root;
  }

  /** The position of {@code key}, or -1. */
  int position(Object key) {
    int hash = spread(key);
    Node node = root;
    for (int shift = 0; ; shift += BITS) {
      Object child = node.child(hash >>> shift);
      if (child instanceof Node deeper) {
        node = deeper;
      } else {
        return child == null ? -1 : ((Leaf) child).position(key);
      }
    }
  }

  /** An index in which {@code key} stands at {@code position}, whether it was known or not. */
  HashIndex with(Object key, int position) {
    return new HashIndex(root.with(new Leaf(key, spread(key), position, null), 0));
  }

  private static int spread(Object key) {
    int hash = (key instanceof String text ? hash(text) : key.hashCode()) * 0x9E3779B9;
    return hash ^ (hash >>> 16);
  }

  /**
   * Texts come from callers, and texts with equal hash codes are easy to make up; these are less
   * so.
   */
  private static int hash(String text) {
    int hash = 0x811C9DC5;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x01000193;
      hash ^= hash >>> 15;
    }
    return hash;
  }

  private static final class Node {

    private final int bitmap;
    private final Object[] children;

    Node(int bitmap, Object[] children) {
      this.bitmap = bitmap;
      this.children = children;
    }

    @Nullable
    Object child(int hash) {
      int bit = 1 << (hash & MASK);
      return (bitmap & bit) == 0 ? null : children[index(bit)];
    }

    Node with(Leaf leaf, int shift) {
      int bit = 1 << ((leaf.hash >>> shift) & MASK);
      int index = index(bit);
      if ((bitmap & bit) == 0) {
        Object[] wider = new Object[children.length + 1];
        System.arraycopy(children, 0, wider, 0, index);
        wider[index] = leaf;
        System.arraycopy(children, index, wider, index + 1, children.length - index);
        return new Node(bitmap | bit, wider);
      }
      Object[] copy = children.clone();
      copy[index] = joined(children[index], leaf, shift + BITS);
      return new Node(bitmap, copy);
    }

    private static Object joined(Object child, Leaf leaf, int shift) {
      if (child instanceof Node node) {
        return node.with(leaf, shift);
      }
      Leaf resident = (Leaf) child;
      if (resident.hash == leaf.hash) {
        return resident.with(leaf);
      }
      return new Node(0, new Object[0]).with(resident, shift).with(leaf, shift);
    }

    private int index(int bit) {
      return Integer.bitCount(bitmap & (bit - 1));
    }
  }

  private record Leaf(
      Object key, int hash, int position, @Nullable Leaf next) {

    int position(Object wanted) {
      for (Leaf leaf = this; leaf != null; leaf = leaf.next) {
        if (leaf.key.equals(wanted)) {
          return leaf.position;
        }
      }
      return -1;
    }

    /** This chain with {@code other} in front, and without what was known of its key. */
    Leaf with(Leaf other) {
      Leaf rest = position(other.key) < 0 ? this : without(other.key);
      return new Leaf(other.key, hash, other.position, rest);
    }

    private @Nullable Leaf without(Object unwanted) {
      Leaf chain = null;
      for (Leaf leaf = this; leaf != null; leaf = leaf.next) {
        if (!leaf.key.equals(unwanted)) {
          chain = new Leaf(leaf.key, hash, leaf.position, chain);
        }
      }
      return chain;
    }
  }
}
