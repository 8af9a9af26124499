package io.superstep.json;

import io.superstep.state.Changes;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * Whole states in JSON: {@code {"v":1,"channels":{"round":3},"versions":{"round":7}}}.
 *
 * <p>Versions are there for channels that were ever changed. Channels that the schema does not know
 * are kept as they are, and what happened to them since is written behind, as {@code pending}: one
 * that knows them makes it happen.
 */
final class StateText {

  private static final String CHANNELS = "channels";
  private static final String VERSIONS = "versions";
  private static final String PENDING = "pending";

  private final StateSchema schema;
  private final ChannelTexts channels;

  StateText(StateSchema schema, ChannelTexts channels) {
    this.schema = schema;
    this.channels = channels;
  }

  void write(State state, JsonGenerator out, SerializationContext context) {
    Document.begin(out);
    writeParts(state, out, context);
    out.writeEndObject();
  }

  /** Writes the parts of a document that hold {@code state}. */
  void writeParts(State state, JsonGenerator out, SerializationContext context) {
    Map<String, Integer> versions = new LinkedHashMap<>();
    Map<String, List<String>> pending = new LinkedHashMap<>();
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
      if (stranger.json() != null) {
        out.writeName(name);
        out.writeRawValue(stranger.json());
      }
      versions.put(name, stranger.version());
      pending.put(name, stranger.effects());
    });
    out.writeEndObject();
    writeVersions(versions, out);
    writePending(pending, out);
  }

  private static void writePending(Map<String, List<String>> pending, JsonGenerator out) {
    pending.values().removeIf(List::isEmpty);
    if (!pending.isEmpty()) {
      out.writeObjectPropertyStart(PENDING);
      pending.forEach((name, effects) -> {
        out.writeArrayPropertyStart(name);
        effects.forEach(out::writeRawValue);
        out.writeEndArray();
      });
      out.writeEndObject();
    }
  }

  private static void writeVersions(Map<String, Integer> versions, JsonGenerator out) {
    versions.values().removeIf(version -> version == 0);
    if (!versions.isEmpty()) {
      out.writeObjectPropertyStart(VERSIONS);
      versions.forEach(out::writeNumberProperty);
      out.writeEndObject();
    }
  }

  /** The state that {@code document} is. */
  State read(Document document) {
    Reading reading = new Reading(document);
    document.readParts(reading::part);
    return reading.state(true);
  }

  /** The state that {@code document} is, without what lives as long as a run. */
  State readDocument(Document document) {
    Reading reading = new Reading(document);
    document.readParts(reading::part);
    return reading.state(false);
  }

  /** The state that is due, as a part of {@code document}, without what lives as long as a run. */
  State readStored(Document document) {
    Reading reading = new Reading(document);
    document.readProperties(reading::part);
    return reading.state(false);
  }

  private final class Reading {

    private final Document document;
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
    private final Map<String, Stranger> unknown = new LinkedHashMap<>();
    private final Map<String, Integer> versions = new LinkedHashMap<>();
    private final List<Changes> pending = new ArrayList<>(0);
    private final Map<String, List<String>> unknownEffects = new LinkedHashMap<>();

    Reading(Document document) {
      this.document = document;
    }

    void part(String part) {
      switch (part) {
        case CHANNELS -> document.readProperties(this::value);
        case VERSIONS -> document.readProperties(name -> versions.put(name, document.count()));
        case PENDING -> document.readProperties(name -> document.readElements(() -> effect(name)));
        default -> throw document.mismatch("a state");
      }
    }

    private void value(String name) {
      ChannelText channel = channels.find(name);
      if (channel == null) {
        unknown.put(name, new Stranger(document.rawValue(), 0, List.of()));
      } else if (channel.isStored()) {
        values.put(name, channel.read(document.in()));
      } else {
        document.in().skipChildren();
      }
    }

    private void effect(String name) {
      ChannelText channel = channels.find(name);
      if (channel == null) {
        unknown.putIfAbsent(name, Stranger.NEW);
        unknownEffects.computeIfAbsent(name, any -> new ArrayList<>()).add(document.rawValue());
      } else if (channel.isStored()) {
        pending.add(new Changes(Map.of(name, new EffectReader(channel, document).read())));
      } else {
        document.in().skipChildren();
      }
    }

    /** @param running whether what lives only as long as a run starts anew */
    State state(boolean running) {
      Map<String, Object> strangers = new LinkedHashMap<>();
      unknown.forEach((name, kept) -> strangers.put(
          name,
          new Stranger(
              kept.json(),
              versions.getOrDefault(name, 0),
              unknownEffects.getOrDefault(name, List.of()))));
      State state = running
          ? schema.restore(values, versions, strangers)
          : schema.restoreStored(values, versions, strangers);
      for (Changes changes : pending) {
        state = state.apply(changes);
      }
      return state;
    }
  }
}
