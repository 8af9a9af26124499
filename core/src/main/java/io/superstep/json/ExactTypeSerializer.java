package io.superstep.json;

import java.lang.reflect.Modifier;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.impl.UnknownSerializer;
import tools.jackson.databind.util.NameTransformer;

/**
 * Writes values of exactly one class, and refuses those of its subclasses: they would come back as
 * something less. Where annotations tell subclasses apart, each is written as what it is.
 */
final class ExactTypeSerializer extends ValueSerializer<Object> {

  private final Class<?> type;
  private final ValueSerializer<Object> exact;

  @SuppressWarnings("unchecked") // only instances of the type get there
  ExactTypeSerializer(Class<?> type, ValueSerializer<?> exact) {
    this.type = type;
    this.exact = (ValueSerializer<Object>) exact;
  }

  @Override
  public void serialize(Object value, JsonGenerator out, SerializationContext context) {
    if (value.getClass() != type) {
      throw new Unwritable(
          value.getClass(),
          "is declared as " + type.getTypeName() + ", as which it would be read",
          "Declare the class of the value, or make " + type.getSimpleName() + " sealed.");
    }
    exact.serialize(value, out, context);
  }

  @Override
  public void serializeWithType(
      Object value, JsonGenerator out, SerializationContext context, TypeSerializer types) {
    ValueSerializer<Object> serializer =
        value.getClass() == type ? exact : context.findRootValueSerializer(value.getClass());
    serializer.serializeWithType(value, out, context, types);
  }

  /** Fails if no value of exactly this class can be written. */
  @Override
  public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType javaType) {
    boolean isAbstract = Modifier.isAbstract(type.getModifiers());
    if (visitor.getContext().findTypeSerializer(javaType) == null
        && (isAbstract || exact instanceof UnknownSerializer)) {
      throw new Unwritable(
          type,
          isAbstract ? "is abstract, and not sealed" : "has no properties",
          "Declare the class of the values, or a sealed type.");
    }
  }

  @Override
  public void resolve(SerializationContext context) {
    exact.resolve(context);
  }

  @Override
  public ValueSerializer<?> createContextual(
      SerializationContext context, @Nullable BeanProperty property) {
    ValueSerializer<?> contextual = exact.createContextual(context, property);
    return contextual.equals(exact) ? this : new ExactTypeSerializer(type, contextual);
  }

  @Override
  public ValueSerializer<Object> unwrappingSerializer(NameTransformer unwrapper) {
    return exact.unwrappingSerializer(unwrapper);
  }

  @Override
  public boolean isEmpty(SerializationContext context, Object value) {
    return exact.isEmpty(context, value);
  }

  @Override
  public boolean usesObjectId() {
    return exact.usesObjectId();
  }

  @Override
  public Class<?> handledType() {
    return type;
  }

  @Override
  public Iterator<PropertyWriter> properties() {
    return exact.properties();
  }
}
