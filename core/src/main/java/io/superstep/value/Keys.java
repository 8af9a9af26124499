package io.superstep.value;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the keys of a list's first elements stand.
 *
 * <p>Texts that ascend, as the ids that a run gives to messages do, are an index of their own: one
 * that is greater than the last of them is not there, and any other is found by halving. Keys are
 * hashed from the first one on that does not ascend.
 *
 * @param keyOf what gives the keys
 * @param covered how many elements were looked at
 * @param ascending how many of these ascend, from the first one on
 * @param greatest the key of the last one that does
 * @param others where all keys stand that come later
 */
record Keys<E extends @Nullable Object>(
    Function<? super E, @Nullable Object> keyOf,
    int covered,
    int ascending,
    @Nullable String greatest,
    HashIndex others) {

  static <E extends @Nullable Object> Keys<E> none(Function<? super E, @Nullable Object> keyOf) {
    return new Keys<>(keyOf, 0, 0, null, HashIndex.EMPTY);
  }

  /** The keys of all of {@code list}, which begins with the elements of these. */
  Keys<E> upTo(FrozenList<E> list) {
    int upward = ascending;
    String last = greatest;
    HashIndex rest = others;
    for (int position = covered; position < list.size(); position++) {
      Object key = keyOf.apply(list.get(position));
      if (upward == position && key instanceof String text && isAbove(last, text)) {
        upward++;
        last = text;
      } else if (key != null) {
        rest = rest.with(key, position);
      }
    }
    return new Keys<>(keyOf, list.size(), upward, last, rest);
  }

  private static boolean isAbove(@Nullable String last, String text) {
    return last == null || NaturalOrder.compare(text, last) > 0;
  }

  /** The last position of {@code key} in {@code list}, whose keys these are, or -1. */
  int position(Object key, FrozenList<E> list) {
    int position = ascending < covered ? others.position(key) : -1;
    return position < 0 && greatest != null && key instanceof String text
        ? ascendingPosition(text, greatest, list)
        : position;
  }

  private int ascendingPosition(String key, String last, FrozenList<E> list) {
    int order = NaturalOrder.compare(key, last);
    if (order >= 0) {
      return order == 0 ? ascending - 1 : -1;
    }
    int low = 0;
    int high = ascending - 2;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      order = NaturalOrder.compare(key, String.valueOf(keyOf.apply(list.get(middle))));
      if (order == 0) {
        return middle;
      }
      low = order > 0 ? middle + 1 : low;
      high = order < 0 ? middle - 1 : high;
    }
    return -1;
  }

  /** Whether these are still the keys after {@code replacement} took the place of {@code old}. */
  boolean survive(E old, E replacement) {
    Object key = keyOf.apply(old);
    return key != null && key.equals(keyOf.apply(replacement));
  }
}
