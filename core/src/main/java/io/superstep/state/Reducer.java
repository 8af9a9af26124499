package io.superstep.state;

import org.jspecify.annotations.Nullable;

/**
 * Folds a write into a channel's current value.
 *
 * <p>A reducer is pure: it does not change its arguments and gives the same result for the same
 * arguments. Any function of two arguments will do, and what it did is then stored as the whole new
 * value. A reducer that can say what it did in fewer words does so with {@link #declaring}.
 *
 * @param <T> what the channel holds
 */
@FunctionalInterface
public interface Reducer<T extends @Nullable Object> {

  /** The value after {@code update} was written to a channel that held {@code current}. */
  T reduce(T current, T update);

  /**
   * What {@code update} does to a channel that holds {@code current}; this is what the engine asks
   * for.
   */
  default Effect<T> effect(T current, T update) {
    return Effect.replace(reduce(current, update));
  }

  /** A reducer that says what it does; its value is what the effect makes of the current one. */
  static <T extends @Nullable Object> Reducer<T> declaring(Delta<T> delta) {
    return new DeclaringReducer<>() {
      @Override
      public Effect<T> effect(T current, T update) {
        return delta.of(current, update);
      }

      @Override
      Class<?> writtenAt() {
        return delta.getClass();
      }
    };
  }

  /** Says what a write does to a channel's value. */
  @FunctionalInterface
  interface Delta<T extends @Nullable Object> {

    Effect<T> of(T current, T update);
  }
}
