package io.superstep.json;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;

/** Reads what {@link EntriesSerializer} wrote. */
final class EntriesDeserializer extends ValueDeserializer<Map<Object, @Nullable Object>> {

  private final JavaType type;
  private final @Nullable ValueDeserializer<Object> keys;
  private final @Nullable ValueDeserializer<Object> values;

  EntriesDeserializer(JavaType type) {
    this(type, null, null);
  }

  private EntriesDeserializer(
      JavaType type,
      @Nullable ValueDeserializer<Object> keys,
      @Nullable ValueDeserializer<Object> values) {
    this.type = type;
    this.keys = keys;
    this.values = values;
  }

  @Override
  public ValueDeserializer<?> createContextual(
      DeserializationContext context, @Nullable BeanProperty property) {
    return new EntriesDeserializer(
        type,
        context.findRootValueDeserializer(type.getKeyType()),
        context.findRootValueDeserializer(type.getContentType()));
  }

  @Override
  public Map<Object, @Nullable Object> deserialize(JsonParser in, DeserializationContext context) {
    if (keys == null || values == null || in.currentToken() != JsonToken.START_ARRAY) {
      return context.reportInputMismatch(type, "no array of keys and values");
    }
    return read(keys, values, in, context);
  }

  static Map<Object, @Nullable Object> read(
      ValueDeserializer<Object> keys,
      ValueDeserializer<Object> values,
      JsonParser in,
      DeserializationContext context) {
    Map<Object, @Nullable Object> map = new LinkedHashMap<>();
    int position = 0;
    try {
      while (in.nextToken() != JsonToken.END_ARRAY) {
        Object key = read(keys, in, context);
        if (key == null || in.nextToken() == JsonToken.END_ARRAY) {
          return context.reportInputMismatch(Map.class, "a key without a value or without itself");
        }
        map.put(key, read(values, in, context));
        position++;
      }
    } catch (JacksonException failure) {
      throw failure.prependPath(map, position);
    }
    return map;
  }

  private static @Nullable Object read(
      ValueDeserializer<Object> parts, JsonParser in, DeserializationContext context) {
    return in.currentToken() == JsonToken.VALUE_NULL
        ? parts.getNullValue(context)
        : parts.deserialize(in, context);
  }
}
