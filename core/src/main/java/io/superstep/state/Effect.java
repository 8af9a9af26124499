package io.superstep.state;

import io.superstep.value.FrozenList;
import io.superstep.value.FrozenMap;
import io.superstep.value.FrozenSet;
import io.superstep.value.NumberBounds;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a write did to a channel's value, as data: it can be stored in place of the value and
 * applied again, and gives the same value without running any code of the user.
 *
 * @param <T> what the channel holds
 */
public sealed interface Effect<T extends @Nullable Object> {

  /** The value of a channel of {@code type} that held {@code current}, after this effect. */
  T on(@Nullable T current, ValueType<T> type);

  /** This effect with everything it carries checked and frozen as a part of {@code type}. */
  Effect<T> frozen(ValueType<T> type, long maxSize);

  /**
   * What happened to a channel that the schema does not know, as a codec keeps it: it goes along
   * with what is kept of the channel, and nothing is known of either.
   */
  non-sealed interface Foreign<T extends @Nullable Object> extends Effect<T> {

    /** What is kept of the channel after this effect; {@code before} is null if nothing was. */
    Object after(@Nullable Object before);

    @Override
    default T on(@Nullable T current, ValueType<T> type) {
      throw new ClassCastException("The change was read without the type of its channel.");
    }

    @Override
    default Effect<T> frozen(ValueType<T> type, long maxSize) {
      return this;
    }
  }

  /** The value is another one now. */
  record Replace<T extends @Nullable Object>(T value) implements Effect<T> {

    /** The new value; an array as a copy. */
    @Override
    public T value() {
      return ValueType.handedOut(value);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Replace<?> replace && ValueType.same(value, replace.value);
    }

    @Override
    public int hashCode() {
      return Replace.class.hashCode();
    }

    @Override
    public String toString() {
      return "replace";
    }

    @Override
    public T on(@Nullable T current, ValueType<T> type) {
      return value;
    }

    @Override
    public Effect<T> frozen(ValueType<T> type, long maxSize) {
      return value == null ? this : new Replace<>(type.freeze(value, maxSize));
    }
  }

  /** Nothing happened; a channel that was only written to in this way counts as unchanged. */
  record Nothing<T extends @Nullable Object>() implements Effect<T> {

    @Override
    public String toString() {
      return "nothing";
    }

    @Override
    @SuppressWarnings("NullAway") // what was there stays, null included
    public T on(@Nullable T current, ValueType<T> type) {
      return current;
    }

    @Override
    public Effect<T> frozen(ValueType<T> type, long maxSize) {
      return this;
    }
  }

  /** A number was added to the old one, of the same type. */
  record Add<N extends Number>(N amount) implements Effect<N> {

    @Override
    public String toString() {
      return "add";
    }

    /** These effects of one channel as one; one after the other if they are too large together. */
    static <N extends Number> Effect<N> all(List<Add<N>> adds) {
      try {
        N total = adds.get(0).amount;
        for (Add<N> add : adds.subList(1, adds.size())) {
          total = Reducers.sum(total, add.amount);
        }
        return NumberBounds.contain(total) ? new Add<>(total) : new Sequence<>(List.copyOf(adds));
      } catch (ArithmeticException tooLarge) {
        return new Sequence<>(List.copyOf(adds));
      }
    }

    /** This and {@code next} as one; null if that might come to another number. */
    @Nullable
    Add<N> and(Add<N> next) {
      if (amount instanceof Double || amount instanceof Float) {
        return null;
      }
      try {
        N total = Reducers.sum(amount, next.amount);
        return NumberBounds.contain(total) ? new Add<>(total) : null;
      } catch (ArithmeticException tooLarge) {
        return null;
      }
    }

    @Override
    public N on(@Nullable N current, ValueType<N> type) {
      return current == null ? amount : ValueType.bounded(Reducers.sum(current, amount));
    }

    @Override
    public Effect<N> frozen(ValueType<N> type, long maxSize) {
      N frozen = type.freeze(amount, maxSize);
      return frozen == amount ? this : new Add<>(frozen);
    }
  }

  /** Text stands behind the old text. */
  record Join(String text) implements Effect<String> {

    @Override
    public String toString() {
      return "join " + text.length();
    }

