package io.superstep.state;

import org.jspecify.annotations.Nullable;

/** A reducer that knows what two lines of writes come to that began at one value. */
interface Merging<T extends @Nullable Object> extends Reducer<T> {

  /**
   * What leads from {@code ours} to what both come to; null if they contradict each other.
   *
   * @param base what both began with
   */
  @Nullable
  Effect<T> merged(@Nullable T base, @Nullable T ours, @Nullable T theirs);
}
