package io.superstep.value;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A map that cannot change, keeps the order in which its keys were first seen, and shares what it
 * has in common with the maps made from it.
 *
 * @param <K> what its keys are
 * @param <V> what its values are
 */
public final class FrozenMap<K, V extends @Nullable Object> extends AbstractMap<K, V> {

  private final FrozenSet<K> keys;

  /** The value of each key, at the key's position. */
  private final FrozenList<V> values;

  private FrozenMap(FrozenSet<K> keys, FrozenList<V> values) {
    this.keys = keys;
    this.values = values;
  }

  /**
   * The map of {@code keys} to {@code values}, which are trusted to be frozen; the keys differ from
   * each other.
   */
  static <K, V extends @Nullable Object> FrozenMap<K, V> ofFrozen(
      ValueType<?> keys, ValueType<?> values, Object[] keyArray, @Nullable Object[] valueArray) {
    return new FrozenMap<>(
        FrozenSet.ofFrozen(keys, keyArray), FrozenList.ofFrozen(values, valueArray));
  }

  boolean isOf(ValueType<?> keyType, ValueType<?> valueType) {
    return keys.type().equals(keyType) && values.type().equals(valueType);
  }

  /** The same entries under types that allow more. */
  FrozenMap<K, V> as(ValueType<?> widerKeys, ValueType<?> widerValues) {
    return new FrozenMap<>(keys.as(widerKeys), values.as(widerValues));
  }

  int depth() {
    return Math.max(keys.depth(), values.depth());
  }

  /** The weight of one container whose elements are keys and values both. */
  long weight() {
    return keys.weight()
        + values.weight()
        - Freezing.CONTAINER
        - (long) Freezing.ELEMENT * keys.size();
  }

  /** This map with {@code entries} put into it: known keys keep their place, new ones come last. */
  public FrozenMap<K, V> merge(Map<? extends K, ? extends V> entries) {
    TreeMap<Integer, V> replaced = new TreeMap<>();
    Map<K, V> added = new LinkedHashMap<>();
    entries.forEach((key, value) -> {
      int position = keys.position(key);
      if (position < 0) {
        added.put(key, value);
      } else {
        replaced.put(position, value);
      }
    });
    return new FrozenMap<>(
        keys.union(added.keySet()), values.replace(replaced).append(added.values()));
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    int position = keys.position(key);
    return position < 0 ? null : values.get(position);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return keys.contains(key);
  }

  @Override
  public int size() {
    return keys.size();
  }

  @Override
  public Set<K> keySet() {
    return keys;
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return keys.size();
      }

      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        Iterator<K> key = keys.iterator();
        Iterator<V> value = values.iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return key.hasNext();
          }

          @Override
          public Map.Entry<K, V> next() {
            return new SimpleImmutableEntry<>(key.next(), value.next());
          }
        };
      }
    };
  }
}
