package io.superstep.json;

import java.lang.reflect.Modifier;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.UnknownSerializer;
import tools.jackson.databind.ser.jackson.JsonValueSerializer;

/** Puts {@link ExactTypeSerializer} before every class that can have subclasses. */
final class ExactTypes extends ValueSerializerModifier {

  private static final long serialVersionUID = 1L;

  @Override
  public ValueSerializer<?> modifySerializer(
      SerializationConfig config,
      BeanDescription.Supplier description,
      ValueSerializer<?> serializer) {
    Class<?> type = description.getBeanClass();
    if (serializer instanceof UnknownSerializer && Modifier.isFinal(type.getModifiers())) {
      return new RefusingSerializer(
          "has no properties", "Use a record, or add a Jackson module for the type.");
    }
    return !Modifier.isFinal(type.getModifiers()) && isOfJackson(serializer)
        ? new ExactTypeSerializer(type, serializer)
        : serializer;
  }

  /** Serializers of users know what they do. */
  private static boolean isOfJackson(ValueSerializer<?> serializer) {
    return serializer instanceof BeanSerializerBase
        || serializer instanceof JsonValueSerializer
        || serializer instanceof UnknownSerializer;
  }
}
