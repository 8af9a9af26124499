package io.superstep.json;

import io.superstep.error.Attribution;
import io.superstep.question.Answer;
import io.superstep.question.AnswerForm;
import io.superstep.question.AnswerForm.Anything;
import io.superstep.question.AnswerForm.Decimal;
import io.superstep.question.AnswerForm.Fields;
import io.superstep.question.AnswerForm.ListOf;
import io.superstep.question.AnswerForm.OneOf;
import io.superstep.question.AnswerForm.OrNothing;
import io.superstep.question.AnswerForm.SomeOf;
import io.superstep.question.AnswerForm.Text;
import io.superstep.question.AnswerForm.WholeNumber;
import io.superstep.question.AnswerForm.YesNo;
import io.superstep.question.Prompt;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/** What was asked and answered, in JSON as it is kept. */
final class AnswerText {

  private AnswerText() {}

  static void write(Answer answer, JsonGenerator out, SerializationContext context) {
    out.writeStartObject();
    out.writeStringProperty("question", answer.question());
    out.writeStringProperty("key", answer.key());
    out.writeName("value");
    MemoryText.writeData(answer.value(), "answer", out, context);
    out.writeStringProperty("by", answer.by());
    out.writeStringProperty("time", answer.time().toString());
    out.writeStringProperty("receipt", answer.receipt());
    out.writeEndObject();
  }

  static Answer read(Document document) {
    Reading reading = new Reading();
    document.readProperties(part -> {
      switch (part) {
        case "question" -> reading.question = document.text();
        case "key" -> reading.key = document.text();
        case "value" -> reading.value = document.data();
        case "by" -> reading.by = Attribution.storedName(document.text());
        case "time" -> reading.time = document.time();
        case "receipt" -> reading.receipt = document.text();
        default -> throw document.mismatch("an answer");
      }
    });
    return new Answer(
        document.required(reading.question),
        document.required(reading.key),
        reading.value,
        document.required(reading.by),
        document.required(reading.time),
        document.required(reading.receipt));
  }

  static void write(Prompt prompt, JsonGenerator out, SerializationContext context) {
    out.writeStartObject();
    out.writeStringProperty("text", prompt.text());
    out.writeName("form");
    new QuestionText(out, context).write(prompt.form());
    if (!prompt.shown().isEmpty()) {
      out.writeName("shown");
      MemoryText.writeData(prompt.shown(), "question", out, context);
    }
    Prompt.Deadline deadline = prompt.deadline();
    if (deadline != null) {
      out.writeStringProperty("within", deadline.within().toString());
      out.writeName("otherwise");
      MemoryText.writeData(deadline.otherwise(), "deadline", out, context);
    }
    out.writeEndObject();
  }

  static Prompt readPrompt(Document document) {
    Reading reading = new Reading();
    document.readProperties(part -> {
      switch (part) {
        case "text" -> reading.text = document.text();
        case "form" -> reading.form = readForm(document);
        case "shown" -> reading.shown = MemoryText.readMap(document);
        case "within" -> reading.within = Duration.parse(document.text());
        case "otherwise" -> reading.value = document.data();
        default -> throw document.mismatch("a question");
      }
    });
    return new Prompt(
        document.required(reading.text),
        document.required(reading.form),
        reading.shown,
        reading.within == null ? null : new Prompt.Deadline(reading.within, reading.value));
  }

  private static AnswerForm readForm(Document document) {
    Reading reading = new Reading();
    document.readProperties(part -> {
      switch (part) {
        case "type" -> reading.type = document.text();
        case "options" -> reading.options = document.texts();
        case "least" -> reading.least = document.number();
        case "most" -> reading.most = document.number();
        case "element", "form" -> reading.form = readForm(document);
        case "fields" ->
          document.readProperties(name -> reading.fields.put(name, readForm(document)));
        default -> throw document.mismatch("the form of an answer");
      }
    });
    return switch (document.required(reading.type)) {
      case "yes-no" -> new YesNo();
      case "text" -> new Text();
      case "whole-number" ->
        new WholeNumber(document.required(reading.least), document.required(reading.most));
      case "decimal" -> new Decimal();
      case "one-of" -> new OneOf(reading.options);
      case "some-of" -> new SomeOf(reading.options);
      case "list-of" -> new ListOf(document.required(reading.form));
      case "fields" -> new Fields(reading.fields);
      case "or-nothing" -> new OrNothing(document.required(reading.form));
      case "anything" -> new Anything();
      default -> throw document.mismatch("the form of an answer");
    };
  }

  private static final class Reading {

    private @Nullable String question;
    private @Nullable String key;
    private @Nullable Object value;
    private @Nullable String by;
    private @Nullable Instant time;
    private @Nullable String receipt;
    private @Nullable String text;
    private @Nullable AnswerForm form;
    private Map<String, @Nullable Object> shown = Map.of();
    private @Nullable Duration within;
    private @Nullable String type;
    private List<String> options = List.of();
    private @Nullable Long least;
    private @Nullable Long most;
    private final Map<String, AnswerForm> fields = new LinkedHashMap<>();
  }
}
