package io.superstep.reactor;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Things with consecutive numbers, from 1: added at the end and dropped at the beginning, each at a
 * cost that does not depend on how many there are. Used by one JVM thread at a time.
 */
final class Numbered<T> {

  private static final int SMALLEST = 16;

  /** A ring: a thing lies where its number says, so that moving to another size keeps it found. */
  private @Nullable Object[] ring = new Object[SMALLEST];

  private long first = 1;
  private long next = 1;

  /** The lowest number that is there; that of the next thing if there is none. */
  long first() {
    return first;
  }

  /** The number of the thing that will be added next. */
  long next() {
    return next;
  }

  boolean isEmpty() {
    return first == next;
  }

  void add(T thing) {
    if (next - first == ring.length) {
      resize(ring.length * 2);
    }
    ring[at(next, ring.length)] = thing;
    next++;
  }

  /** @param number of something that is there */
  @SuppressWarnings("unchecked") // only add puts something in
  T get(long number) {
    Objects.checkIndex(number - first, next - first);
    return (T) Objects.requireNonNull(ring[at(number, ring.length)]);
  }

  /** Drops all below {@code number}, as far as it is there, and says how many went. */
  long dropBefore(long number) {
    if (number <= first) {
      return 0; // also for numbers whose distance from the first does not fit into a long
    }
    long end = Math.min(number, next);
    long dropped = end - first;
    for (; first < end; first++) {
      ring[at(first, ring.length)] = null;
    }
    int fitting = ring.length;
    while (fitting > SMALLEST && next - first <= fitting / 4) {
      fitting /= 2;
    }
    if (fitting < ring.length) {
      resize(fitting);
    }
    return dropped;
  }

  private void resize(int length) {
    @Nullable Object[] other = new Object[length];
    for (long number = first; number < next; number++) {
      other[at(number, length)] = ring[at(number, ring.length)];
    }
    ring = other;
  }

  private static int at(long number, int length) {
    return (int) (number & (length - 1)); // a power of two
  }
}
