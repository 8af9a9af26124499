package io.superstep.value;

import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set that cannot change, keeps the order in which its elements were first seen, and shares what
 * it has in common with the sets made from it.
 *
 * @param <E> what it holds
 */
public final class FrozenSet<E extends @Nullable Object> extends AbstractSet<E> {

  /** Below this size a look at each element is cheaper than an index. */
  private static final int INDEXED_FROM = 9;

  private final FrozenList<E> elements;
  private final @Nullable HashIndex index;

  private FrozenSet(FrozenList<E> elements, @Nullable HashIndex index) {
    this.elements = elements;
    this.index = index;
  }

  /** The set of {@code elements}, which are trusted to be frozen and different from each other. */
  static <E extends @Nullable Object> FrozenSet<E> ofFrozen(
      ValueType<?> type, @Nullable Object[] elements) {
    FrozenList<E> list = FrozenList.ofFrozen(type, elements);
    return new FrozenSet<>(list, indexed(list, null, 0));
  }

  private static @Nullable HashIndex indexed(
      FrozenList<?> elements, @Nullable HashIndex known, int covered) {
    if (elements.size() < INDEXED_FROM) {
      return null;
    }
    HashIndex index = known == null ? HashIndex.EMPTY : known;
    for (int position = known == null ? 0 : covered; position < elements.size(); position++) {
      index = index.with(hashable(elements.get(position)), position);
    }
    return index;
  }

  private static Object hashable(@Nullable Object element) {
    return element == null ? NullElement.INSTANCE : element;
  }

  ValueType<?> type() {
    return elements.type();
  }

  /** The same elements under a type that allows more. */
  FrozenSet<E> as(ValueType<?> wider) {
    return new FrozenSet<>(elements.as(wider), index);
  }

  int depth() {
    return elements.depth();
  }

  long weight() {
    return elements.weight();
  }

  /** Where {@code element} stands in the order, or -1. */
  int position(@Nullable Object element) {
    return index == null ? elements.indexOf(element) : index.position(hashable(element));
  }

  /** This set with those of {@code more} that it did not hold, behind the others. */
  public FrozenSet<E> union(Collection<? extends E> more) {
    List<E> unknown = missing(more);
    if (unknown.isEmpty()) {
      return this;
    }
    FrozenList<E> grown = elements.append(unknown);
    return new FrozenSet<>(grown, indexed(grown, index, elements.size()));
  }

  /** Those of {@code candidates} that this set does not hold, each once, in their order. */
  public List<E> missing(Collection<? extends E> candidates) {
    Set<E> seen = new LinkedHashSet<>();
    for (E candidate : candidates) {
      if (position(candidate) < 0) {
        seen.add(candidate);
      }
    }
    return new ArrayList<>(seen);
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return position(element) >= 0;
  }

  @Override
  public int size() {
    return elements.size();
  }

  @Override
  public Iterator<E> iterator() {
    return elements.iterator();
  }

  private enum NullElement {
    INSTANCE
  }
}
