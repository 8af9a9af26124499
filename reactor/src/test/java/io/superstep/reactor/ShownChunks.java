package io.superstep.reactor;

import io.superstep.checkpoint.Execution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The chunks that a client shows while they are streamed. It reads the external JSON only.
 *
 * <p>It is the JavaScript of the section "Superseded chunks" of docs/events.md, function by
 * function. Both change together.
 */
final class ShownChunks {

  private static final Set<String> HEAD_MOVES =
      Set.of("run-started", "step-committed", "thread-updated");

  /** By task id. */
  private final Map<String, Execution> highest = new HashMap<>();

  /** By task id, then by message id. */
  private final Map<String, Map<String, String>> shown = new LinkedHashMap<>();

  void see(String text) {
    JsonNode event = JsonMapper.shared().readTree(text);
    String type = event.get("type").stringValue();
    if (HEAD_MOVES.contains(type) && !event.has("path")) {
      shown.clear();
    } else if (type.equals("step-started")) {
      seeStep(event);
    } else if (type.startsWith("task-")) {
      seeTask(event);
    }
  }

  private void seeStep(JsonNode event) {
    List<String> due = event.get("tasks").valueStream().map(task -> id(task)).toList();
    String[] parts = due.get(0).split("/", -1);
    String graph = String.join("/", List.of(parts).subList(0, parts.length - 3)) + "/";
    discard(id -> {
      boolean isOther = !id.startsWith(graph);
      return !isOther
          && step(id, graph) >= event.get("step").intValue()
          && due.stream().noneMatch(task -> isWithin(id, task));
    });
  }

  private static int step(String id, String graph) {
    return Integer.parseInt(id.substring(graph.length()).split("/", 2)[0]);
  }

  private void seeTask(JsonNode event) {
    String type = event.get("type").stringValue();
    String id = id(event.get("task"));
    Execution execution = execution(event);
    int order = execution.compareTo(highest.getOrDefault(id, execution));
    if (order < 0) {
      return; // superseded
    }
    highest.put(id, execution);
    if (type.equals("task-retried")) {
      discard(other -> isWithin(other, id));
    } else if (type.equals("task-started") || order > 0) {
      shown.remove(id);
    }
    if (type.equals("task-chunk")) {
      shown
          .computeIfAbsent(id, any -> new LinkedHashMap<>())
          .merge(
              event.path("message").asString(""),
              event.get("content").stringValue(),
              String::concat);
    }
  }

  private void discard(Predicate<String> test) {
    shown.keySet().removeIf(test);
  }

  private static boolean isWithin(String id, String task) {
    return id.equals(task) || id.startsWith(task + "/");
  }

  private static String id(JsonNode task) {
    return task.get("id").stringValue();
  }

  private static Execution execution(JsonNode event) {
    List<Integer> enclosing = new ArrayList<>();
    event.path("enclosing").forEach(attempt -> enclosing.add(attempt.intValue()));
    return new Execution(
        event.path("fence").longValue(0), enclosing, event.path("attempt").intValue());
  }

  /** The texts that the client shows, in the order in which their tasks began them. */
  List<String> texts() {
    return shown.values().stream().flatMap(texts -> texts.values().stream()).toList();
  }
}
