package io.superstep.json;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Task;
import io.superstep.state.Update;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.SerializationContext;

/**
 * Tasks, and nodes whose turn comes, in JSON:
 * {@code {"origin":"t/1-1","step":1,"index":0,"node":"work"}}, and {@code "work"} or
 * {@code {"node":"work","arguments":[...]}}.
 */
final class TaskText {

  private static final String NODE = "node";
  private static final String ARGUMENTS = "arguments";

  private TaskText() {}

  /** @param graph of which {@code task} is one, or one around that, however far */
  static void write(Task task, GraphTexts graph, JsonGenerator out, SerializationContext context) {
    out.writeStartObject();
    out.writeStringProperty("origin", task.origin());
    out.writeNumberProperty("step", task.step());
    out.writeNumberProperty("index", task.index());
    out.writeStringProperty(NODE, task.node());
    writeArguments(task.arguments(), graph.of(task).texts(), out, context);
    out.writeEndObject();
  }

  static Task read(GraphTexts graph, Document document) {
    TaskReading reading = new TaskReading();
    document.readProperties(part -> {
      switch (part) {
        case "origin" -> reading.origin = document.text();
        case "step" -> reading.step = document.count();
        case "index" -> reading.index = document.count();
        case NODE -> reading.node = document.text();
        case ARGUMENTS ->
          reading.arguments =
              graph.of(reading.without(document)).texts().updates().readValue(document);
        default -> throw document.mismatch("a task");
      }
    });
    return reading.task(document);
  }

  private static final class TaskReading {

    private @Nullable String origin;
    private @Nullable Integer step;
    private @Nullable Integer index;
    private @Nullable String node;
    private @Nullable Update arguments;

    Task without(Document document) {
      return new Task(
          document.required(origin),
          document.required(step),
          document.required(index),
          document.required(node),
          null);
    }

    Task task(Document document) {
      Task task = without(document);
      return arguments == null
          ? task
          : new Task(task.origin(), task.step(), task.index(), task.node(), arguments);
    }
  }

  static void writeDue(
      List<Due> dues, SchemaTexts texts, JsonGenerator out, SerializationContext context) {
    out.writeStartArray();
    for (Due due : dues) {
      if (due.arguments() == null) {
        out.writeString(due.node());
      } else {
        out.writeStartObject();
        out.writeStringProperty(NODE, due.node());
        writeArguments(due.arguments(), texts, out, context);
        out.writeEndObject();
      }
    }
    out.writeEndArray();
  }

  static List<Due> readDue(SchemaTexts texts, Document document) {
    return document.elements(() -> {
      if (document.in().currentToken() == JsonToken.VALUE_STRING) {
        return Due.by(document.text());
      }
      TaskReading reading = new TaskReading();
      document.readProperties(part -> {
        switch (part) {
          case NODE -> reading.node = document.text();
          case ARGUMENTS -> reading.arguments = texts.updates().readValue(document);
          default -> throw document.mismatch("a pending task");
        }
      });
      return new Due(document.required(reading.node), document.required(reading.arguments));
    });
  }

  private static void writeArguments(
      @Nullable Update arguments,
      SchemaTexts texts,
      JsonGenerator out,
      SerializationContext context) {
    if (arguments != null) {
      out.writeName(ARGUMENTS);
      texts.writeUpdate(arguments, out, context);
    }
  }
}
