package io.superstep.json;

import io.superstep.state.Channel;
import io.superstep.state.Channel.Lifetime;
import io.superstep.state.Update;
import io.superstep.state.Write;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.SerializationContext;

/**
 * An update in JSON, its writes in order:
 * {@code {"v":1,"writes":[["round",3],["plan",null,"overwrite"]]}}.
 *
 * <p>Arguments of a send travel along, what lives only as long as a run does not.
 */
record UpdateText(ChannelTexts channels) {

  private static final String WRITES = "writes";
  private static final String OVERWRITE = "overwrite";

  void write(Update update, JsonGenerator out, SerializationContext context) {
    Document.begin(out);
    writePart(update, out, context);
    out.writeEndObject();
  }

  /** Writes the part of a document that holds {@code update}. */
  void writePart(Update update, JsonGenerator out, SerializationContext context) {
    out.writeArrayPropertyStart(WRITES);
    for (Write write : update.writes()) {
      ChannelText channel = channels.get(write.channel());
      if (channel.channel().lifetime() != Lifetime.RUNTIME) {
        write(write, channel, out, context);
      }
    }
    out.writeEndArray();
  }

  private static void write(
      Write write, ChannelText channel, JsonGenerator out, SerializationContext context) {
    out.writeStartArray();
    out.writeString(write.channel());
    channel.write(write.value(), out, context);
    if (write.overwrite()) {
      out.writeString(OVERWRITE);
    }
    out.writeEndArray();
  }

  Update read(Document document) {
    List<Update> writes = new ArrayList<>();
    document.readParts(part -> {
      if (!part.equals(WRITES) || document.in().currentToken() != JsonToken.START_ARRAY) {
        throw document.mismatch("an update");
      }
      while (document.in().nextToken() != JsonToken.END_ARRAY) {
        writes.add(readWrite(document));
      }
    });
    return writes.stream().reduce(Update.NOTHING, Update::and);
  }

  private Update readWrite(Document document) {
    JsonParser in = document.in();
    if (in.currentToken() != JsonToken.START_ARRAY || in.nextToken() != JsonToken.VALUE_STRING) {
      throw document.mismatch("a write");
    }
    ChannelText channel = channels.get(in.getString());
    if (in.nextToken() == JsonToken.END_ARRAY) {
      throw document.mismatch("a write");
    }
    Object value = channel.read(in);
    boolean overwrite =
        in.nextToken() == JsonToken.VALUE_STRING && in.getString().equals(OVERWRITE);
    if ((overwrite ? in.nextToken() : in.currentToken()) != JsonToken.END_ARRAY) {
      throw document.mismatch("a write");
    }
    return update(channel.channel(), value, overwrite);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the value was read as what the channel holds
  private static <T extends @Nullable Object> Update update(
      Channel<T> channel, @Nullable Object value, boolean overwrite) {
    return overwrite ? Update.overwrite(channel, (T) value) : Update.of(channel, (T) value);
  }
}
