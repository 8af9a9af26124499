package io.superstep.json;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/** Writes a map whose keys are more than text as an array: keys and values in turn. */
final class EntriesSerializer extends ValueSerializer<Map<?, ?>> {

  private final JavaType type;

  EntriesSerializer(JavaType type) {
    this.type = type;
  }

  @Override
  public void serialize(Map<?, ?> map, JsonGenerator out, SerializationContext context) {
    write(
        map,
        context.findTypedValueSerializer(type.getKeyType(), true),
        context.findTypedValueSerializer(type.getContentType(), true),
        out,
        context);
  }

  static void write(
      Map<?, ?> map,
      ValueSerializer<Object> keys,
      ValueSerializer<Object> values,
      JsonGenerator out,
      SerializationContext context) {
    int position = 0;
    out.writeStartArray();
    try {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        write(entry.getKey(), keys, out, context);
        write(entry.getValue(), values, out, context);
        position++;
      }
    } catch (JacksonException failure) {
      throw failure.prependPath(map, position);
    }
    out.writeEndArray();
  }

  private static void write(
      @Nullable Object part,
      ValueSerializer<Object> parts,
      JsonGenerator out,
      SerializationContext context) {
    if (part == null) {
      out.writeNull();
    } else {
      parts.serialize(part, out, context);
    }
  }
}
