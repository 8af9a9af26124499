package io.superstep.graph;

import io.superstep.value.ValueType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Names something that a run is given and that its nodes can ask for: who is calling, a client, a
 * trace. It is part of no state and is never stored.
 *
 * @param <T> what it is
 */
public final class RunKey<T> {

  private final String name;
  private final Class<T> type;

  private RunKey(String name, Class<T> type) {
    this.name = name;
    this.type = type;
  }

  public static <T> RunKey<T> of(String name, Class<T> type) {
    return new RunKey<>(Objects.requireNonNull(name), boxed(type));
  }

  @SuppressWarnings("unchecked") // a primitive class and its box are of one type
  private static <T> Class<T> boxed(Class<T> type) {
    return type.isPrimitive() ? (Class<T>) ValueType.of(type).raw() : type;
  }

  public String name() {
    return name;
  }

  public Class<T> type() {
    return type;
  }

  /** Two keys are the same if they have the same name and type. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RunKey<?> key && name.equals(key.name) && type.equals(key.type);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name + ": " + type.getSimpleName();
  }
}
