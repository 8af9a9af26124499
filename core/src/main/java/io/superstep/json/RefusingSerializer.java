package io.superstep.json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
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

  /** Fails as well: no value of {@code type} can be written. */
  @Override
  public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) {
    throw new Unwritable(type.getRawClass(), reason, fix);
  }

  @Override
  public void serializeWithType(
      Object value, JsonGenerator out, SerializationContext context, TypeSerializer types) {
    serialize(value, out, context);
  }
}
