package io.superstep.json;

import io.superstep.state.Changes;
import io.superstep.state.Effect;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/** What a step changed in JSON: {@code {"v":1,"changes":{"round":{"set":3}}}}. */
record ChangesText(ChannelTexts channels) {

  private static final String CHANGES = "changes";

  void write(Changes changes, JsonGenerator out, SerializationContext context) {
    Document.begin(out);
    writePart(changes, out, context);
    out.writeEndObject();
  }

  /** Writes the part of a document that holds {@code changes}. */
  void writePart(Changes changes, JsonGenerator out, SerializationContext context) {
    out.writeObjectPropertyStart(CHANGES);
    changes.effects().forEach((name, effect) -> {
      ChannelText channel = channels.get(name);
      if (channel.isStored()) {
        out.writeName(name);
        new EffectWriter(channel, out, context).write(effect);
      }
    });
    out.writeEndObject();
  }

  Changes read(Document document) {
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    document.readParts(part -> {
      if (!part.equals(CHANGES)) {
        throw document.mismatch("changes");
      }
      document.readProperties(
          name -> effects.put(name, new EffectReader(channels.get(name), document).read()));
    });
    return new Changes(effects);
  }
}
