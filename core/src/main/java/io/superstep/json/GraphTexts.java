package io.superstep.json;

import io.superstep.checkpoint.Task;
import io.superstep.state.Schemas;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * All that has values of a graph, in JSON, and the way to the graphs inside it and around it.
 *
 * @param around the graph that has this one as a node; null at the top
 */
record GraphTexts(
    KnownSchemas known, Schemas schemas, @Nullable GraphTexts around) {

  SchemaTexts texts() {
    return known.of(schemas.schema());
  }

  /** The graph that {@code node} is. */
  GraphTexts inside(String node) {
    return new GraphTexts(known, schemas.inside(node), this);
  }

  /** The graph of which {@code task} is one, wherever that is inside this one. */
  GraphTexts of(Task task) {
    return at(task.origin());
  }

  /**
   * Goes in from this graph. A line of steps begins at a checkpoint, or in a task, whose name ends
   * with its step, its index and its node; and a node has a name that begins with a letter.
   */
  private GraphTexts at(String origin) {
    Deque<String> nodes = new ArrayDeque<>();
    for (int end = origin.length(); end > 0; ) { // in a loop: a stored origin has any length
      int node = origin.lastIndexOf('/', end - 1);
      int index = origin.lastIndexOf('/', node - 1);
      int step = origin.lastIndexOf('/', index - 1);
      boolean isTask = step >= 0
          && index > step + 1
          && node > index + 1
          && isNumber(origin, step + 1, index)
          && isNumber(origin, index + 1, node)
          && node + 1 < end
          && !isDigit(origin.charAt(node + 1));
      if (!isTask) {
        break;
      }
      nodes.push(origin.substring(node + 1, end));
      end = step;
    }
    GraphTexts graph = this;
    for (String node : nodes) {
      graph = graph.inside(node);
    }
    return graph;
  }

  private static boolean isNumber(String text, int from, int to) {
    for (int at = from; at < to; at++) {
      if (!isDigit(text.charAt(at))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }
}
