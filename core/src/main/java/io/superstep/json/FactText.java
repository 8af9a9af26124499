package io.superstep.json;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.checkpoint.UnfilledJoin;
import io.superstep.error.Attribution;
import io.superstep.error.Problem;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.HeadMoved;
import io.superstep.event.GraphEvent.OfTask;
import io.superstep.event.GraphEvent.QuestionAnswered;
import io.superstep.event.GraphEvent.QuestionAsked;
import io.superstep.event.GraphEvent.Rebase;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunFailed;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.RunResumed;
import io.superstep.event.GraphEvent.RunStarted;
import io.superstep.event.GraphEvent.RunStopped;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.StepStarted;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskFailed;
import io.superstep.event.GraphEvent.TaskRetried;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.event.GraphEvent.Terminal;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.event.GraphEvent.Warning;
import io.superstep.event.Moment;
import io.superstep.event.RecordedFailure;
import io.superstep.question.Answer;
import io.superstep.question.Prompt;
import io.superstep.state.Changes;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * Events in JSON as a log keeps them:
 * {@code {"v":1,"type":"step-committed","sequence":9,"step":2,"time":"...","on":5,"changes":{...}}}.
 *
 * <p>A state is told as what changed since another fact ({@code on}), by the changes of the event
 * or by a {@code patch} of its own; or as a whole. The first fact behind which all that is told
 * builds on nothing before it is a {@code key} frame.
 */
record FactText(GraphTexts top) {

  /**
   * How an event tells a state.
   *
   * @param state as it is stored
   * @param on the fact it builds on; 0 if it is told as a whole
   * @param patch what leads to it from there; null if it is told as a whole, or the changes of the
   *     event do
   */
  record Telling(State state, long on, @Nullable StateStep patch) {

    /**
     * The fact whose state nobody will build on any more. A graph inside may run several times side
     * by side, and a patch may lead from one to the other.
     */
    long replaced(String path) {
      return patch == null || path.isEmpty() ? on : 0;
    }
  }

  /** How {@code event} tells its state on {@code footing}; null if it has none. */
  static @Nullable Telling telling(GraphEvent event, Footing footing) {
    State state = state(event);
    if (state == null) {
      return null;
    }
    State stored = state.stored();
    List<Footing.Told> told = footing.at(event.path());
    for (int index = told.size() - 1; index >= 0; index--) {
      Footing.Told before = told.get(index);
      if (event instanceof HeadMoved moved
          && StateStep.follows(
              before.state(),
              moved.changes().stored(stored.schema()),
              stored,
              event.path().isEmpty() && footing.isInLine())) {
        return new Telling(stored, before.fact(), null);
      }
    }
    if (!told.isEmpty()) {
      Footing.Told last = told.get(told.size() - 1);
      StateStep patch = StateStep.between(last.state(), stored);
      if (patch != null) {
        return new Telling(stored, last.fact(), patch);
      }
    }
    return new Telling(stored, 0, null);
  }

  /** The state that {@code event} tells; null if it tells none. */
  static @Nullable State state(GraphEvent event) {
    if (event instanceof HeadMoved moved) {
      return moved.state();
    }
    return event instanceof Terminal end ? end.state() : null;
  }

  void write(
      GraphEvent event,
      boolean isKey,
      @Nullable Telling telling,
      JsonGenerator out,
      SerializationContext context) {
    Document.begin(out);
    out.writeStringProperty("type", EventText.type(event));
    out.writeNumberProperty("sequence", event.sequence());
    if (isKey) {
      out.writeBooleanProperty("key", true);
    }
    if (!event.path().isEmpty()) {
      out.writeStringProperty("path", event.path());
    }
    out.writeNumberProperty("step", event.step());
    out.writeStringProperty("time", event.time().toString());
    if (event.appended() != null) {
      out.writeStringProperty("appended", event.appended().toString());
    }
    if (telling != null) {
      write(telling, graph(event.path()).texts(), out, context);
    }
    writeParts(event, out, context);
    out.writeEndObject();
  }

  private static void write(
      Telling telling, SchemaTexts texts, JsonGenerator out, SerializationContext context) {
    if (telling.on() == 0) {
      out.writeObjectPropertyStart("state");
      texts.states().writeParts(telling.state(), out, context);
      out.writeEndObject();
      return;
    }
    out.writeNumberProperty("on", telling.on());
    StateStep patch = telling.patch();
    if (patch != null) {
      out.writeName("patch");
      texts.changes().writeValue(patch.effects(), null, out, context);
      if (!patch.versions().isEmpty()) {
        out.writeObjectPropertyStart("versions");
        patch.versions().forEach(out::writeNumberProperty);
        out.writeEndObject();
      }
    }
  }