    @Override
    public String on(@Nullable String current, ValueType<String> type) {
      return current == null ? text : current + text;
    }

    @Override
    public Effect<String> frozen(ValueType<String> type, long maxSize) {
      return this;
    }
  }

  /** Elements stand behind the old ones. */
  record Append<E extends @Nullable Object>(List<E> items) implements Effect<List<E>> {

    @Override
    public String toString() {
      return "append " + items.size();
    }

    /** These effects of one channel, which are frozen, as one. */
    @SuppressWarnings("unchecked") // what they carry was frozen under the channel's type
    static <E extends @Nullable Object> Append<E> all(List<Append<E>> appends) {
      List<FrozenList<E>> items = new ArrayList<>(appends.size());
      appends.forEach(append -> items.add((FrozenList<E>) append.items));
      return new Append<>(FrozenList.concat(items));
    }

    @Override
    public List<E> on(@Nullable List<E> current, ValueType<List<E>> type) {
      return list(current, type).append(items);
    }

    @Override
    public Effect<List<E>> frozen(ValueType<List<E>> type, long maxSize) {
      List<E> frozen = type.growable(items, maxSize);
      return frozen == items ? this : new Append<>(frozen);
    }
  }

  /**
   * Elements left the list, then others came in or took the place of old ones.
   *
   * @param removed positions before the edit
   * @param replaced by their position after the removals
   * @param inserted by the position they have when the edit is done
   */
  record Edit<E extends @Nullable Object>(
      SortedSet<Integer> removed, SortedMap<Integer, E> replaced, SortedMap<Integer, E> inserted)
      implements Effect<List<E>> {

    @Override
    public String toString() {
      return "edit -" + removed.size() + " ~" + replaced.size() + " +" + inserted.size();
    }

    public Edit {
      removed = Collections.unmodifiableSortedSet(new TreeSet<>(List.copyOf(removed)));
      replaced = inOrder(replaced);
      inserted = inOrder(inserted);
    }

    @Override
    public List<E> on(@Nullable List<E> current, ValueType<List<E>> type) {
      FrozenList<E> list = list(current, type);
      FrozenList<E> kept = removed.isEmpty() ? list : list.remove(removed);
      FrozenList<E> changed = kept.replace(replaced);
      return appendsOnly(changed.size())
          ? changed.append(inserted.values())
          : changed.insert(inserted);
    }

    private static <E extends @Nullable Object> SortedMap<Integer, E> inOrder(
        Map<Integer, E> byPosition) {
      SortedMap<Integer, E> sorted = new TreeMap<>();
      sorted.putAll(byPosition);
      return Collections.unmodifiableSortedMap(sorted);
    }

    private boolean appendsOnly(int size) {
      return inserted.isEmpty()
          || (inserted.firstKey() >= size && inserted.lastKey() < size + inserted.size());
    }

    @Override
    public Effect<List<E>> frozen(ValueType<List<E>> type, long maxSize) {
      return new Edit<>(removed, frozen(replaced, type, maxSize), frozen(inserted, type, maxSize));
    }

    private static <E extends @Nullable Object> SortedMap<Integer, E> frozen(
        SortedMap<Integer, E> byPosition, ValueType<List<E>> type, long maxSize) {
      List<E> elements = type.freeze(byPosition.values(), maxSize);
      SortedMap<Integer, E> frozen = new TreeMap<>();
      int next = 0;
      for (Integer position : byPosition.keySet()) {
        frozen.put(position, elements.get(next++));
      }
      return frozen;
    }
  }

  /** Elements joined the set, behind the old ones. */
  record Union<E extends @Nullable Object>(Set<E> elements) implements Effect<Set<E>> {

    @Override
    public String toString() {
      return "union " + elements.size();
    }

    @Override
    public Set<E> on(@Nullable Set<E> current, ValueType<Set<E>> type) {
      return ((FrozenSet<E>) type.growable(current == null ? Set.of() : current, Long.MAX_VALUE))
          .union(elements);
    }

    @Override
    public Effect<Set<E>> frozen(ValueType<Set<E>> type, long maxSize) {
      return new Union<>(type.freeze(elements, maxSize));
    }
  }

