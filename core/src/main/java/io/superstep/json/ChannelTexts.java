package io.superstep.json;

import io.superstep.error.DidYouMean;
import io.superstep.error.Problem;
import io.superstep.state.Channel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The channels of a schema in JSON, all or some of them, prepared once. */
final class ChannelTexts {

  private final Map<String, ChannelText> byName = new LinkedHashMap<>();
  private final List<ChannelText> stored;
  private final boolean keepsStrangers;

  /** Knows {@code channels}, and has no place for others. */
  ChannelTexts(List<Channel<?>> channels, JsonMapper mapper) {
    this(channels, mapper, false);
  }

  /** @param keepsStrangers whether what happened to other channels is kept as it stands */
  ChannelTexts(List<Channel<?>> channels, JsonMapper mapper, boolean keepsStrangers) {
    this.keepsStrangers = keepsStrangers;
    channels.forEach(channel -> byName.put(channel.name(), new ChannelText(channel, mapper)));
    this.stored = byName.values().stream().filter(ChannelText::isStored).toList();
  }

  /** The channels that are part of a stored state, in the order of the schema. */
  List<ChannelText> stored() {
    return stored;
  }

  @Nullable
  ChannelText find(String name) {
    return byName.get(name);
  }

  boolean keepsStrangers() {
    return keepsStrangers;
  }

  /** The channel called {@code name}; null if what is unknown is to be kept. */
  @Nullable
  ChannelText findOrKeep(String name) {
    return keepsStrangers ? find(name) : get(name);
  }

  ChannelText get(String name) {
    ChannelText channel = byName.get(name);
    if (channel == null) {
      throw unknown(name);
    }
    return channel;
  }

  InvalidJsonException unknown(String name) {
    String fix = DidYouMean.among(byName.keySet(), name)
        .map(meant -> "Did you mean '" + meant + "'? Otherwise declare the channel.")
        .orElse("Declare the channel as in the schema that wrote the document.");
    Problem problem = new Problem(
        "SG-304",
        "The stored document names channel '" + name + "', which the schema does not have.",
        "channel '" + name + "'",
        fix);
    return new InvalidJsonException(problem, name, "", null);
  }
}
