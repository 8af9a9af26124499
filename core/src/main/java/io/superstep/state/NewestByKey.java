package io.superstep.state;

import io.superstep.value.FrozenList;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one item per key, the newest by its own time, in chronological order.
 *
 * <p>The list is a function of the set of items ever written: items of equal time are ordered by
 * key, and of two items with equal key and equal time the one whose text is greater stays. So the
 * order in which writers are folded does not matter, and folding a batch twice changes nothing.
 */
final class NewestByKey<E, K extends Comparable<? super K>, C extends Comparable<? super C>>
    extends DeclaringReducer<List<E>> implements NormalForm<List<E>>, Merging<List<E>> {

  private final ValueType<List<E>> type;
  private final Function<? super E, @Nullable Object> keyOf;
  private final Comparator<E> chronological;
  private final Comparator<E> newer;

  NewestByKey(
      ValueType<List<E>> type,
      Function<? super E, ? extends K> key,
      Function<? super E, ? extends C> time) {
    Comparator<E> byTime = Comparator.comparing(time::apply);
    this.type = type;
    this.keyOf = key::apply;
    this.chronological = byTime.thenComparing(key::apply);
    this.newer = byTime.thenComparing(String::valueOf);
  }

  @Override
  public Effect<List<E>> effect(@Nullable List<E> current, List<E> update) {
    FrozenList<E> old = (FrozenList<E>) type.freeze(current == null ? List.of() : current);
    TreeSet<Integer> removed = new TreeSet<>();
    List<E> added = new ArrayList<>();
    for (E candidate : newestPerKey(update)) {
      int position = old.positionOf(keyOf(candidate), keyOf);
      if (position < 0) {
        added.add(candidate);
      } else if (newer.compare(candidate, old.get(position)) > 0) {
        removed.add(position);
        added.add(candidate);
      }
    }
    if (added.isEmpty()) {
      return Effect.nothing();
    }
    added.sort(chronological);
    if (removed.isEmpty() && isBehind(added.get(0), old)) {
      return Effect.append(added);
    }
    return new Effect.Edit<>(removed, new TreeMap<>(), insertions(old, removed, added));
  }

  @Override
  public List<E> normal(List<E> value) {
    return reduce(List.of(), value);
  }

  /** The newest of all, as ever; unless one side has overwritten the list and lost keys by it. */
  @Override
  public @Nullable Effect<List<E>> merged(
      @Nullable List<E> base, @Nullable List<E> ours, @Nullable List<E> theirs) {
    Set<Object> before = keysOf(base);
    return keysOf(ours).containsAll(before) && keysOf(theirs).containsAll(before)
        ? effect(ours, theirs == null ? List.of() : theirs)
        : null;
  }

  private Set<Object> keysOf(@Nullable List<E> items) {
    Set<Object> keys = new HashSet<>();
    (items == null ? List.<E>of() : items).forEach(item -> keys.add(keyOf(item)));
    return keys;
  }

  private List<E> newestPerKey(List<E> items) {
    Map<Object, E> newest = new LinkedHashMap<>();
    for (E item : items) {
      newest.merge(keyOf(item), item, (one, other) -> newer.compare(one, other) >= 0 ? one : other);
    }
    return List.copyOf(newest.values());
  }

  private Object keyOf(E item) {
    Object key = keyOf.apply(item);
    if (key == null) {
      throw new NullPointerException("The key of a list item is null.");
    }
    return key;
  }

  private boolean isBehind(E first, List<E> old) {
    return old.isEmpty() || chronological.compare(old.get(old.size() - 1), first) < 0;
  }

  /** One pass over both sorted lists: where each of {@code added} stands in the result. */
  private SortedMap<Integer, E> insertions(List<E> old, Set<Integer> removed, List<E> added) {
    SortedMap<Integer, E> insertions = new TreeMap<>();
    int next = 0;
    int position = 0;
    for (int i = 0; i < old.size(); i++) {
      if (!removed.contains(i)) {
        while (next < added.size() && chronological.compare(added.get(next), old.get(i)) < 0) {
          insertions.put(position++, added.get(next++));
        }
        position++;
      }
    }
    while (next < added.size()) {
      insertions.put(position++, added.get(next++));
    }
    return insertions;
  }
}