  /**
   * Entries were put into the map.
   *
   * @param deep whether a map that meets a map is merged with it in turn
   */
  record Merge<K, V extends @Nullable Object>(Map<K, V> entries, boolean deep)
      implements Effect<Map<K, V>> {

    @Override
    public String toString() {
      return "merge " + entries.size();
    }

    @Override
    public Map<K, V> on(@Nullable Map<K, V> current, ValueType<Map<K, V>> type) {
      FrozenMap<K, V> map =
          (FrozenMap<K, V>) type.growable(current == null ? Map.of() : current, Long.MAX_VALUE);
      return map.merge(deep ? merged(map, entries) : entries);
    }

    /**
     * The entries as they have to be put into {@code map}. Frozen values are nested only so deep.
     */
    @SuppressWarnings("unchecked")
    private static <K, V extends @Nullable Object> Map<K, V> merged(
        Map<K, V> map, Map<K, V> entries) {
      Map<K, V> merged = new LinkedHashMap<>();
      entries.forEach((key, value) -> {
        V old = map.get(key);
        merged.put(
            key,
            old instanceof FrozenMap<?, ?> && value instanceof Map<?, ?>
                ? (V)
                    open(old).merge(merged((Map<Object, Object>) old, (Map<Object, Object>) value))
                : value);
      });
      return merged;
    }

    /** A map inside takes whatever is merged into it; the outer type checks the result. */
    @SuppressWarnings({"unchecked", "NullAway"}) // what goes in is a map, and so is what comes out
    private static FrozenMap<Object, Object> open(Object map) {
      return (FrozenMap<Object, Object>) ValueType.ANY.growable(map, Long.MAX_VALUE);
    }

    @Override
    public Effect<Map<K, V>> frozen(ValueType<Map<K, V>> type, long maxSize) {
      return new Merge<>(type.freeze(entries, maxSize), deep);
    }
  }

  /** Several effects, one after the other. */
  record Sequence<T extends @Nullable Object>(List<Effect<T>> effects) implements Effect<T> {

    @Override
    public String toString() {
      return effects.toString();
    }

    public Sequence {
      effects = List.copyOf(effects);
    }

    @Override
    @SuppressWarnings("NullAway") // a value may be null only where T may be
    public T on(@Nullable T current, ValueType<T> type) {
      T value = current;
      for (int index = 0; index < effects.size(); index++) {
        int end = joinsFrom(index);
        value = (end > index + 1 ? joined(index, end) : effects.get(index)).on(value, type);
        index = Math.max(index, end - 1);
      }
      return value;
    }

    /** The end of the joins that follow each other from {@code index} on. */
    private int joinsFrom(int index) {
      int end = index;
      while (end < effects.size() && (Effect<?>) effects.get(end) instanceof Join) {
        end++;
      }
      return end;
    }

    /** Several joins as one: each by itself would copy the whole text. */
    @SuppressWarnings("unchecked") // joins are effects on texts
    private Effect<T> joined(int from, int end) {
      StringBuilder text = new StringBuilder();
      effects.subList(from, end).forEach(join -> text.append(((Join) (Effect<?>) join).text()));
      return (Effect<T>) (Effect<?>) new Join(text.toString());
    }

    @Override
    public Effect<T> frozen(ValueType<T> type, long maxSize) {
      return new Sequence<>(
          effects.stream().map(effect -> effect.frozen(type, maxSize)).toList());
    }
  }

  static <T extends @Nullable Object> Effect<T> replace(T value) {
    return new Replace<>(value);
  }

  static <T extends @Nullable Object> Effect<T> nothing() {
    return new Nothing<>();
  }

  /** Adds {@code amount} to {@code current}; nothing if that does not change it. */
  static <N extends Number> Effect<N> add(N current, N amount) {
    boolean small = amount.intValue() == 0; // others change it, and most are others
    return small && Reducers.sum(current, amount).equals(current) ? nothing() : new Add<>(amount);
  }

  static <E extends @Nullable Object> Effect<List<E>> append(List<E> items) {
    return items.isEmpty() ? nothing() : new Append<>(items);
  }

  private static <E extends @Nullable Object> FrozenList<E> list(
      @Nullable List<E> current, ValueType<List<E>> type) {
    return (FrozenList<E>) type.growable(current == null ? List.of() : current, Long.MAX_VALUE);
  }
}
