package io.superstep.json;

import io.superstep.state.Channel;
import io.superstep.value.InvalidValueException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;

/** One channel in JSON. What is read is checked and frozen as what the channel holds. */
final class ChannelText {

  private final Channel<?> channel;
  private final JavaType type;
  private final JavaType elementType;
  private final ObjectReader values;
  private final ObjectReader elements;

  /** What null is read as; not null for types such as Optional. */
  private final @Nullable Object absent;

  ChannelText(Channel<?> channel, JsonMapper mapper) {
    this.channel = channel;
    try {
      this.type = mapper.constructType(channel.type().javaType());
      this.elementType = type.isCollectionLikeType() ? type.getContentType() : type;
      this.values = mapper.readerFor(type);
      this.elements = mapper.readerFor(elementType);
      // Reading anything makes Jackson look at the type as a whole, here and not in a running
      // graph.
      this.absent = values.readValue("null");
      if (isStored(channel)) {
        requireWritable(type, mapper);
        requireWritable(elementType, mapper);
      }
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failure) {
      throw Failures.mapping(channel, failure);
    }
  }

  /** Asks the serializer of {@code type} whether there is a value that it can write. */
  private static void requireWritable(JavaType type, JsonMapper mapper) {
    mapper.acceptJsonFormatVisitor(type, new JsonFormatVisitorWrapper.Base());
  }

  Channel<?> channel() {
    return channel;
  }

  String name() {
    return channel.name();
  }

  /** Whether the channel is part of a stored state. */
  boolean isStored() {
    return isStored(channel);
  }

  /** Whether {@code channel} is part of a stored state. */
  static boolean isStored(Channel<?> channel) {
    return channel.lifetime().isStored();
  }

  void write(@Nullable Object value, JsonGenerator out, SerializationContext context) {
    write(value, type, out, context);
  }

  /** Writes an element of the channel's list. */
  void writeElement(@Nullable Object element, JsonGenerator out, SerializationContext context) {
    write(element, elementType, out, context);
  }

  private void write(
      @Nullable Object value, JavaType as, JsonGenerator out, SerializationContext context) {
    if (value == null) {
      out.writeNull();
      return;
    }
    if (value.equals(absent)) {
      throw new Unwritable(
              value.getClass(),
              "is serialized as null",
              "Write null to the channel, or register another serializer for the type.")
          .prependPath(channel, name());
    }
    try {
      context.findTypedValueSerializer(as, true).serialize(value, out, context);
    } catch (RuntimeException failure) {
      throw JacksonException.wrapWithPath(failure, channel, name());
    }
  }

  /** Reads the value that {@code in} stands at. */
  @Nullable
  Object read(JsonParser in) {
    Object value = read(values, in);
    try {
      return value == null ? null : channel.type().freeze(value, Long.MAX_VALUE);
    } catch (InvalidValueException misfit) {
      throw Failures.reading(name(), misfit);
    }
  }

  /** Reads an element of the channel's list, to be checked and frozen with its effect. */
  @Nullable
  Object readElement(JsonParser in) {
    return read(elements, in);
  }

  private @Nullable Object read(ObjectReader as, JsonParser in) {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    try {
      return as.readValue(in);
    } catch (RuntimeException failure) {
      throw JacksonException.wrapWithPath(failure, channel, name());
    }
  }
}
