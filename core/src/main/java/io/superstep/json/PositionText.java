package io.superstep.json;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.state.State;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * Where a thread stands, but for its state, in JSON:
 * {@code {"origin":"t/1-1","step":2,"due":["review"]}}.
 */
final class PositionText {

  private PositionText() {}

  static void write(
      Position position, SchemaTexts texts, JsonGenerator out, SerializationContext context) {
    out.writeStartObject();
    out.writeStringProperty("origin", position.origin());
    out.writeNumberProperty("step", position.step());
    if (!position.due().isEmpty()) {
      out.writeName("due");
      TaskText.writeDue(position.due(), texts, out, context);
    }
    writeUnlessEmpty("deferred", position.deferred(), out);
    if (!position.arrivals().isEmpty()) {
      out.writeObjectPropertyStart("arrivals");
      position
          .arrivals()
          .forEach((join, sources) -> write(join, sources.stream().sorted().toList(), out));
      out.writeEndObject();
    }
    if (!position.visits().isEmpty()) {
      out.writeObjectPropertyStart("visits");
      position.visits().forEach(out::writeNumberProperty);
      out.writeEndObject();
    }
    writeUnlessEmpty("before", position.pause().before(), out);
    writeUnlessEmpty("after", position.pause().after(), out);
    out.writeEndObject();
  }

  static void writeUnlessEmpty(String part, List<String> words, JsonGenerator out) {
    if (!words.isEmpty()) {
      write(part, words, out);
    }
  }

  private static void write(String part, List<String> words, JsonGenerator out) {
    out.writeArrayPropertyStart(part);
    words.forEach(out::writeString);
    out.writeEndArray();
  }

  static Reading read(SchemaTexts texts, Document document) {
    Reading reading = new Reading();
    document.readProperties(part -> {
      switch (part) {
        case "origin" -> reading.origin = document.text();
        case "step" -> reading.step = document.count();
        case "due" -> reading.due = TaskText.readDue(texts, document);
        case "deferred" -> reading.deferred = document.texts();
        case "arrivals" ->
          document.readProperties(
              join -> reading.arrivals.put(join, new LinkedHashSet<>(document.texts())));
        case "visits" ->
          document.readProperties(node -> reading.visits.put(node, document.count()));
        case "before" -> reading.before = document.texts();
        case "after" -> reading.after = document.texts();
        default -> throw document.mismatch("a position");
      }
    });
    document.required(reading.origin);
    document.required(reading.step);
    return reading;
  }

  /** A position that was read, and has no state yet. */
  static final class Reading {

    private @Nullable String origin;
    private @Nullable Integer step;
    private List<Due> due = List.of();
    private List<String> deferred = List.of();
    private final Map<String, Set<String>> arrivals = new LinkedHashMap<>();
    private final Map<String, Integer> visits = new LinkedHashMap<>();
    private List<String> before = List.of();
    private List<String> after = List.of();

    int step(Document document) {
      return document.required(step);
    }

    Position with(State state, Document document) {
      return new Position(
          document.required(origin),
          document.required(step),
          state,
          due,
          deferred,
          arrivals,
          visits,
          Pause.of(before, after));
    }
  }
}
