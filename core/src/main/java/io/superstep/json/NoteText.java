package io.superstep.json;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Said;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNote.Advanced;
import io.superstep.checkpoint.TaskNote.Answered;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.checkpoint.TaskNote.Began;
import io.superstep.checkpoint.TaskNote.CommitFailed;
import io.superstep.checkpoint.TaskNote.Ended;
import io.superstep.checkpoint.TaskNote.Failed;
import io.superstep.checkpoint.TaskNote.Forgotten;
import io.superstep.checkpoint.TaskNote.Lifted;
import io.superstep.checkpoint.TaskNote.Resumed;
import io.superstep.error.Attribution;
import io.superstep.memory.MemoryWrite;
import io.superstep.question.Answer;
import io.superstep.question.Prompt;
import io.superstep.state.Changes;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * What is known of a task, in JSON:
 * {@code {"v":1,"note":"failed","task":{...},"attempt":1,"error":"...","last":true}}.
 *
 * <p>A graph inside that has advanced is written by what changed, behind the note of its step
 * before; or with its whole {@code state}.
 */
record NoteText(GraphTexts top) {

  /** @param whole whether it is to stand for itself, and not behind others */
  void write(TaskNote note, boolean whole, JsonGenerator out, SerializationContext context) {
    GraphTexts graph = top.of(note.task());
    Document.begin(out);
    out.writeStringProperty("note", SealedFamily.kebab(note.getClass().getSimpleName()));
    out.writeName("task");
    TaskText.write(note.task(), top, out, context);
    out.writeNumberProperty("attempt", note.attempt());
    if (note instanceof Failed failed) {
      out.writeStringProperty("error", failed.error());
      out.writeBooleanProperty("last", failed.last());
    } else if (note instanceof CommitFailed failed) {
      out.writeStringProperty("error", failed.error());
    } else if (note instanceof Advanced step) {
      write(step, whole || step.position().step() <= 1, graph, out, context);
    } else if (note instanceof Asked asked) {
      writeAsked(asked, out, context);
    } else if (note instanceof Answered answered) {
      out.writeName("answer");
      AnswerText.write(answered.answer(), out, context);
    } else if (note instanceof Ended ended) {
      out.writeName("said");
      write(ended.said(), graph, out, context);
    } else if (!(note instanceof Began
        || note instanceof Forgotten
        || note instanceof Lifted
        || note instanceof Resumed)) {
      throw new IllegalStateException("The format has no representation of " + note.getClass());
    }
    out.writeEndObject();
  }

  private static void write(
      Advanced step,
      boolean whole,
      GraphTexts graph,
      JsonGenerator out,
      SerializationContext context) {
    SchemaTexts inside = graph.inside(step.task().node()).texts();
    State state = whole ? step.position().state() : null;
    out.writeName("position");
    PositionText.write(step.position(), inside, out, context);
    if (state != null) {
      out.writeObjectPropertyStart("state");
      inside.states().writeParts(state, out, context);
      out.writeEndObject();
    }
    inside.changes().writePart(step.changes(), state, out, context);
    out.writeName("said");
    write(step.said(), graph, out, context);
  }

  /** Writes the parts of a document that hold a question. */
  static void writeAsked(Asked asked, JsonGenerator out, SerializationContext context) {
    out.writeStringProperty("id", asked.id());
    out.writeStringProperty("key", asked.key());
    out.writeName("prompt");
    AnswerText.write(asked.prompt(), out, context);
    out.writeStringProperty("time", asked.time().toString());
  }

  private static void write(
      Said said, GraphTexts graph, JsonGenerator out, SerializationContext context) {
    out.writeStartObject();
    if (!said.update().isEmpty()) {
      out.writeName(UpdateText.WRITES);
      graph.texts().writeUpdate(said.update(), out, context);
    }
    PositionText.writeUnlessEmpty("goto", said.goTo(), out);
    if (said.toParent()) {
      out.writeBooleanProperty("to-parent", true);
    }
    if (!said.sends().isEmpty()) {
      out.writeName("sends");
      TaskText.writeDue(said.sends(), receiver(graph, said.toParent()).texts(), out, context);
    }
    MemoryText.writePart(said.memories(), out, context);
    out.writeEndObject();
  }

  /** What is sent to the graph around is of its schema. */
  private static GraphTexts receiver(GraphTexts graph, boolean toParent) {
    GraphTexts around = graph.around();
    return toParent && around != null ? around : graph;
  }

