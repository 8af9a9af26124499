package io.superstep.value;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A full generic type as a value, captured by an empty subclass: {@code new TypeRef<List<Plan>>()
 * {}}.
 *
 * @param <T> the type it stands for
 */
public abstract class TypeRef<T> {

  private final Type type;

  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType captured)) {
      throw new IllegalStateException(
          "A TypeRef requires a type argument: new TypeRef<List<String>>() {}.");
    }
    this.type = captured.getActualTypeArguments()[0];
  }

  public final Type type() {
    return type;
  }

  @Override
  public String toString() {
    return type.getTypeName();
  }
}
