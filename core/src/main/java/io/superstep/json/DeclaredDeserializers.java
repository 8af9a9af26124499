package io.superstep.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.Deserializers;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.type.MapType;

/** The declared types that {@link DeclaredSerializers} writes in a way of its own. */
final class DeclaredDeserializers implements Deserializers {

  @Override
  public @Nullable ValueDeserializer<?> findBeanDeserializer(
      JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
    if (DeclaredTypes.isUntyped(type)) {
      return new UntypedDeserializer(type.getRawClass());
    }
    if (type.hasRawClass(BigDecimal.class)) {
      return new BoundedNumbers.Decimals();
    }
    if (type.hasRawClass(BigInteger.class)) {
      return new BoundedNumbers.Integers();
    }
    if (PlatformTypes.refuses(type.getRawClass())) {
      return new RefusingDeserializer(type);
    }
    return DeclaredTypes.isFamily(type, description.getClassInfo())
        ? new SealedDeserializer(SealedFamily.of(type, config))
        : null;
  }

  @Override
  public @Nullable ValueDeserializer<?> findMapDeserializer(
      MapType type,
      DeserializationConfig config,
      BeanDescription.Supplier description,
      @Nullable KeyDeserializer keys,
      @Nullable TypeDeserializer valueTypes,
      @Nullable ValueDeserializer<?> values) {
    if (keys != null || DeclaredTypes.isTextKey(type.getKeyType())) {
      return null;
    }
    return DeclaredTypes.isAnyMap(type)
        ? new EntriesDeserializer(type)
        : new RefusingDeserializer(type);
  }

  @Override
  public boolean hasDeserializerFor(DeserializationConfig config, Class<?> valueType) {
    return DeclaredTypes.isUntyped(config.constructType(valueType))
        || valueType == BigDecimal.class
        || valueType == BigInteger.class
        || PlatformTypes.refuses(valueType);
  }
}
