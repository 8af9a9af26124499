package io.superstep.json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;

/** Refuses the values of a type once there are any; a field that stays empty does no harm. */
final class RefusingSerializer extends ValueSerializer<Object> {

  private final String reason;
  private final String fix;

  RefusingSerializer(String reason, String fix) {
    this.reason = reason;
    this.fix = fix;
  }

  @Override
  public void serialize(Object value, JsonGenerator out, SerializationContext context) {
    throw new Unwritable(value.getClass(), reason, fix);
  }

  @Override
  public void serializeWithType(
      Object value, JsonGenerator out, SerializationContext context, TypeSerializer types) {
    serialize(value, out, context);
  }
}
