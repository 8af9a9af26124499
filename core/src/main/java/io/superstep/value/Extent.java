package io.superstep.value;

import org.jspecify.annotations.Nullable;

/**
 * How far a frozen container goes, kept with it so that nobody has to walk it again.
 *
 * @param depth how many containers stand in each other, the outermost included
 * @param weight about how many bytes all of it takes in storage; what stands there twice counts
 *     twice
 */
record Extent(int depth, long weight) {

  static final Extent EMPTY = new Extent(1, Freezing.CONTAINER);

  /** The extent with {@code count} more elements. */
  Extent with(@Nullable Object[] elements, int from, int count) {
    int deepest = depth;
    long total = weight + (long) Freezing.ELEMENT * count;
    for (int i = from; i < from + count; i++) {
      deepest = Math.max(deepest, Freezing.depth(elements[i]) + 1);
      total += Freezing.weight(elements[i]);
    }
    return new Extent(deepest, total);
  }

  /** The extent with one element in place of another. */
  Extent replacing(@Nullable Object old, @Nullable Object element) {
    return new Extent(
        Math.max(depth, Freezing.depth(element) + 1),
        weight - Freezing.weight(old) + Freezing.weight(element));
  }
}
