package io.superstep.json;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.util.NameTransformer;

/** Writes the values of a sealed type as objects that begin with the name of their class. */
final class SealedSerializer extends ValueSerializer<Object> {

  private final SealedFamily family;

  /** Copied on write: two threads that find the same class at once find the same. */
  private volatile Map<Class<?>, Member> known = Map.of();

  SealedSerializer(SealedFamily family) {
    this.family = family;
  }

  @Override
  public void serialize(Object value, JsonGenerator out, SerializationContext context) {
    Member member = known.get(value.getClass());
    if (member == null) {
      member = learn(value, context);
    }
    out.writeStartObject();
    out.writeStringProperty(SealedFamily.TYPE, member.name);
    if (!member.unwrapped) {
      out.writeName(SealedFamily.VALUE);
    }
    member.serializer.serialize(value, out, context);
    out.writeEndObject();
  }

  private Member learn(Object value, SerializationContext context) {
    String name = family.nameOf(value);
    JavaType type = name == null ? null : family.members().get(name);
    if (name == null || type == null) {
      throw new Unwritable(
          value.getClass(),
          "is not a permitted subclass of " + family.type().getRawClass().getSimpleName(),
          "Permit the class, or make the class that it extends sealed.");
    }
    Member member = Member.of(name, context.findTypedValueSerializer(type, true));
    Map<Class<?>, Member> more = new HashMap<>(known);
    more.put(value.getClass(), member);
    known = Map.copyOf(more);
    return member;
  }

  @Override
  public void serializeWithType(
      Object value, JsonGenerator out, SerializationContext context, TypeSerializer types) {
    context.findRootValueSerializer(value.getClass()).serializeWithType(value, out, context, types);
  }

  /** A class and how its values are written: as properties beside its name, or as one of them. */
  private record Member(String name, ValueSerializer<Object> serializer, boolean unwrapped) {

    static Member of(String name, ValueSerializer<Object> serializer) {
      ValueSerializer<Object> properties = serializer.unwrappingSerializer(NameTransformer.NOP);
      return properties.isUnwrappingSerializer() && !hasPropertyCalledType(serializer)
          ? new Member(name, properties, true)
          : new Member(name, serializer, false);
    }

    private static boolean hasPropertyCalledType(ValueSerializer<Object> serializer) {
      for (Iterator<PropertyWriter> all = serializer.properties(); all.hasNext(); ) {
        if (all.next().getName().equals(SealedFamily.TYPE)) {
          return true;
        }
      }
      return false;
    }
  }
}
