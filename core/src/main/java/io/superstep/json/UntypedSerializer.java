package io.superstep.json;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/**
 * Writes values for which no type is declared, so that they come back as what they were: as plain
 * JSON where that says it all, behind one of the {@link Tags} where it does not.
 */
final class UntypedSerializer extends ValueSerializer<Object> {

  static final UntypedSerializer INSTANCE = new UntypedSerializer();

  private UntypedSerializer() {}

  @Override
  public void serialize(@Nullable Object value, JsonGenerator out, SerializationContext context) {
    if (value == null) {
      out.writeNull();
    } else if (value instanceof String text) {
      out.writeString(text);
    } else if (value instanceof Integer number) {
      out.writeNumber(number);
    } else if (value instanceof Boolean truth) {
      out.writeBoolean(truth);
    } else if (value instanceof Double number && Double.isFinite(number)) {
      out.writeNumber(number);
    } else if (value instanceof Map<?, ?> map) {
      writeMap(map, out, context);
    } else if (value instanceof Set<?> set) {
      out.writeStartObject();
      out.writeName(Tags.SET);
      writeElements(set, out, context);
      out.writeEndObject();
    } else if (value instanceof Collection<?> elements) {
      writeElements(elements, out, context);
    } else {
      writeTagged(value, out, context);
    }
  }

  private void writeElements(
      Collection<?> elements, JsonGenerator out, SerializationContext context) {
    int position = 0;
    out.writeStartArray();
    try {
      for (Object element : elements) {
        serialize(element, out, context);
        position++;
      }
    } catch (JacksonException failure) {
      throw failure.prependPath(elements, position);
    }
    out.writeEndArray();
  }

  private void writeMap(Map<?, ?> map, JsonGenerator out, SerializationContext context) {
    if (!NameSerializer.areNames(map.keySet())) {
      out.writeStartObject();
      out.writeName(Tags.MAP);
      EntriesSerializer.write(map, this, this, out, context);
      out.writeEndObject();
    } else if (looksTagged(map)) {
      out.writeStartObject();
      out.writeName(Tags.PLAIN_MAP);
      writeProperties(map, out, context);
      out.writeEndObject();
    } else {
      writeProperties(map, out, context);
    }
  }

  private static boolean looksTagged(Map<?, ?> map) {
    return !map.isEmpty() && ((String) map.keySet().iterator().next()).startsWith(Tags.MARK);
  }

  private void writeProperties(Map<?, ?> map, JsonGenerator out, SerializationContext context) {
    out.writeStartObject();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = (String) entry.getKey();
      out.writeName(key);
      try {
        serialize(entry.getValue(), out, context);
      } catch (JacksonException failure) {
        throw failure.prependPath(map, key);
      }
    }
    out.writeEndObject();
  }

  private static void writeTagged(Object value, JsonGenerator out, SerializationContext context) {
    String name = Tags.name(value);
    Class<?> type = name == null ? null : Tags.type(name);
    if (name == null || type == null) {
      throw new Unwritable(
          value.getClass(),
          "has no declared type",
          "Declare the type of the channel or field that contains it, or convert it to a map.");
    }
    out.writeStartObject();
    out.writeName(name);
    context.findTypedValueSerializer(type, true).serialize(value, out, context);
    out.writeEndObject();
  }
}
