package io.superstep.json;

import io.superstep.error.Problem;
import io.superstep.event.RecordedFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * What is kept of a failure, in JSON:
 * {@code {"type":"java.lang.IllegalStateException","message":"..."}}.
 */
final class FailureText {

  private FailureText() {}

  static void write(Throwable error, JsonGenerator out) {
    RecordedFailure failure = RecordedFailure.of(error);
    out.writeStartObject();
    out.writeStringProperty("type", failure.type());
    failure.message().ifPresent(message -> out.writeStringProperty("message", message));
    if (failure.isOurs()) {
      out.writeArrayPropertyStart("problems");
      failure.problems().forEach(problem -> write(problem, out));
      out.writeEndArray();
    }
    failure.node().ifPresent(node -> out.writeStringProperty("node", node));
    if (failure.attempts() > 0) {
      out.writeNumberProperty("attempts", failure.attempts());
    }
    if (failure.getCause() != null) {
      out.writeName("cause");
      write(failure.getCause(), out);
    }
    out.writeEndObject();
  }

  static void write(Problem problem, JsonGenerator out) {
    out.writeStartObject();
    out.writeStringProperty("code", problem.code());
    out.writeStringProperty("what", problem.what());
    out.writeStringProperty("where", problem.where());
    out.writeStringProperty("fix", problem.fix());
    out.writeEndObject();
  }

  static RecordedFailure read(Document document) {
    Reading reading = new Reading();
    document.readProperties(part -> {
      switch (part) {
        case "type" -> reading.type = document.text();
        case "message" -> reading.message = document.text();
        case "problems" ->
          reading.problems = document.elements(() -> FailureText.readProblem(document));
        case "node" -> reading.node = document.text();
        case "attempts" -> reading.attempts = document.count();
        case "cause" -> reading.cause = read(document);
        default -> throw document.mismatch("a failure");
      }
    });
    return new RecordedFailure(
        document.required(reading.type),
        reading.message,
        reading.problems,
        reading.node,
        reading.attempts,
        reading.cause);
  }

  static Problem readProblem(Document document) {
    Reading reading = new Reading();
    document.readProperties(part -> {
      switch (part) {
        case "code" -> reading.code = document.text();
        case "what" -> reading.what = document.text();
        case "where" -> reading.where = document.text();
        case "fix" -> reading.fix = document.text();
        default -> throw document.mismatch("a problem");
      }
    });
    return new Problem(
        document.required(reading.code),
        document.required(reading.what),
        document.required(reading.where),
        document.required(reading.fix));
  }

  private static final class Reading {

    private @Nullable String type;
    private @Nullable String message;
    private List<Problem> problems = List.of();
    private @Nullable String node;
    private int attempts;
    private @Nullable RecordedFailure cause;
    private @Nullable String code;
    private @Nullable String what;
    private @Nullable String where;
    private @Nullable String fix;
  }
}
