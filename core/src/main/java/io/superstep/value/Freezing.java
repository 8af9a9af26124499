package io.superstep.value;

import io.superstep.error.Problem;
import java.lang.reflect.Array;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One walk over a value handed in: how deep it is, how much it has seen, and which containers it
 * stands in.
 */
final class Freezing {

  /** Deeper values could overflow the stack of whoever walks them next. */
  static final int MAX_DEPTH = 500;

  private static final Object[] NOTHING = {};

  static final int CONTAINER = 16;
  static final int ELEMENT = 8;

  private final long maxSize;

  private @Nullable Object outermost;

  /** Inside the outermost one, to the innermost; most containers hold none, and need no room. */
  private Object[] standingIn = NOTHING;

  private int nesting;

  private long size;

  Freezing(long maxSize) {
    this.maxSize = maxSize;
  }

  /**
   * What leaves a frozen place: arrays as copies, everything else as it is. That it is a {@code T},
   * and null only where T allows it, was checked when it went in.
   */
  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
  static <T extends @Nullable Object> T handOut(@Nullable Object value) {
    return (T) (value != null && value.getClass().isArray() ? copy(value) : value);
  }

  static Object copy(Object array) {
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }

  static int depth(@Nullable Object frozen) {
    if (frozen instanceof FrozenList<?> list) {
      return list.depth();
    }
    if (frozen instanceof FrozenMap<?, ?> map) {
      return map.depth();
    }
    return frozen instanceof FrozenSet<?> set ? set.depth() : 0;
  }

  /** Roughly the bytes that {@code frozen} takes in storage, beside its place in a container. */
  static long weight(@Nullable Object frozen) {
    if (frozen instanceof FrozenList<?> list) {
      return list.weight();
    }
    if (frozen instanceof FrozenMap<?, ?> map) {
      return map.weight();
    }
    if (frozen instanceof FrozenSet<?> set) {
      return set.weight();
    }
    if (frozen == null || Weightless.has(frozen.getClass())) {
      return 0;
    }
    if (frozen instanceof CharSequence text) {
      return text.length();
    }
    if (frozen instanceof Number number) {
      return NumberBounds.weight(number);
    }
    return frozen.getClass().isArray()
        ? (long) Array.getLength(frozen) * (frozen instanceof byte[] ? 1 : ELEMENT)
        : 0;
  }

  /**
   * Passes on a container that is frozen already, if it may stand here. On its own it may have
   * grown beyond any limit; as a part of another value it weighs what it weighs.
   */
  <C> C pass(C frozen) {
    requireDepth(depth(frozen));
    if (nesting > 0) {
      count(weight(frozen));
    }
    return frozen;
  }

  // a container stands in itself, not in one that is equal
  void enter(Object container, int elements) {
    requireDepth(1);
    if (nesting == 0) {
      outermost = container;
    } else {
      enterInside(container, nesting - 1);
    }
    nesting++;
    count(CONTAINER + (long) ELEMENT * elements);
  }

  private void enterInside(Object container, int inside) {
    boolean again = container == outermost;
    for (int outer = 0; outer < inside; outer++) {
      again |= standingIn[outer] == container;
    }
    if (again) {
      throw new Unfit(
          "SG-203",
          "contains itself",
          "Replace the inner reference with a key of the outer value.");
    }
    if (inside == standingIn.length) {
      standingIn = Arrays.copyOf(standingIn, inside * 2 + 1);
    }
    standingIn[inside] = container;
  }

  private void requireDepth(int more) {
    if (nesting + more > MAX_DEPTH) {
      throw new Unfit(
          "SG-204",
          "is nested more than " + MAX_DEPTH + " levels deep",
          "Flatten the value, or store it as text.");
    }
  }

  void leave() {
    nesting--;
  }

  void countLeaf(Object leaf) {
    if (leaf instanceof Number number) {
      requireBounds(number);
    }
    count(weight(leaf));
  }

  /**
   * Refuses a number whose digits or scale are out of bounds.
   *
   * @throws Unfit if they are
   */
  static void requireBounds(Number number) {
    String violation = NumberBounds.violation(number);
    if (violation != null) {
      throw new Unfit(
          "SG-208",
          "of type " + number.getClass().getSimpleName() + " " + violation,
          "Round the number, or store it as text.");
    }
  }

  private void count(long bytes) {
    size += bytes;
    if (size > maxSize) {
      throw new Unfit(
          "SG-205",
          "is larger than " + maxSize + " bytes",
          "Store the value outside the state and its key in the state, or raise the limit of the channel with upTo(bytes).");
    }
  }

  /** Why a value does not fit; each container on the way up adds its step to the path. */
  static final class Unfit extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int LONGEST_PATH = 200;

    private final String code;
    private final String fix;
    private String path = "";

    Unfit(String code, String what, String fix) {
      super(what, null, false, false);
      this.code = code;
      this.fix = fix;
    }

    Unfit at(String step) {
      path = step + path;
      if (path.length() > LONGEST_PATH) {
        path = path.substring(0, LONGEST_PATH) + "…";
      }
      return this;
    }

    InvalidValueException asError() {
      String place = path.isEmpty() ? "the value" : "the value at " + path;
      return new InvalidValueException(
          new Problem(code, "A value " + getMessage() + ".", place, fix));
    }
  }
}
