package io.superstep.reactor;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is created when it is first needed, once. */
final class Lazy<T> implements Supplier<T> {

  private final Supplier<T> factory;
  private volatile @Nullable T value;

  Lazy(Supplier<T> factory) {
    this.factory = factory;
  }

  @Override
  public T get() {
    T created = value;
    if (created == null) {
      synchronized (this) {
        created = value;
        if (created == null) {
          created = factory.get();
          value = created;
        }
      }
    }
    return created;
  }
}
