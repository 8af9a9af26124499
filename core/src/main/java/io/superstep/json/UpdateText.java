package io.superstep.json;

import io.superstep.state.Channel;
import io.superstep.state.Channel.Lifetime;
import io.superstep.state.Update;
import io.superstep.state.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  static final String WRITES = "writes";
  private static final String OVERWRITE = "overwrite";

  void write(Update update, JsonGenerator out, SerializationContext context) {
    Document.begin(out);
    writePart(update, out, context);
    out.writeEndObject();
  }

  /** Writes the part of a document that holds {@code update}. */
  void writePart(Update update, JsonGenerator out, SerializationContext context) {
    out.writeName(WRITES);
    writeValue(update, out, context);
  }

  /** Writes {@code update} where a value is due. */
  void writeValue(Update update, JsonGenerator out, SerializationContext context) {
    out.writeStartArray();
    for (Write write : update.writes()) {
      ChannelText channel = write.value() instanceof StrangeValue
          ? channels.find(write.channel())
          : channels.get(write.channel());
      if (channel == null || channel.channel().lifetime() != Lifetime.RUNTIME) {
        write(write, channel, out, context);
      }
    }
    out.writeEndArray();
  }

  private static void write(
      Write write, @Nullable ChannelText channel, JsonGenerator out, SerializationContext context) {
    out.writeStartArray();
    out.writeString(write.channel());
    if (channel == null) {
      out.writeRawValue(((StrangeValue) Objects.requireNonNull(write.value())).json());
    } else {
      channel.write(write.value(), out, context);
    }
    if (write.overwrite()) {
      out.writeString(OVERWRITE);
    }
    out.writeEndArray();
  }

  Update read(Document document) {
    List<Update> updates = new ArrayList<>(1);
    document.readParts(part -> {
      if (!part.equals(WRITES)) {
        throw document.mismatch("an update");
      }
      updates.add(readValue(document));
    });
    return updates.isEmpty() ? Update.NOTHING : updates.get(updates.size() - 1);
  }

  /** Reads the update that is due. */
  Update readValue(Document document) {
    List<Update> writes = new ArrayList<>();
    document.readElements(() -> writes.add(readWrite(document)));
    return Update.all(writes);
  }

  private Update readWrite(Document document) {
    JsonParser in = document.in();
    if (in.currentToken() != JsonToken.START_ARRAY || in.nextToken() != JsonToken.VALUE_STRING) {
      throw document.mismatch("a write");
    }
    String name = in.getString();
    ChannelText channel = channels.findOrKeep(name);
    if (in.nextToken() == JsonToken.END_ARRAY) {
      throw document.mismatch("a write");
    }
    Object value =
        channel == null ? new StrangeValue(document.rawValue()) : channel.read(document.in());
    boolean overwrite =
        in.nextToken() == JsonToken.VALUE_STRING && in.getString().equals(OVERWRITE);
    if ((overwrite ? in.nextToken() : in.currentToken()) != JsonToken.END_ARRAY) {
      throw document.mismatch("a write");
    }
    if (channel == null) {
      return overwrite ? Update.overwrite(name, value) : Update.of(name, value);
    }
    return update(channel.channel(), value, overwrite);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the value was read as what the channel holds
  private static <T extends @Nullable Object> Update update(
      Channel<T> channel, @Nullable Object value, boolean overwrite) {
    return overwrite ? Update.overwrite(channel, (T) value) : Update.of(channel, (T) value);
  }
}
