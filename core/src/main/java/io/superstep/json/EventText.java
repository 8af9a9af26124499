package io.superstep.json;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.HeadMoved;
import io.superstep.event.GraphEvent.OfTask;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.GraphEvent.QuestionAnswered;
import io.superstep.event.GraphEvent.QuestionAsked;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunFailed;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.RunResumed;
import io.superstep.event.GraphEvent.RunStopped;
import io.superstep.event.GraphEvent.StateSnapshot;
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
import io.superstep.state.State;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * Writes an event, as far as a window shows it:
 * {@code {"v":1,"type":"step-committed","sequence":5,"step":1,"time":"...","changes":{...}}}.
 */
record EventText(
    Window window, boolean hasOutput, JsonGenerator out, SerializationContext context) {

  /** What the format calls the kind of {@code event}. */
  static String type(GraphEvent event) {
    return SealedFamily.kebab(event.getClass().getSimpleName());
  }

  void write(GraphEvent event) {
    Document.begin(out);
    out.writeStringProperty("type", type(event));
    out.writeNumberProperty("sequence", event.sequence());
    if (event instanceof Provisional) {
      out.writeBooleanProperty("provisional", true);
    }
    out.writeNumberProperty("step", event.step());
    if (!event.path().isEmpty()) {
      out.writeStringProperty("path", event.path());
    }
    out.writeStringProperty("time", event.time().toString());
    if (event.appended() != null) {
      out.writeStringProperty("appended", event.appended().toString());
    }
    writeParts(event);
    out.writeEndObject();
  }

  private void writeParts(GraphEvent event) {
    if (event instanceof TaskChunk chunk) {
      writeTask(chunk);
      out.writeNumberProperty("index", chunk.index());
      if (window.hasMessages()) {
        chunk.messageId().ifPresent(id -> out.writeStringProperty("message", id));
      }
      out.writeName("content");
      UntypedSerializer.INSTANCE.serialize(chunk.content(), out, context);
    } else if (event instanceof TaskUpdated updated) {
      writeTask(updated);
      new UpdateText(window.channels()).writePart(window.through(updated.update()), out, context);
    } else if (event instanceof StepStarted started) {
      writeTasks(started.tasks());
    } else if (event instanceof TaskStarted started) {
      writeTask(started);
    } else if (event instanceof TaskRetried retried) {
      writeTask(retried);
      writeError("error", retried.error());
    } else if (event instanceof TaskCompleted completed) {
      writeCompleted(completed);
    } else if (event instanceof TaskFailed failed) {
      writeTask(failed);
      writeError("error", failed.error());
    } else if (event instanceof HeadMoved moved) {
      writeMove(moved);
    } else if (event instanceof StateSnapshot snapshot) {
      writeCheckpoint("checkpoint", snapshot.checkpoint());
      writeChannels("state", snapshot.state());
    } else if (event instanceof CheckpointSaved saved) {
      out.writeStringProperty("checkpoint", saved.checkpoint().toString());
    } else if (event instanceof Warning warning) {
      out.writeName("problem");
      write(warning.problem());
    } else if (event instanceof QuestionAsked asked) {
      writeTask(asked.question().task(), asked.question().attempt());
      out.writeName("question");
      new QuestionText(out, context).write(asked.question());
    } else if (event instanceof QuestionAnswered answered) {
      writeTask(answered.task());
      QuestionText.writeAnswer(answered.answer(), out);
    } else if (event instanceof RunFailed failed) {
      writeError("error", failed.error());
    } else if (event instanceof RunInterrupted interrupted) {
      writePause(interrupted.position().pause());
      writeQuestions(interrupted.questions());
      writeEnd(interrupted);
    } else if (event instanceof RunStopped stopped) {
      writeEnd(stopped);
    } else if (event instanceof RunCompleted completed) {
      UnfilledJoinJson.write(completed.unfilled(), out);
      writeEnd(completed);
    } else if (!(event instanceof RunResumed)) {
      throw new IllegalStateException("The format has no representation of " + event.getClass());
    }
  }

  private void writeTasks(List<Task> tasks) {
    out.writeArrayPropertyStart("tasks");
    tasks.forEach(this::writeName);
    out.writeEndArray();
  }

  private void writeTask(OfTask event) {
    writeTask(event.task());
    ExecutionText.write(event.execution(), out);
  }

  private void writeTask(Task task, int attempt) {
    writeTask(task);
    out.writeNumberProperty("attempt", attempt);
  }

  private void writeTask(Task task) {
    out.writeName("task");
    writeName(task);
  }

  /** Who it is; the arguments that a send brought along are for the task only. */
  private void writeName(Task task) {
    out.writeStartObject();
    out.writeStringProperty("id", task.id());
    out.writeStringProperty("node", task.node());
    out.writeEndObject();
  }

  private void writeCompleted(TaskCompleted completed) {
    writeTask(completed);
    if (completed.cached()) {
      out.writeBooleanProperty("cached", true);
    }
    if (completed.handled() != null) {
      writeError("handled", completed.handled());
    }
  }

  /**
   * The kind of an error, and the codes of its problems if it is one of ours. No words: a check, a
   * router or a reducer that users wrote may have put anything into them.
   */
  private void writeError(String part, Throwable error) {
    out.writeObjectPropertyStart(part);
    out.writeStringProperty("type", name(error.getClass()));
    if (error instanceof SuperstepException ours) {
      out.writeArrayPropertyStart("codes");
      ours.problems().forEach(problem -> out.writeString(problem.code()));
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  /** The simple name; of a class that has none, that of the class it extends. */
  private static String name(Class<?> type) {
    return type.isAnonymousClass() ? name(type.getSuperclass()) : type.getSimpleName();
  }

  private void write(Problem problem) {
    out.writeStartObject();
    out.writeStringProperty("code", problem.code());
    out.writeStringProperty("what", problem.what());
    out.writeStringProperty("where", problem.where());
    out.writeStringProperty("fix", problem.fix());
    out.writeEndObject();
  }

  private void writePause(Pause pause) {
    out.writeObjectPropertyStart("pause");
    writeUnlessEmpty("before", pause.before());
    writeUnlessEmpty("after", pause.after());
    out.writeEndObject();
  }

  private void writeQuestions(List<Asked> questions) {
    if (!questions.isEmpty()) {
      out.writeArrayPropertyStart("questions");
      questions.forEach(new QuestionText(out, context)::write);
      out.writeEndArray();
    }
  }

  private void writeUnlessEmpty(String part, List<String> words) {
    if (!words.isEmpty()) {
      out.writeArrayPropertyStart(part);
      words.forEach(out::writeString);
      out.writeEndArray();
    }
  }

  /** A move without a parent carries the whole state, which a reader begins with. */
  private void writeMove(HeadMoved moved) {
    writeCheckpoint("checkpoint", moved.checkpoint());
    writeCheckpoint("parent", moved.parent());
    if (moved instanceof ThreadUpdated updated) {
      out.writeName("cause");
      CauseJson.writeVisible(updated.cause(), out);
    }
    ChangesText changes = new ChangesText(window.channels());
    changes.writePart(window.through(moved.changes()), out, context);
    if (moved instanceof ThreadUpdated updated && updated.rebase() != null) {
      writeCheckpoint("previous", updated.rebase().previous());
      out.writeName("rebase");
      changes.writeValue(window.through(updated.rebase().changes()), null, out, context);
    }
    boolean isFirst = moved.parent() == null && !(moved instanceof StepCommitted);
    if (isFirst && moved.path().isEmpty()) {
      writeChannels("state", moved.state());
    }
  }

  private void writeEnd(Terminal end) {
    writeCheckpoint("checkpoint", end.checkpoint());
    if (hasOutput) {
      writeChannels("output", end.state());
    }
  }

  private void writeCheckpoint(String part, @Nullable CheckpointId id) {
    if (id != null) {
      out.writeStringProperty(part, id.toString());
    }
  }

  private void writeChannels(String part, State state) {
    out.writeObjectPropertyStart(part);
    for (ChannelText channel : window.channels().stored()) {
      out.writeName(channel.name());
      channel.write(state.get(channel.channel()), out, context);
    }
    out.writeEndObject();
  }
}
