package io.superstep.state;

import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.Nullable;

/**
 * A reducer whose values have a form that a value from elsewhere may lack: unique ids, an order.
 */
interface NormalForm<T extends @Nullable Object> extends Reducer<T> {

  /** What the reducer makes of {@code value} alone. */
  @NonNull
  T normal(@NonNull T value);
}
