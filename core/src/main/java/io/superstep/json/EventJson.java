package io.superstep.json;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.graph.Graph;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the events of a graph as JSON for those who watch its runs from outside, such as a browser
 * that listens to server-sent events.
 *
 * <p>Of the state only those channels are shown that the output view of their graph shows, and, of
 * a nested graph, the views of all graphs around it. Arguments of sends, what lives only as long as
 * a run, and the words of errors are never shown; of errors there is the code. What nodes emit as
 * chunks is meant to be seen, and is shown as it is.
 *
 * <p>The texts are compact, one line each, and begin with the version of their format. Immutable
 * and safe for use by many threads.
 */
public final class EventJson {

  private final String graph;
  private final Map<String, Window> windows;
  private final ObjectWriter writer;
  private final boolean hasOutput;

  private EventJson(
      String graph, Map<String, Window> windows, ObjectWriter writer, boolean hasOutput) {
    this.graph = graph;
    this.windows = windows;
    this.writer = writer;
    this.hasOutput = hasOutput;
  }

  /**
   * Writes the events of {@code graph} and of all graphs in it.
   *
   * @param modules types that Jackson does not know by itself, as for a {@link JsonCodec}
   * @throws InvalidJsonException if a channel that is shown is of a type that has no JSON form
   */
  public static EventJson of(Graph graph, JacksonModule... modules) {
    JsonMapper mapper = JsonMapping.with(List.of(modules));
    return new EventJson(
        graph.name(), Window.on(graph, mapper), mapper.writerFor(Text.class), false);
  }

  /**
   * Returns a writer that adds the whole output of the graph to the last event of a run. Without
   * it, that event carries the checkpoint, and the facts before it carry what changed.
   */
  public EventJson withOutput() {
    return new EventJson(graph, windows, writer, true);
  }

  /**
   * {@code event} as far as it may be seen.
   *
   * @throws InvalidJsonException if it holds a value that cannot be written, or is of another graph
   */
  public String text(GraphEvent event) {
    Window window = windows.get(event.path());
    if (window == null) {
      throw Failures.elsewhere(graph, event.path());
    }
    Text text =
        new Text((out, context) -> new EventText(window, hasOutput, out, context).write(event));
    try {
      // As bytes first: half a character, where a stream of tokens was cut, is escaped only there.
      return new String(writer.writeValueAsBytes(text), StandardCharsets.UTF_8);
    } catch (JacksonException failure) {
      throw event instanceof TaskChunk chunk
          ? Failures.chunk(chunk, failure)
          : Failures.writing(failure);
    } catch (StackOverflowError deep) {
      throw event instanceof TaskChunk chunk ? Failures.chunk(chunk, deep) : Failures.writing(deep);
    } catch (LinkageError | AssertionError failure) { // of the user's own types and modules
      throw Failures.writing(failure);
    }
  }

  /** The kind of {@code event} as the text has it, such as {@code step-committed}. */
  public static String type(GraphEvent event) {
    return EventText.type(event);
  }

  /**
   * What a watcher that comes back has to say in order to miss nothing after {@code event}: its
   * number, which is the id of a server-sent event. A provisional event has none.
   */
  public static OptionalLong cursor(GraphEvent event) {
    return event instanceof Provisional ? OptionalLong.empty() : OptionalLong.of(event.sequence());
  }
}
