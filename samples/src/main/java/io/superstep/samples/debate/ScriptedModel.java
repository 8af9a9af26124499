package io.superstep.samples.debate;

import io.superstep.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import reactor.core.publisher.Flux;

/**
 * A stand-in for a language model: it streams the lines of a script, word by word.
 *
 * @param script what it says, line by line; {@code %s} stands for the topic
 * @param pause how long it takes over each word
 */
record ScriptedModel(List<String> script, Duration pause) {

  private static final Pattern BEFORE_A_WORD = Pattern.compile("(?<= )");

  ScriptedModel {
    script = List.copyOf(script);
  }

  /** The words of the line that comes after {@code said}, each with the space that follows it. */
  Flux<String> stream(String topic, List<Message> said) {
    String line = script.get(said.size()).formatted(topic);
    return Flux.fromArray(BEFORE_A_WORD.split(line)).delayElements(pause);
  }
}
