package io.superstep.testkit;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Folds the JSON of the events of a thread into its state, as a client does that has no store and
 * no schema. It knows the effects {@code set}, {@code add} and {@code append}.
 */
public final class JsonStateFold {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private ObjectNode state = MAPPER.createObjectNode();
  private @Nullable String checkpoint;

  /** Adds the event that {@code text} is. */
  public void add(String text) {
    JsonNode event = MAPPER.readTree(text);
    if (event.has("path") || (event.has("changes") && !event.has("checkpoint"))) {
      return; // of a nested graph, or not of a thread
    }
    if (event.has("state")) {
      state = (ObjectNode) event.get("state").deepCopy();
    } else if (!event.has("changes") || isKnown(event)) {
      return;
    } else if (event.path("parent").asString("").equals(checkpoint)) {
      apply(event.get("changes"));
    } else if (event.path("previous").asString("").equals(checkpoint)) {
      apply(event.get("rebase"));
    } else {
      throw new AssertionError("no delta leads from " + checkpoint + ": " + text);
    }
    checkpoint = event.has("checkpoint") ? event.get("checkpoint").asString() : null;
  }

  /** Whether the checkpoint is part of the state, and no delta leads to it. */
  private boolean isKnown(JsonNode event) {
    return checkpoint != null
        && !event.path("parent").asString("").equals(checkpoint)
        && !event.path("previous").asString("").equals(checkpoint)
        && sequence(event.get("checkpoint").asString()) <= sequence(checkpoint);
  }

  private static long sequence(String checkpoint) {
    return Long.parseLong(checkpoint.substring(0, checkpoint.indexOf('-')));
  }

  private void apply(JsonNode changes) {
    changes.properties().forEach(change -> {
      if (change.getValue() instanceof ArrayNode several) {
        several.forEach(effect -> apply(change.getKey(), effect));
      } else {
        apply(change.getKey(), change.getValue());
      }
    });
  }

  private void apply(String channel, JsonNode effect) {
    JsonNode before = state.path(channel);
    if (effect.has("set")) {
      state.set(channel, effect.get("set"));
    } else if (effect.has("add")) {
      state.put(channel, before.asInt(0) + effect.get("add").asInt());
    } else if (effect.has("append")) {
      ArrayNode longer = MAPPER.createArrayNode();
      before.forEach(longer::add);
      effect.get("append").forEach(longer::add);
      state.set(channel, longer);
    } else if (!effect.has("nothing")) {
      throw new AssertionError("an effect that this fold does not know: " + effect);
    }
  }

  /** The values of the visible channels, by name. */
  public JsonNode state() {
    return state;
  }

  /** The JSON of {@code values}, to compare with {@link #state}. */
  public static JsonNode of(Map<String, ? extends @Nullable Object> values) {
    return MAPPER.valueToTree(values);
  }
}
