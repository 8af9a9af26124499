package io.superstep.state;

import io.superstep.value.ValueType;
import org.jspecify.annotations.Nullable;

/** A reducer that is given by its effects: the value is what an effect makes of the current one. */
abstract class DeclaringReducer<T extends @Nullable Object> implements Reducer<T> {

  @Override
  public abstract Effect<T> effect(T current, T update);

  /** What tells reducers of different code apart. */
  Class<?> writtenAt() {
    return getClass();
  }

  @Override
  @SuppressWarnings("unchecked") // whatever T is, it is a kind of anything
  public final T reduce(T current, T update) {
    ValueType<T> anything = (ValueType<T>) ValueType.ANY;
    return effect(current, update).frozen(anything, ValueType.MAX_SIZE).on(current, anything);
  }
}
