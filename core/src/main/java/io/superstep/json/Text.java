package io.superstep.json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JacksonSerializable;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.TypeSerializer;

/** A document on its way into JSON, as Jackson takes it: something that writes itself. */
record Text(Writing writing) implements JacksonSerializable {

  @Override
  public void serialize(JsonGenerator out, SerializationContext context) {
    writing.to(out, context);
  }

  @Override
  public void serializeWithType(
      JsonGenerator out, SerializationContext context, TypeSerializer types) {
    serialize(out, context);
  }

  @FunctionalInterface
  interface Writing {

    void to(JsonGenerator out, SerializationContext context);
  }
}
