package io.superstep.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/** Reads what {@link UntypedSerializer} wrote, and nothing else than {@link Tags} knows. */
final class UntypedDeserializer extends ValueDeserializer<Object> {

  private final Class<?> declared;

  /** Reads values that have to be instances of {@code declared}. */
  UntypedDeserializer(Class<?> declared) {
    this.declared = declared;
  }

  @Override
  public Class<?> handledType() {
    return declared;
  }

  @Override
  public boolean isCachable() {
    return true;
  }

  @Override
  public @Nullable Object deserialize(JsonParser in, DeserializationContext context) {
    Object value = read(in, context);
    if (value != null && !declared.isInstance(value)) {
      return context.reportInputMismatch(declared, "another type");
    }
    return value;
  }

  private @Nullable Object read(JsonParser in, DeserializationContext context) {
    return switch (in.currentToken()) {
      case VALUE_NULL -> null;
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_STRING -> in.getString();
      case VALUE_NUMBER_INT -> BoundedNumbers.require(in.getNumberValue(), declared, context);
      case VALUE_NUMBER_FLOAT -> readDouble(in, context);
      case START_ARRAY -> readElements(in, context);
      case START_OBJECT -> readObject(in, context);
      default -> context.handleUnexpectedToken(declared, in);
    };
  }

  private Object readDouble(JsonParser in, DeserializationContext context) {
    double number = in.getDoubleValue();
    return Double.isFinite(number)
        ? number
        : context.reportInputMismatch(declared, "a number that is too large");
  }

  private List<@Nullable Object> readElements(JsonParser in, DeserializationContext context) {
    List<@Nullable Object> elements = new ArrayList<>();
    try {
      while (in.nextToken() != JsonToken.END_ARRAY) {
        elements.add(read(in, context));
      }
    } catch (JacksonException failure) {
      throw failure.prependPath(elements, elements.size());
    }
    return elements;
  }

  private @Nullable Object readObject(JsonParser in, DeserializationContext context) {
    String first = in.nextName();
    return first != null && first.startsWith(Tags.MARK)
        ? readTagged(first, in, context)
        : readProperties(first, in, context);
  }

  private Map<String, @Nullable Object> readProperties(
      @Nullable String first, JsonParser in, DeserializationContext context) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (String key = first; key != null; key = in.nextName()) {
      in.nextToken();
      try {
        map.put(key, read(in, context));
      } catch (JacksonException failure) {
        throw failure.prependPath(map, key);
      }
    }
    return map;
  }

  private @Nullable Object readTagged(String name, JsonParser in, DeserializationContext context) {
    JsonToken start = in.nextToken();
    Object value;
    if (name.equals(Tags.PLAIN_MAP) && start == JsonToken.START_OBJECT) {
      value = readProperties(in.nextName(), in, context);
    } else if (name.equals(Tags.SET) && start == JsonToken.START_ARRAY) {
      value = new LinkedHashSet<>(readElements(in, context));
    } else if (name.equals(Tags.MAP) && start == JsonToken.START_ARRAY) {
      value = EntriesDeserializer.read(this, this, in, context);
    } else {
      Class<?> type = Tags.type(name);
      value = type == null
          ? context.reportInputMismatch(declared, "an unknown tag")
          : context.readValue(in, type);
    }
    if (in.nextToken() != JsonToken.END_OBJECT) {
      return context.reportInputMismatch(declared, "a tag with something behind it");
    }
    return value;
  }
}
