package io.superstep.json;

import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.question.Answer;
import io.superstep.question.AnswerForm;
import io.superstep.question.AnswerForm.Fields;
import io.superstep.question.AnswerForm.ListOf;
import io.superstep.question.AnswerForm.OneOf;
import io.superstep.question.AnswerForm.OrNothing;
import io.superstep.question.AnswerForm.SomeOf;
import io.superstep.question.AnswerForm.WholeNumber;
import io.superstep.question.Prompt;
import java.time.Instant;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * Writes a question for whoever has to answer it:
 * {@code {"id":"...","key":"publish","text":"Publish?","form":{"type":"yes-no"}}}.
 */
record QuestionText(JsonGenerator out, SerializationContext context) {

  void write(Asked asked) {
    Prompt prompt = asked.prompt();
    out.writeStartObject();
    out.writeStringProperty("id", asked.id());
    out.writeStringProperty("key", asked.key());
    out.writeStringProperty("text", prompt.text());
    out.writeName("form");
    write(prompt.form());
    if (!prompt.shown().isEmpty()) {
      out.writeName("shown");
      UntypedSerializer.INSTANCE.serialize(prompt.shown(), out, context);
    }
    out.writeStringProperty("asked", asked.time().toString());
    Instant due = asked.due();
    if (due != null) {
      out.writeStringProperty("due", due.toString());
    }
    out.writeEndObject();
  }

  void write(AnswerForm form) {
    out.writeStartObject();
    out.writeStringProperty("type", SealedFamily.kebab(form.getClass().getSimpleName()));
    if (form instanceof OneOf choice) {
      writeOptions(choice.options());
    } else if (form instanceof SomeOf choice) {
      writeOptions(choice.options());
    } else if (form instanceof WholeNumber number) {
      out.writeNumberProperty("least", number.least());
      out.writeNumberProperty("most", number.most());
    } else if (form instanceof ListOf list) {
      out.writeName("element");
      write(list.element());
    } else if (form instanceof OrNothing optional) {
      out.writeName("form");
      write(optional.form());
    } else if (form instanceof Fields fields) {
      out.writeObjectPropertyStart("fields");
      fields.byName().forEach((name, field) -> {
        out.writeName(name);
        write(field);
      });
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  private void writeOptions(List<String> options) {
    out.writeArrayPropertyStart("options");
    options.forEach(out::writeString);
    out.writeEndArray();
  }

  /** Which question was answered by whom; what, is for the task only. */
  static void writeAnswer(Answer answer, JsonGenerator out) {
    out.writeStringProperty("question", answer.question());
    out.writeStringProperty("key", answer.key());
    out.writeStringProperty("by", answer.by());
  }
}
