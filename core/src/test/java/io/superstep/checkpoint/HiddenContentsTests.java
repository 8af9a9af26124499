package io.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.graph.Chunk;
import io.superstep.graph.Command;
import io.superstep.graph.Send;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Outbox;
import io.superstep.memory.Writer;
import io.superstep.message.Message;
import io.superstep.message.ToolCall;
import io.superstep.question.Answer;
import io.superstep.question.AnswerForm;
import io.superstep.question.Answers;
import io.superstep.question.Prompt;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.ListChannel;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import io.superstep.step.Outcome;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The text form of values that reach logs shows no contents of a state, message or answer. */
class HiddenContentsTests {

  private static final String SECRET = "s3cr3t";
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");
  private static final Moment MOMENT = new Moment("", 1, TIME);

  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  private static final Channel<@Nullable String> NOTE = Channel.value("note", String.class);
  private static final Channel<@Nullable String> SENT =
      Channel.value("sent", String.class).argument();
  private static final StateSchema SCHEMA = StateSchema.of(MESSAGES, NOTE, SENT);

  private static final Update UPDATE = Update.of(NOTE, SECRET).and(MESSAGES, messages());
  private static final Update ARGUMENTS = Update.of(SENT, SECRET);
  private static final Task TASK = new Task("t/1-1", 1, 0, "work", ARGUMENTS);

  private static List<Message> messages() {
    Map<String, Object> data = Map.of("k", SECRET);
    return List.of(
        Message.human(SECRET).withMetadata(data),
        Message.ai(SECRET)
            .withToolCalls(List.of(new ToolCall("c", "search", data)))
            .withMetadata(data),
        Message.system(SECRET).withMetadata(data),
        Message.toolResult("c", SECRET).withMetadata(data),
        Message.toolError("c", SECRET));
  }

  private static List<Object> values() {
    List<Object> values = new ArrayList<>(messages());
    Transition step = SCHEMA.start().fold(List.of(new Contribution("work", UPDATE)));
    MemoryWrite.Put put = MemoryWrite.put(Namespace.of("users"), "k", Map.of("a", List.of(SECRET)));
    Answer answer = new Answer("q", "publish", Map.of("a", SECRET), "ada", TIME, "r");
    Prompt prompt = new Prompt(
        SECRET,
        new AnswerForm.OneOf(List.of(SECRET)),
        Map.of("draft", SECRET),
        new Prompt.Deadline(Duration.ofHours(1), SECRET));
    TaskNote.Asked asked = new TaskNote.Asked(TASK, 1, "q", "publish", prompt, TIME);
    Command command = new Command(
        UPDATE, List.of("next"), List.of(Send.to("work", ARGUMENTS)), false, List.of(put));
    Said said =
        new Said(UPDATE, List.of("next"), List.of(new Due("work", ARGUMENTS)), false, List.of(put));
    Position position = new Position(
        "t/1-1",
        1,
        step.state(),
        List.of(new Due("work", ARGUMENTS)),
        List.of(),
        Map.of(),
        Map.of(),
        Pause.NONE);
    List<TaskNote> notes = List.of(
        new TaskNote.Began(TASK, 1),
        new TaskNote.Failed(TASK, 1, SECRET, false),
        new TaskNote.Advanced(TASK, 1, step.changes(), position, said),
        asked,
        new TaskNote.Answered(TASK, 1, answer),
        new TaskNote.Ended(TASK, 1, said),
        new TaskNote.CommitFailed(TASK, 1, SECRET),
        new TaskNote.Forgotten(TASK, 1),
        new TaskNote.Lifted(TASK, 1),
        new TaskNote.Resumed(TASK, 1));
    Commit commit = new Commit(
        new CheckpointId(1, 1),
        null,
        null,
        Cause.INPUT,
        TIME,
        "f",
        step.changes(),
        position,
        List.of(new Credit(TASK, 1, List.of(answer))),
        notes,
        null,
        null,
        List.of(put));
    LogEntry entry = LogEntry.of(commit);
    values.addAll(notes);
    values.addAll(List.of(
        step,
        step.state(),
        step.changes(),
        UPDATE,
        UPDATE.writes(),
        new Contribution("work", UPDATE),
        new ToolCall("c", "search", Map.of("k", SECRET)),
        answer,
        new Answers(Map.of("publish", SECRET)),
        prompt,
        command,
        said,
        Send.to("work", ARGUMENTS),
        new Due("work", ARGUMENTS),
        TASK,
        position,
        commit,
        entry,
        entry.load("t", step.state(), notes),
        new QueuedInput("i", UPDATE, "ada", TIME),
        put,
        put.item(TIME, new Writer("t", 1, 1)),
        new Outbox(new Writer("t", 1, 1), TIME, List.of(put)),
        MemoryQuery.below(Namespace.of("users")).where("a", SECRET),
        new Chunk(SECRET),
        Outcome.completed(TASK, UPDATE),
        new GraphEvent.StepStarted(MOMENT, 1, List.of(TASK)),
        new GraphEvent.TaskStarted(MOMENT, 2, TASK, Execution.FIRST),
        new GraphEvent.TaskChunk(MOMENT, 2, TASK, Execution.FIRST, 0, 0, SECRET),
        new GraphEvent.TaskUpdated(MOMENT, 2, TASK, Execution.FIRST, UPDATE),
        new GraphEvent.StepCommitted(MOMENT, 3, null, null, step.changes(), step.state()),
        new GraphEvent.QuestionAsked(MOMENT, 4, asked),
        new GraphEvent.QuestionAnswered(MOMENT, 5, TASK, answer),
        new GraphEvent.RunInterrupted(MOMENT, 6, position, null, List.of(asked)),
        new GraphEvent.RunStopped(MOMENT, 6, position, null),
        new GraphEvent.RunCompleted(MOMENT, 6, position, null, List.of())));
    return values;
  }

  @Test
  @DisplayName("toString of messages, answers, notes, commits, events and memory shows no contents")
  void hidden() {
    for (Object value : values()) {
      assertThat(value.toString()).as(value.getClass().getName()).doesNotContain(SECRET);
    }
  }

  @Test
  @DisplayName("toString of each of our records inside these values shows no contents either")
  void hiddenInside() throws ReflectiveOperationException {
    for (Object value : values()) {
      requireHidden(value);
    }
  }

  private static void requireHidden(@Nullable Object value) throws ReflectiveOperationException {
    if (value instanceof Collection<?> several) {
      for (Object each : several) {
        requireHidden(each);
      }
    } else if (value instanceof Record fields
        && !(value instanceof AnswerForm)
        && value.getClass().getName().startsWith("io.superstep.")) {
      assertThat(value.toString()).as(value.getClass().getName()).doesNotContain(SECRET);
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        component.getAccessor().setAccessible(true);
        requireHidden(component.getAccessor().invoke(fields));
      }
    }
  }
}
