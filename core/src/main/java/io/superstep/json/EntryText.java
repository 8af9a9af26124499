package io.superstep.json;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.Task;
import io.superstep.memory.MemoryWrite;
import io.superstep.question.Answer;
import io.superstep.state.Changes;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * A checkpoint as a log keeps it, in JSON: {@code {"v":1,"id":"3-1","parent":"2-1",
 * "cause":{"kind":"step"},"time":"...","fingerprint":"...","position":{...},"changes":{...}}}.
 *
 * <p>A base has no parent and a {@code state}; changes that lead to all of it are left out.
 */
record EntryText(GraphTexts graph) {

  private static final State NOWHERE = Schemas.NONE.schema().start();

  void write(LogEntry entry, JsonGenerator out, SerializationContext context) {
    SchemaTexts texts = graph.texts();
    State base = entry.base();
    Document.begin(out);
    out.writeStringProperty("id", entry.id().toString());
    if (entry.parent() != null) {
      out.writeStringProperty("parent", entry.parent().toString());
    }
    out.writeName("cause");
    CauseJson.write(entry.cause(), out);
    out.writeStringProperty("time", entry.time().toString());
    out.writeStringProperty("fingerprint", entry.fingerprint());
    out.writeName("position");
    PositionText.write(entry.position(), texts, out, context);
    if (base != null) {
      out.writeObjectPropertyStart("state");
      texts.states().writeParts(base, out, context);
      out.writeEndObject();
    }
    if (base == null || !entry.changes().equals(Changes.whole(base))) {
      texts.changes().writePart(entry.changes(), base, out, context);
    }
    if (!entry.credits().isEmpty()) {
      out.writeArrayPropertyStart("credits");
      entry.credits().forEach(credit -> write(credit, out, context));
      out.writeEndArray();
    }
    MemoryText.writePart(entry.memories(), out, context);
    out.writeEndObject();
  }

  private void write(Credit credit, JsonGenerator out, SerializationContext context) {
    out.writeStartObject();
    out.writeName("task");
    TaskText.write(credit.task(), graph, out, context);
    out.writeNumberProperty("attempt", credit.attempt());
    if (!credit.answers().isEmpty()) {
      out.writeArrayPropertyStart("answers");
      credit.answers().forEach(answer -> AnswerText.write(answer, out, context));
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  LogEntry read(Document document) {
    SchemaTexts texts = graph.texts();
    Reading reading = new Reading();
    document.readParts(part -> {
      switch (part) {
        case "id" -> reading.id = CheckpointId.parse(document.text());
        case "parent" -> reading.parent = CheckpointId.parse(document.text());
        case "cause" -> reading.cause = CauseJson.read(document);
        case "time" -> reading.time = document.time();
        case "fingerprint" -> reading.fingerprint = document.text();
        case "position" -> reading.position = PositionText.read(texts, document);
        case "state" -> reading.base = texts.states().readStored(document);
        case ChangesText.CHANGES ->
          reading.changes = texts.changes().readValue(document, reading.base);
        case "credits" -> reading.credits = document.elements(() -> readCredit(document));
        case "memories" -> reading.memories = MemoryText.read(document);
        default -> throw document.mismatch("a checkpoint");
      }
    });
    return reading.entry(document);
  }

  private Credit readCredit(Document document) {
    Reading reading = new Reading();
    document.readProperties(part -> {
      switch (part) {
        case "task" -> reading.task = TaskText.read(graph, document);
        case "attempt" -> reading.attempt = document.count();
        case "answers" -> reading.answers = document.elements(() -> AnswerText.read(document));
        default -> throw document.mismatch("a credit");
      }
    });
    return new Credit(
        document.required(reading.task), document.required(reading.attempt), reading.answers);
  }

  private static final class Reading {

    private @Nullable CheckpointId id;
    private @Nullable CheckpointId parent;
    private @Nullable Cause cause;
    private @Nullable Instant time;
    private @Nullable String fingerprint;
    private PositionText.@Nullable Reading position;
    private @Nullable State base;
    private @Nullable Changes changes;
    private List<Credit> credits = List.of();
    private List<MemoryWrite> memories = List.of();
    private @Nullable Task task;
    private @Nullable Integer attempt;
    private List<Answer> answers = List.of();

    LogEntry entry(Document document) {
      if (changes == null) {
        changes = Changes.whole(document.required(base));
      }
      return new LogEntry(
          document.required(id),
          parent,
          document.required(cause),
          document.required(time),
          document.required(fingerprint),
          base,
          changes,
          document.required(position).with(NOWHERE, document),
          credits,
          memories);
    }
  }
}
