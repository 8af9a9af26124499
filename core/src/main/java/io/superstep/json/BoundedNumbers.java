package io.superstep.json;

import io.superstep.value.NumberBounds;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers.BigDecimalDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers.BigIntegerDeserializer;
import tools.jackson.databind.ser.jdk.NumberSerializer;

/**
 * The JSON form of {@link BigDecimal} and {@link BigInteger}: that of Jackson, within
 * {@link NumberBounds} in both directions, so that every number that is written can be read.
 */
final class BoundedNumbers {

  private static final String OUT_OF_BOUNDS = "a number out of bounds";

  private BoundedNumbers() {}

  /** Returns {@code number} if it is within the bounds. */
  static <N extends Number> N require(N number, Class<?> target, DeserializationContext context) {
    return NumberBounds.contain(number)
        ? number
        : context.reportInputMismatch(target, OUT_OF_BOUNDS);
  }

  /** Writes one of the two types. */
  static final class Serializer extends ValueSerializer<Number> {

    private final ValueSerializer<Number> jackson;

    Serializer(Class<? extends Number> type) {
      this(new NumberSerializer(type));
    }

    private Serializer(ValueSerializer<Number> jackson) {
      this.jackson = jackson;
    }

    @Override
    public void serialize(Number value, JsonGenerator out, SerializationContext context) {
      String violation = NumberBounds.violation(value);
      if (violation != null) {
        throw new Unwritable(value.getClass(), violation, "Round the number, or store it as text.");
      }
      jackson.serialize(value, out, context);
    }

    @Override
    @SuppressWarnings("unchecked") // a serializer of numbers stays one
    public ValueSerializer<?> createContextual(
        SerializationContext context, @Nullable BeanProperty property) {
      ValueSerializer<?> contextual = jackson.createContextual(context, property);
      return contextual.equals(jackson)
          ? this
          : new Serializer((ValueSerializer<Number>) contextual);
    }
  }

  /** Reads decimals. */
  static final class Decimals extends BigDecimalDeserializer {

    @Override
    public BigDecimal deserialize(JsonParser in, DeserializationContext context) {
      BigDecimal number = super.deserialize(in, context);
      return number == null ? number : require(number, BigDecimal.class, context);
    }
  }

  /** Reads whole numbers. */
  static final class Integers extends BigIntegerDeserializer {

    @Override
    public BigInteger deserialize(JsonParser in, DeserializationContext context) {
      BigInteger number = super.deserialize(in, context);
      return number == null ? number : require(number, BigInteger.class, context);
    }
  }
}
