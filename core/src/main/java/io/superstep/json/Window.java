package io.superstep.json;

import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.graph.NodeBody;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.Effect;
import io.superstep.state.Update;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.json.JsonMapper;

/**
 * What of a graph's state those get to see who watch a run: the channels that are shown by its own
 * output view and by those of all graphs around it.
 *
 * <p>Arguments of sends, and what lives only as long as a run, are never shown.
 */
final class Window {

  private final ChannelTexts channels;
  private final Set<String> names = new LinkedHashSet<>();
  private final boolean hasMessages;

  private Window(List<Channel<?>> shown, JsonMapper mapper) {
    this.hasMessages = shown.stream().anyMatch(Channel::holdsMessages);
    this.channels = new ChannelTexts(shown, mapper);
    shown.forEach(channel -> names.add(channel.name()));
  }

  /** The windows on {@code graph} and on all graphs in it, by the path that events have there. */
  static Map<String, Window> on(Graph graph, JsonMapper mapper) {
    Map<String, Window> windows = new LinkedHashMap<>();
    open(graph, "", name -> true, mapper, windows);
    return windows;
  }

  /** @param around whether all graphs around {@code graph} show a channel of that name */
  private static void open(
      Graph graph,
      String path,
      Predicate<String> around,
      JsonMapper mapper,
      Map<String, Window> windows) {
    List<Channel<?>> outputs = graph.schema().outputs();
    List<Channel<?>> shown = outputs.stream()
        .filter(ChannelText::isStored)
        .filter(channel -> around.test(channel.name()))
        .toList();
    windows.put(path, new Window(shown, mapper));
    Predicate<String> inside = graph.schema().hasOutputView()
        ? around.and(outputs.stream().map(Channel::name).toList()::contains)
        : around;
    for (Node node : graph.nodes()) {
      if (node.body() instanceof NodeBody.Nested nested) {
        open(nested.subgraph().graph(), path + node.name() + "/", inside, mapper, windows);
      }
    }
  }

  /** The channels that are shown, in the order of the schema. */
  ChannelTexts channels() {
    return channels;
  }

  /** Whether a channel that is shown may hold messages. */
  boolean hasMessages() {
    return hasMessages;
  }

  /** {@code changes} of the channels that are shown. */
  Changes through(Changes changes) {
    Map<String, Effect<?>> effects = new LinkedHashMap<>(changes.effects());
    effects.keySet().retainAll(names);
    return new Changes(effects);
  }

  /** {@code update} of the channels that are shown. */
  Update through(Update update) {
    return update.only(names);
  }
}
