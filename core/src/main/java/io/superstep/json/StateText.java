package io.superstep.json;

import io.superstep.state.State;
import io.superstep.state.StateSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * Whole states in JSON: {@code {"v":1,"channels":{"round":3},"versions":{"round":7}}}.
 *
 * <p>Versions are there for channels that were ever changed. Channels that the schema does not know
 * are kept as they are.
 */
final class StateText {

  private static final String CHANNELS = "channels";
  private static final String VERSIONS = "versions";

  private final StateSchema schema;
  private final ChannelTexts channels;

  StateText(StateSchema schema, ChannelTexts channels) {
    this.schema = schema;
    this.channels = channels;
  }

  void write(State state, JsonGenerator out, SerializationContext context) {
    Map<String, Integer> versions = new LinkedHashMap<>();
    Document.begin(out);
    out.writeObjectPropertyStart(CHANNELS);
    for (ChannelText channel : channels.stored()) {
      out.writeName(channel.name());
      channel.write(state.get(channel.channel()), out, context);
      versions.put(channel.name(), state.version(channel.channel()));
    }
    state.strangers().forEach((name, kept) -> {
      if (!(kept instanceof Stranger stranger)) {
        throw channels.unknown(name);
      }
      out.writeName(name);
      out.writeRawValue(stranger.json());
      versions.put(name, stranger.version());
    });
    out.writeEndObject();
    writeVersions(versions, out);
    out.writeEndObject();
  }

  private static void writeVersions(Map<String, Integer> versions, JsonGenerator out) {
    versions.values().removeIf(version -> version == 0);
    if (!versions.isEmpty()) {
      out.writeObjectPropertyStart(VERSIONS);
      versions.forEach(out::writeNumberProperty);
      out.writeEndObject();
    }
  }

  State read(Document document) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    Map<String, String> unknown = new LinkedHashMap<>();
    Map<String, Integer> versions = new LinkedHashMap<>();
    document.readParts(part -> {
      switch (part) {
        case CHANNELS ->
          document.readProperties(name -> {
            ChannelText channel = channels.find(name);
            if (channel == null) {
              unknown.put(name, document.rawValue());
            } else if (channel.isStored()) {
              values.put(name, channel.read(document.in()));
            } else {
              document.in().skipChildren();
            }
          });
        case VERSIONS -> document.readProperties(name -> versions.put(name, document.count()));
        default -> throw document.mismatch("a state");
      }
    });
    Map<String, Object> strangers = new LinkedHashMap<>();
    unknown.forEach(
        (name, json) -> strangers.put(name, new Stranger(json, versions.getOrDefault(name, 0))));
    return schema.restore(values, versions, strangers);
  }
}
