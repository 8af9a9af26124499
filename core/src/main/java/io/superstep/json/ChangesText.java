package io.superstep.json;

import io.superstep.state.Changes;
import io.superstep.state.Effect;
import io.superstep.state.State;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/** What a step changed in JSON: {@code {"v":1,"changes":{"round":{"set":3}}}}. */
record ChangesText(ChannelTexts channels) {

  static final String CHANGES = "changes";

  /** In front stands what the channel holds since. */
  static final String HELD = "held";

  void write(Changes changes, JsonGenerator out, SerializationContext context) {
    Document.begin(out);
    writePart(changes, out, context);
    out.writeEndObject();
  }

  /** Writes the part of a document that holds {@code changes}. */
  void writePart(Changes changes, JsonGenerator out, SerializationContext context) {
    writePart(changes, null, out, context);
  }

  /** @param state what they led to, if that stands in front of them; else null */
  void writePart(
      Changes changes, @Nullable State state, JsonGenerator out, SerializationContext context) {
    out.writeName(CHANGES);
    writeValue(changes, state, out, context);
  }

  /** As {@link #writePart}, where a value is due. */
  void writeValue(
      Changes changes, @Nullable State state, JsonGenerator out, SerializationContext context) {
    out.writeStartObject();
    changes.effects().forEach((name, effect) -> {
      ChannelText channel =
          effect instanceof StrangeEffect ? channels.find(name) : channels.get(name);
      if (channel == null) {
        out.writeName(name);
        out.writeRawValue(((StrangeEffect) effect).json());
      } else if (channel.isStored()) {
        out.writeName(name);
        if (state != null && isHeld(effect, state.get(channel.channel()))) {
          out.writeStartObject();
          out.writeBooleanProperty(HELD, true);
          out.writeEndObject();
        } else {
          new EffectWriter(channel, out, context).write(effect);
        }
      }
    });
    out.writeEndObject();
  }

  private static boolean isHeld(Effect<?> effect, @Nullable Object value) {
    return effect instanceof Effect.Replace<?> replace && ValueType.same(replace.value(), value);
  }

  Changes read(Document document) {
    List<Changes> changes = new ArrayList<>(1);
    document.readParts(part -> {
      if (!part.equals(CHANGES)) {
        throw document.mismatch("changes");
      }
      changes.add(readValue(document, null));
    });
    return changes.isEmpty() ? new Changes(Map.of()) : changes.get(changes.size() - 1);
  }

  /** @param state what they led to, if that stood in front of them; else null */
  Changes readValue(Document document, @Nullable State state) {
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    document.readProperties(name -> {
      ChannelText channel = channels.findOrKeep(name);
      if (channel == null) {
        effects.put(name, new StrangeEffect(document.rawValue()));
      } else if (!channel.isStored() && channels.keepsStrangers()) {
        document.in().skipChildren(); // it is not kept any more
      } else {
        effects.put(name, new EffectReader(channel, document, state).read());
      }
    });
    return new Changes(effects);
  }
}
