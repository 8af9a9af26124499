package io.superstep.json;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ext.jdk8.Jdk8OptionalSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.Serializers;
import tools.jackson.databind.ser.jdk.CollectionSerializer;
import tools.jackson.databind.ser.jdk.MapSerializer;
import tools.jackson.databind.ser.jdk.ObjectArraySerializer;
import tools.jackson.databind.type.ArrayType;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;
import tools.jackson.databind.type.ReferenceType;

/**
 * The declared types that are not written the way Jackson writes them.
 *
 * <p>Containers are here because Jackson asks for the serializer of a declared element type unless
 * that type is {@code Object}.
 */
final class DeclaredSerializers implements Serializers {

  @Override
  public @Nullable ValueSerializer<?> findSerializer(
      SerializationConfig config,
      JavaType type,
      BeanDescription.Supplier description,
      JsonFormat.@Nullable Value format) {
    if (DeclaredTypes.isUntyped(type)) {
      return UntypedSerializer.INSTANCE;
    }
    if (type.hasRawClass(BigDecimal.class)) {
      return new BoundedNumbers.Serializer(BigDecimal.class);
    }
    if (type.hasRawClass(BigInteger.class)) {
      return new BoundedNumbers.Serializer(BigInteger.class);
    }
    if (PlatformTypes.refuses(type.getRawClass())) {
      return new RefusingSerializer(
          "has no JSON form", "Store its name, its contents or another plain value instead.");
    }
    return DeclaredTypes.isFamily(type, description.getClassInfo())
        ? new SealedSerializer(SealedFamily.of(type, config))
        : null;
  }

  @Override
  public @Nullable ValueSerializer<?> findCollectionSerializer(
      SerializationConfig config,
      CollectionType type,
      BeanDescription.Supplier description,
      JsonFormat.@Nullable Value format,
      @Nullable TypeSerializer elementTypes,
      @Nullable ValueSerializer<Object> elements) {
    return isOurs(type, elementTypes, elements)
        ? new CollectionSerializer(type.getContentType(), true, null, UntypedSerializer.INSTANCE)
        : null;
  }

  @Override
  public @Nullable ValueSerializer<?> findArraySerializer(
      SerializationConfig config,
      ArrayType type,
      BeanDescription.Supplier description,
      JsonFormat.@Nullable Value format,
      @Nullable TypeSerializer elementTypes,
      @Nullable ValueSerializer<Object> elements) {
    return isOurs(type, elementTypes, elements)
        ? new ObjectArraySerializer(type.getContentType(), true, null, UntypedSerializer.INSTANCE)
        : null;
  }

  @Override
  public @Nullable ValueSerializer<?> findReferenceSerializer(
      SerializationConfig config,
      ReferenceType type,
      BeanDescription.Supplier description,
      JsonFormat.@Nullable Value format,
      @Nullable TypeSerializer contentTypes,
      @Nullable ValueSerializer<Object> contents) {
    return type.hasRawClass(Optional.class) && isOurs(type, contentTypes, contents)
        ? new Jdk8OptionalSerializer(type, true, null, UntypedSerializer.INSTANCE)
        : null;
  }

  @Override
  public @Nullable ValueSerializer<?> findMapSerializer(
      SerializationConfig config,
      MapType type,
      BeanDescription.Supplier description,
      JsonFormat.@Nullable Value format,
      @Nullable ValueSerializer<Object> keys,
      @Nullable TypeSerializer valueTypes,
      @Nullable ValueSerializer<Object> values) {
    if (keys == null && !DeclaredTypes.isTextKey(type.getKeyType())) {
      return DeclaredTypes.isAnyMap(type)
          ? new EntriesSerializer(type)
          : new RefusingSerializer(
              "has keys that are not text",
              "Declare the type as Map, which can be written with any key.");
    }
    return isOurs(type, valueTypes, values)
        ? MapSerializer.construct(
            type, true, null, keys, UntypedSerializer.INSTANCE, null, null, null)
        : null;
  }

  /** Whether no type and no annotation says how the contents of {@code container} are written. */
  private static boolean isOurs(
      JavaType container,
      @Nullable TypeSerializer contentTypes,
      @Nullable ValueSerializer<Object> contents) {
    return contentTypes == null
        && contents == null
        && DeclaredTypes.isUntyped(container.getContentType());
  }
}