  /**
   * Reads a note; empty if it is a step that was read before, or is void.
   *
   * @param steps what was read before, and takes notice of this
   */
  Optional<TaskNote> read(Document document, NotedSteps steps) {
    Reading reading = new Reading();
    document.readParts(part -> {
      switch (part) {
        case "note" -> reading.kind = document.text();
        case "task" -> reading.task = TaskText.read(top, document);
        case "attempt" -> reading.attempt = document.count();
        case "error" -> reading.error = document.text();
        case "last" -> reading.last = document.truth();
        case "id" -> reading.id = document.text();
        case "key" -> reading.key = Attribution.storedName(document.text());
        case "prompt" -> reading.prompt = AnswerText.readPrompt(document);
        case "time" -> reading.time = document.time();
        case "answer" -> reading.answer = AnswerText.read(document);
        case "position" ->
          reading.position = PositionText.read(inside(reading, document).texts(), document);
        case "state" ->
          reading.state = inside(reading, document).texts().states().readStored(document);
        case ChangesText.CHANGES ->
          reading.changes =
              inside(reading, document).texts().changes().readValue(document, reading.state);
        case "said" -> reading.said = readSaid(top.of(document.required(reading.task)), document);
        default -> throw document.mismatch("a note");
      }
    });
    TaskNote note = reading.note(document, steps);
    if (note != null) {
      steps.add(note);
    }
    return Optional.ofNullable(note);
  }

  private GraphTexts inside(Reading reading, Document document) {
    Task task = document.required(reading.task);
    return top.of(task).inside(task.node());
  }

  private static Said readSaid(GraphTexts graph, Document document) {
    Reading reading = new Reading();
    document.readProperties(part -> {
      switch (part) {
        case UpdateText.WRITES -> reading.update = graph.texts().updates().readValue(document);
        case "goto" -> reading.goTo = document.texts();
        case "to-parent" -> {
          if (!reading.sends.isEmpty()) {
            throw document.mismatch("the target graph before the sends");
          }
          reading.toParent = document.truth();
        }
        case "sends" ->
          reading.sends = TaskText.readDue(receiver(graph, reading.toParent).texts(), document);
        case "memories" -> reading.memories = MemoryText.read(document);
        default -> throw document.mismatch("the output of a task");
      }
    });
    return new Said(
        reading.update, reading.goTo, reading.sends, reading.toParent, reading.memories);
  }

  private static final class Reading {

    private @Nullable String kind;
    private @Nullable Task task;
    private @Nullable Integer attempt;
    private @Nullable String error;
    private boolean last;
    private @Nullable String id;
    private @Nullable String key;
    private @Nullable Prompt prompt;
    private @Nullable Instant time;
    private @Nullable Answer answer;
    private PositionText.@Nullable Reading position;
    private @Nullable State state;
    private @Nullable Changes changes;
    private @Nullable Said said;
    private Update update = Update.NOTHING;
    private List<String> goTo = List.of();
    private List<Due> sends = List.of();
    private boolean toParent;
    private List<MemoryWrite> memories = List.of();

    @Nullable
    TaskNote note(Document document, NotedSteps steps) {
      Task about = document.required(task);
      int number = document.required(attempt);
      return switch (document.required(kind)) {
        case "began" -> new Began(about, number);
        case "failed" -> new Failed(about, number, document.required(error), last);
        case "asked" ->
          new Asked(
              about,
              number,
              document.required(id),
              document.required(key),
              document.required(prompt),
              document.required(time));
        case "answered" -> new Answered(about, number, document.required(answer));
        case "ended" -> new Ended(about, number, document.required(said));
        case "commit-failed" -> new CommitFailed(about, number, document.required(error));
        case "forgotten" -> new Forgotten(about, number);
        case "lifted" -> new Lifted(about, number);
        case "resumed" -> new Resumed(about, number);
        case "advanced" -> advanced(about, number, document, steps);
        default -> throw document.mismatch("a note");
      };
    }

    private @Nullable Advanced advanced(
        Task about, int number, Document document, NotedSteps steps) {
      Changes done = document.required(changes);
      PositionText.Reading at = document.required(position);
      State now = state;
      if (now == null) {
        if (steps.have(about, number, at.step(document))) {
          return null;
        }
        Advanced before = steps.before(about, number, at.step(document));
        if (before == null) {
          throw document.mismatch("the preceding step of a subgraph");
        }
        now = before.position().state().apply(done);
      }
      return new Advanced(about, number, done, at.with(now, document), document.required(said));
    }
  }
}