  /** The graph that {@code path} leads to, each of whose names ends with a slash. */
  private GraphTexts graph(String path) {
    GraphTexts graph = top;
    int start = 0;
    for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', start)) {
      graph = graph.inside(path.substring(start, end));
      start = end + 1;
    }
    return graph;
  }

  private void writeParts(GraphEvent event, JsonGenerator out, SerializationContext context) {
    if (event instanceof TaskChunk chunk) {
      write(chunk, out, context);
      out.writeNumberProperty("index", chunk.index());
      if (chunk.message() > 0) {
        out.writeNumberProperty("message", chunk.message());
      }
      out.writeName("content");
      UntypedSerializer.INSTANCE.serialize(chunk.content(), out, context);
    } else if (event instanceof TaskUpdated updated) {
      write(updated, out, context);
      out.writeName(UpdateText.WRITES);
      top.of(updated.task()).texts().writeUpdate(updated.update(), out, context);
    } else if (event instanceof StepStarted started) {
      out.writeArrayPropertyStart("tasks");
      started.tasks().forEach(task -> TaskText.write(task, top, out, context));
      out.writeEndArray();
    } else if (event instanceof TaskStarted started) {
      write(started, out, context);
    } else if (event instanceof TaskRetried retried) {
      write(retried, out, context);
      write(retried.error(), out);
    } else if (event instanceof TaskFailed failed) {
      write(failed, out, context);
      write(failed.error(), out);
    } else if (event instanceof TaskCompleted completed) {
      write(completed, out, context);
      if (completed.cached()) {
        out.writeBooleanProperty("cached", true);
      }
      if (completed.handled() != null) {
        write(completed.handled(), out);
      }
    } else if (event instanceof HeadMoved moved) {
      writeMove(moved, out, context);
    } else if (event instanceof CheckpointSaved saved) {
      out.writeStringProperty("checkpoint", saved.checkpoint().toString());
    } else if (event instanceof Warning warning) {
      out.writeName("problem");
      FailureText.write(warning.problem(), out);
    } else if (event instanceof QuestionAsked asked) {
      out.writeName("question");
      write(asked.question(), out, context);
    } else if (event instanceof QuestionAnswered answered) {
      write(answered.task(), 0, out, context);
      out.writeName("answer");
      AnswerText.write(answered.answer(), out, context);
    } else if (event instanceof RunFailed failed) {
      write(failed.error(), out);
    } else if (event instanceof Terminal end) {
      writeEnd(end, out, context);
    } else if (!(event instanceof RunResumed)) {
      throw new IllegalStateException("The format has no representation of " + event.getClass());
    }
  }

  private void writeMove(HeadMoved moved, JsonGenerator out, SerializationContext context) {
    write("checkpoint", moved.checkpoint(), out);
    write("parent", moved.parent(), out);
    ChangesText changes = graph(moved.path()).texts().changes();
    changes.writePart(moved.changes().stored(moved.state().schema()), null, out, context);
    if (moved instanceof ThreadUpdated updated) {
      out.writeName("cause");
      CauseJson.write(updated.cause(), out);
      Rebase rebase = updated.rebase();
      if (rebase != null) {
        write("previous", rebase.previous(), out);
        out.writeName("rebase");
        changes.writeValue(rebase.changes(), null, out, context);
      }
    }
  }

  private static void write(String part, @Nullable CheckpointId id, JsonGenerator out) {
    if (id != null) {
      out.writeStringProperty(part, id.toString());
    }
  }

  private void writeEnd(Terminal end, JsonGenerator out, SerializationContext context) {
    out.writeName("position");
    PositionText.write(end.position(), graph(end.path()).texts(), out, context);
    write("checkpoint", end.checkpoint(), out);
    if (end instanceof RunInterrupted interrupted && !interrupted.questions().isEmpty()) {
      out.writeArrayPropertyStart("questions");
      interrupted.questions().forEach(question -> write(question, out, context));
      out.writeEndArray();
    } else if (end instanceof RunCompleted completed) {
      UnfilledJoinJson.write(completed.unfilled(), out);
    }
  }

  /** The attempt of a task that started is left out if it is the first. */
  private void write(OfTask event, JsonGenerator out, SerializationContext context) {
    write(event.task(), 0, out, context);
    if (!(event instanceof TaskStarted) || !event.execution().equals(Execution.FIRST)) {
      ExecutionText.write(event.execution(), out);
    }
  }

  /** @param attempt 0 if the event does not say which */
  private void write(Task task, int attempt, JsonGenerator out, SerializationContext context) {
    out.writeName("task");
    TaskText.write(task, top, out, context);
    if (attempt > 0) {
      out.writeNumberProperty("attempt", attempt);
    }
  }

  private static void write(Throwable error, JsonGenerator out) {
    out.writeName("error");
    FailureText.write(error, out);
  }

  private void write(Asked question, JsonGenerator out, SerializationContext context) {
    out.writeStartObject();
    write(question.task(), question.attempt(), out, context);
    NoteText.writeAsked(question, out, context);
    out.writeEndObject();
  }

  /** An event that was read, and what is known after it. */
  record Read(GraphEvent event, Footing footing) {}

  /** @param size how long the text is */
  Read read(Document document, Footing before, int size) {
    Reading reading = new Reading(before);
    document.readParts(part -> readPart(part, reading, document));
    GraphEvent event = reading.event(document);
    if (event instanceof GraphEvent.Provisional) {
      return new Read(event, before);
    }
    State state = state(event);
    Telling telling = state == null ? null : reading.telling(state);
    return new Read(event, reading.footing.after(event, telling, size));
  }

  private void readPart(String part, Reading reading, Document document) {
    switch (part) {
      case "type" -> reading.type = document.text();
      case "sequence" -> reading.sequence = document.number();
      case "key" -> reading.footing = document.truth() ? Footing.NONE : reading.footing;
      case "path" -> reading.path = document.text();
      case "step" -> reading.step = document.count();
      case "time" -> reading.time = document.time();
      case "appended" -> reading.appended = document.time();
      case "state" -> reading.state = texts(reading).states().readStored(document);
      case "on" -> reading.on = document.number();
      case "patch" -> reading.patch = texts(reading).changes().readValue(document, null);
      case "versions" ->
        document.readProperties(name -> reading.versions.put(name, document.count()));
      case ChangesText.CHANGES ->
        reading.changes = texts(reading).changes().readValue(document, null);
      case "position" -> reading.position = PositionText.read(texts(reading), document);
      case UnfilledJoinJson.UNFILLED -> reading.unfilled = UnfilledJoinJson.read(document);
      case "questions" -> reading.questions = document.elements(() -> readQuestion(document));
      case "question" -> reading.question = readQuestion(document);
      case "task" -> reading.task = TaskText.read(top, document);
      case "tasks" -> reading.tasks = document.elements(() -> TaskText.read(top, document));
      case "fence" -> reading.fence = ExecutionText.readFence(document);
      case "enclosing" -> reading.enclosing = ExecutionText.readEnclosing(document);
      case "attempt" -> reading.attempt = ExecutionText.readAttempt(document);
      case "index" -> reading.index = document.count();
      case "message" -> reading.message = document.count();
      case "content" -> reading.content = document.data();
      case UpdateText.WRITES ->
        reading.update =
            top.of(document.required(reading.task)).texts().updates().readValue(document);
      case "error" -> reading.error = FailureText.read(document);
      case "cached" -> reading.cached = document.truth();
      case "parent" -> reading.parent = CheckpointId.parse(document.text());
      case "previous" -> reading.previous = CheckpointId.parse(document.text());
      case "rebase" -> reading.rebase = texts(reading).changes().readValue(document, null);
      case "cause" -> reading.cause = CauseJson.read(document);
      case "checkpoint" -> reading.checkpoint = CheckpointId.parse(document.text());
      case "problem" -> reading.problem = FailureText.readProblem(document);
      case "answer" -> reading.answer = AnswerText.read(document);
      default -> throw document.mismatch("an event");
    }
  }

  private SchemaTexts texts(Reading reading) {
    return graph(reading.path).texts();
  }

  private Asked readQuestion(Document document) {
    Reading reading = new Reading(Footing.NONE);
    document.readProperties(part -> {
      switch (part) {
        case "task" -> reading.task = TaskText.read(top, document);
        case "attempt" -> reading.attempt = document.count();
        case "id" -> reading.type = document.text();
        case "key" -> reading.path = Attribution.storedName(document.text());
        case "prompt" -> reading.prompt = AnswerText.readPrompt(document);
        case "time" -> reading.time = document.time();
        default -> throw document.mismatch("a question");
      }
    });
    return new Asked(
        document.required(reading.task),
        document.required(reading.attempt),
        document.required(reading.type),
        reading.path,
        document.required(reading.prompt),
        document.required(reading.time));
  }

  private static final class Reading {

    private Footing footing;
    private @Nullable String type;
    private @Nullable Long sequence;
    private String path = "";
    private @Nullable Integer step;
    private @Nullable Instant time;
    private @Nullable Instant appended;
    private @Nullable State state;
    private long on;
    private @Nullable Changes patch;
    private final Map<String, Integer> versions = new LinkedHashMap<>();
    private @Nullable Changes changes;
    private PositionText.@Nullable Reading position;
    private List<UnfilledJoin> unfilled = List.of();
    private List<Asked> questions = List.of();
    private @Nullable Asked question;
    private @Nullable Task task;
    private List<Task> tasks = List.of();
    private long fence;
    private List<Integer> enclosing = List.of();
    private @Nullable Integer attempt;
    private @Nullable Integer index;
    private int message;
    private @Nullable Object content;
    private @Nullable Update update;
    private @Nullable RecordedFailure error;
    private boolean cached;
    private @Nullable CheckpointId checkpoint;
    private @Nullable CheckpointId parent;
    private @Nullable CheckpointId previous;
    private @Nullable Changes rebase;
    private @Nullable Cause cause;
    private @Nullable Problem problem;
    private @Nullable Answer answer;
    private @Nullable Prompt prompt;

    Reading(Footing footing) {
      this.footing = footing;
    }

    GraphEvent event(Document document) {
      Moment moment = new Moment(path, document.required(step), document.required(time), appended);
      long number = document.required(sequence);
      return switch (document.required(type)) {
        case "run-started" ->
          new RunStarted(
              moment, number, checkpoint, parent, document.required(changes), told(document));
        case "thread-updated" ->
          new ThreadUpdated(
              moment,
              number,
              document.required(checkpoint),
              parent,
              document.required(cause),
              document.required(changes),
              told(document),
              rebase == null ? null : new Rebase(document.required(previous), rebase));
        case "run-resumed" -> new RunResumed(moment, number);
        case "step-started" -> new StepStarted(moment, number, tasks);
        case "task-started" ->
          new TaskStarted(
              moment, number, document.required(task), execution(attempt == null ? 1 : attempt));
        case "task-chunk" ->
          new TaskChunk(
              moment,
              number,
              document.required(task),
              execution(document.required(attempt)),
              document.required(index),
              message,
              document.required(content));
        case "task-updated" ->
          new TaskUpdated(
              moment,
              number,
              document.required(task),
              execution(document.required(attempt)),
              document.required(update));
        case "task-retried" ->
          new TaskRetried(
              moment,
              number,
              document.required(task),
              execution(document.required(attempt)),
              document.required(error));
        case "task-failed" ->
          new TaskFailed(
              moment,
              number,
              document.required(task),
              execution(document.required(attempt)),
              document.required(error));
        case "task-completed" ->
          new TaskCompleted(
              moment,
              number,
              document.required(task),
              execution(document.required(attempt)),
              cached,
              error);
        case "step-committed" ->
          new StepCommitted(
              moment, number, checkpoint, parent, document.required(changes), told(document));
        case "warning" -> new Warning(moment, number, document.required(problem));
        case "checkpoint-saved" ->
          new CheckpointSaved(moment, number, document.required(checkpoint));
        case "question-asked" -> new QuestionAsked(moment, number, document.required(question));
        case "question-answered" ->
          new QuestionAnswered(moment, number, document.required(task), document.required(answer));
        case "run-interrupted" ->
          new RunInterrupted(moment, number, position(document), checkpoint, questions);
        case "run-failed" -> new RunFailed(moment, number, document.required(error));
        case "run-stopped" -> new RunStopped(moment, number, position(document), checkpoint);
        case "run-completed" ->
          new RunCompleted(moment, number, position(document), checkpoint, unfilled);
        default -> throw document.mismatch("an event");
      };
    }

    private Execution execution(int number) {
      return new Execution(fence, enclosing, number);
    }

    Telling telling(State told) {
      return new Telling(told, on, patch == null ? null : new StateStep(patch, versions));
    }

    private Position position(Document document) {
      return document.required(position).with(told(document), document);
    }

    private State told(Document document) {
      if (on == 0) {
        return document.required(state);
      }
      State before = footing.told(path, on);
      if (before == null) {
        throw Failures.groundless(document.required(sequence), on);
      }
      return patch == null
          ? before.apply(document.required(changes))
          : new StateStep(patch, versions).from(before);
    }
  }
}
