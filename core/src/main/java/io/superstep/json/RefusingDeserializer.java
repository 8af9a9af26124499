package io.superstep.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;

/** Refuses to make a value of a type that is never written. */
final class RefusingDeserializer extends ValueDeserializer<Object> {

  private final JavaType type;

  RefusingDeserializer(JavaType type) {
    this.type = type;
  }

  @Override
  public @Nullable Object deserialize(JsonParser in, DeserializationContext context) {
    return context.reportInputMismatch(type, "no JSON form");
  }
}
