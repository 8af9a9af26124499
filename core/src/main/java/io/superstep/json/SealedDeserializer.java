package io.superstep.json;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.util.JsonParserSequence;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.util.TokenBuffer;

/** Reads what {@link SealedSerializer} wrote, even if a store has put the properties in order. */
final class SealedDeserializer extends ValueDeserializer<Object> {

  private final SealedFamily family;

  /** By name. Copied on write: two threads that look up the same name at once find the same. */
  private volatile Map<String, Member> known = Map.of();

  SealedDeserializer(SealedFamily family) {
    this.family = family;
  }

  @Override
  public boolean isCachable() {
    return true;
  }

  @Override
  public @Nullable Object deserialize(JsonParser in, DeserializationContext context) {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      return context.handleUnexpectedToken(family.type(), in);
    }
    if (!SealedFamily.TYPE.equals(in.nextName())) {
      return readOutOfOrder(in, context);
    }
    Member member = readMember(in, context);
    in.nextToken();
    return member.read(in, context);
  }

  private @Nullable Object readOutOfOrder(JsonParser in, DeserializationContext context) {
    TokenBuffer before = context.bufferForInputBuffering(in);
    String name = in.currentName();
    while (in.currentToken() == JsonToken.PROPERTY_NAME && !SealedFamily.TYPE.equals(name)) {
      before.writeName(name);
      in.nextToken();
      before.copyCurrentStructure(in);
      name = in.nextName();
    }
    if (in.currentToken() != JsonToken.PROPERTY_NAME) {
      return context.reportInputMismatch(family.type(), "no type");
    }
    Member member = readMember(in, context);
    JsonParser all = JsonParserSequence.createFlattened(false, before.asParser(context, in), in);
    all.nextToken();
    return member.read(all, context);
  }

  private Member readMember(JsonParser in, DeserializationContext context) {
    String name = in.nextToken() == JsonToken.VALUE_STRING ? in.getString() : "";
    Member member = known.get(name);
    return member == null ? learn(name, context) : member;
  }

  private Member learn(String name, DeserializationContext context) {
    JavaType type = family.members().get(name);
    if (type == null) {
      return context.reportInputMismatch(family.type(), "unknown type");
    }
    Member member = Member.of(type, context);
    Map<String, Member> more = new HashMap<>(known);
    more.put(name, member);
    known = Map.copyOf(more);
    return member;
  }

  /** A class and how its values are read: as properties beside its name, or as one of them. */
  private record Member(JavaType type, ValueDeserializer<Object> deserializer, boolean unwrapped) {

    static Member of(JavaType type, DeserializationContext context) {
      ValueDeserializer<Object> deserializer = context.findContextualValueDeserializer(type, null);
      Collection<Object> properties = deserializer.getKnownPropertyNames();
      boolean unwrapped = properties != null
          && !properties.contains(SealedFamily.TYPE)
          && context.introspectBeanDescription(type).findJsonValueAccessor() == null;
      return new Member(type, deserializer, unwrapped);
    }

    /** Reads the properties behind the name of the class, the end of the object included. */
    @Nullable
    Object read(JsonParser in, DeserializationContext context) {
      if (unwrapped) {
        return deserializer.deserialize(in, context);
      }
      if (!SealedFamily.VALUE.equals(in.currentName())) {
        return context.reportInputMismatch(type, "no value");
      }
      in.nextToken();
      Object value = deserializer.deserialize(in, context);
      return in.nextToken() == JsonToken.END_OBJECT
          ? value
          : context.reportInputMismatch(type, "something behind the value");
    }
  }
}
