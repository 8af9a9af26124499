package io.superstep.json;

import io.superstep.checkpoint.QueuedInput;
import io.superstep.error.Attribution;
import io.superstep.state.Update;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * An input that waits, in JSON:
 * {@code {"v":1,"id":"...","by":"ada","time":"...","writes":[["topic","tea"]]}}.
 */
record InputText(SchemaTexts texts) {

  void write(QueuedInput input, JsonGenerator out, SerializationContext context) {
    Document.begin(out);
    out.writeStringProperty("id", input.id());
    out.writeStringProperty("by", input.by());
    out.writeStringProperty("time", input.time().toString());
    out.writeName(UpdateText.WRITES);
    texts.writeUpdate(input.input(), out, context);
    out.writeEndObject();
  }

  QueuedInput read(Document document) {
    Reading reading = new Reading();
    document.readParts(part -> {
      switch (part) {
        case "id" -> reading.id = document.text();
        case "by" -> reading.by = Attribution.storedName(document.text());
        case "time" -> reading.time = document.time();
        case UpdateText.WRITES -> reading.input = texts.updates().readValue(document);
        default -> throw document.mismatch("an input");
      }
    });
    return new QueuedInput(
        document.required(reading.id),
        document.required(reading.input),
        document.required(reading.by),
        document.required(reading.time));
  }

  private static final class Reading {

    private @Nullable String id;
    private @Nullable String by;
    private @Nullable Instant time;
    private @Nullable Update input;
  }
}
