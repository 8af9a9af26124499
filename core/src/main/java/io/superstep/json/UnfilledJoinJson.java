package io.superstep.json;

import io.superstep.checkpoint.UnfilledJoin;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The joins of a completed run that were not filled, as part of its event:
 * {@code "unfilled":[{"target":"merge","arrived":["a"],"missing":["b"]}]}. The part is left out if
 * there are none.
 */
final class UnfilledJoinJson {

  static final String UNFILLED = "unfilled";

  private @Nullable String target;
  private @Nullable List<String> arrived;
  private @Nullable List<String> missing;

  private UnfilledJoinJson() {}

  static void write(List<UnfilledJoin> joins, JsonGenerator out) {
    if (joins.isEmpty()) {
      return;
    }
    out.writeArrayPropertyStart(UNFILLED);
    for (UnfilledJoin join : joins) {
      out.writeStartObject();
      out.writeStringProperty("target", join.target());
      write("arrived", join.arrived(), out);
      write("missing", join.missing(), out);
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void write(String name, List<String> nodes, JsonGenerator out) {
    out.writeArrayPropertyStart(name);
    nodes.forEach(out::writeString);
    out.writeEndArray();
  }

  static List<UnfilledJoin> read(Document document) {
    return document.elements(() -> new UnfilledJoinJson().readOne(document));
  }

  private UnfilledJoin readOne(Document document) {
    document.readProperties(name -> {
      switch (name) {
        case "target" -> target = document.text();
        case "arrived" -> arrived = document.texts();
        case "missing" -> missing = document.texts();
        default -> throw document.mismatch("a part of an unfilled join");
      }
    });
    return new UnfilledJoin(
        document.required(target), document.required(arrived), document.required(missing));
  }
}
