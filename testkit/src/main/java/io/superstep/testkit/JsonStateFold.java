package io.superstep.testkit;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Folds the JSON of the events of a thread into its state, as a client does that has no store and
 * no schema. Numbers that are added are integers.
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
    } else if (effect.has("join")) {
      state.put(channel, before.asString("") + effect.get("join").asString());
    } else if (effect.has("union")) {
      state.set(channel, union(before, effect.get("union")));
    } else if (effect.has("merge")) {
      state.set(channel, merged(before, effect.get("merge"), false));
    } else if (effect.has("merge-deep")) {
      state.set(channel, merged(before, effect.get("merge-deep"), true));
    } else if (effect.has("edit")) {
      state.set(channel, edited(before, effect.get("edit")));
    } else if (!effect.has("nothing")) {
      throw new AssertionError("an effect that this fold does not know: " + effect);
    }
  }

  private static ArrayNode union(JsonNode before, JsonNode added) {
    ArrayNode all = MAPPER.createArrayNode();
    before.forEach(all::add);
    added.forEach(element -> {
      if (!contains(all, element)) {
        all.add(element);
      }
    });
    return all;
  }

  private static boolean contains(ArrayNode all, JsonNode element) {
    for (JsonNode each : all) {
      if (each.equals(element)) {
        return true;
      }
    }
    return false;
  }

  private static ObjectNode merged(JsonNode before, JsonNode entries, boolean isDeep) {
    ObjectNode all = before.isObject() ? (ObjectNode) before.deepCopy() : MAPPER.createObjectNode();
    entries.properties().forEach(entry -> {
      JsonNode old = all.path(entry.getKey());
      boolean isMerged = isDeep && old.isObject() && entry.getValue().isObject();
      all.set(entry.getKey(), isMerged ? merged(old, entry.getValue(), true) : entry.getValue());
    });
    return all;
  }

  private static ArrayNode edited(JsonNode before, JsonNode edit) {
    ArrayNode all = MAPPER.createArrayNode();
    Set<Integer> removed = new HashSet<>();
    edit.get("removed").forEach(position -> removed.add(position.asInt()));
    for (int position = 0; position < before.size(); position++) {
      if (!removed.contains(position)) {
        all.add(before.get(position));
      }
    }
    edit.get("replaced")
        .properties()
        .forEach(entry -> all.set(Integer.parseInt(entry.getKey()), entry.getValue()));
    edit.get("inserted")
        .properties()
        .forEach(entry -> all.insert(Integer.parseInt(entry.getKey()), entry.getValue()));
    return all;
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
