package io.superstep.graph;

import io.superstep.state.Channel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What has been said about one node so far, each thing with the call that said it; perhaps before
 * the node itself was, or without it ever being.
 */
final class NodeDraft {

  /** Stands for a body that should have been there. */
  static final Object NO_BODY = new Object();

  private final String name;
  private final Map<String, Said> said = new LinkedHashMap<>();

  NodeDraft(String name) {
    this.name = name;
  }

  /** A value and the user's own call that gave it. */
  record Said(Object value, String call) {}

  /** The calls that said something about the node, in their order. */
  List<String> calls() {
    return said.values().stream().map(Said::call).toList();
  }

  /** Notes an option; returns the call that gave it before, if there was one. */
  Optional<String> say(String option, Object value, String call) {
    Said before = said.putIfAbsent(option, new Said(value, call));
    return Optional.ofNullable(before).map(Said::call);
  }

  String call(String option) {
    Said found = said.get(option);
    return found == null ? name : found.call();
  }

  String name() {
    return name;
  }

  Optional<NodeBody> body() {
    return get("node", NodeBody.class);
  }

  Optional<NodePolicy> policy() {
    return get("policy", NodePolicy.class);
  }

  Optional<ErrorHandler> handler() {
    return get("handler", ErrorHandler.class);
  }

  Optional<Targets> mayGoTo() {
    return get("mayGoTo", Targets.class);
  }

  @SuppressWarnings("unchecked") // only GraphBuilder.writes says it
  Optional<List<Channel<?>>> writes() {
    return get("writes", List.class).map(channels -> (List<Channel<?>>) channels);
  }

  Optional<VisitLimit> limit() {
    return get("maxVisits", VisitLimit.class);
  }

  boolean isDeferred() {
    return said.containsKey("defer");
  }

  boolean isPausedBefore() {
    return said.containsKey("interruptBefore");
  }

  boolean isPausedAfter() {
    return said.containsKey("interruptAfter");
  }

  private <T> Optional<T> get(String option, Class<T> type) {
    @Nullable Said found = said.get(option);
    return Optional.ofNullable(found).map(Said::value).filter(type::isInstance).map(type::cast);
  }
}
