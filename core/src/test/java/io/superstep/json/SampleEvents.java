package io.superstep.json;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.checkpoint.UnfilledJoin;
import io.superstep.error.Problem;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.message.Message;
import io.superstep.question.Answer;
import io.superstep.question.Prompt;
import io.superstep.question.Question;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.ListChannel;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import io.superstep.step.Superstep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One event of each kind, at least, of a debate whose notes are private. */
final class SampleEvents {

  static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  static final Channel<Integer> ROUND = Channel.sum("round", Integer.class);
  static final Channel<@Nullable String> NOTES = Channel.value("notes", String.class);
  static final Channel<@Nullable String> SIDE =
      Channel.value("side", String.class).argument();

  static final Graph GRAPH =
      debate().interruptBefore("judge").output(MESSAGES, ROUND).build();

  static final Moment BEFORE = new Moment("", 0, Instant.parse("2026-01-02T03:04:05Z"));
  static final Moment FIRST = new Moment("", 1, Instant.parse("2026-01-02T03:04:05.678Z"));
  static final Task SPEAK = new Task("t-1", 1, 0, "speak", null);

  /** A task of a send, with arguments that are nobody else's business. */
  static final Task SENT = new Task("t-1", 1, 1, "speak", Update.of(SIDE, "secret"));

  private static final Update SAID =
      Update.append(MESSAGES, Message.ai("Yes.").withId("m-1")).and(ROUND, 1).and(NOTES, "secret");

  private SampleEvents() {}

  private static GraphBuilder debate() {
    return Graph.builder("debate")
        .channels(MESSAGES, ROUND, NOTES, SIDE)
        .compute("speak", state -> SAID)
        .compute("judge", state -> Update.NOTHING)
        .sequence(START, "speak", "judge", END);
  }

  static Position position() {
    return Superstep.open(GRAPH, "t-1", GRAPH.schema().start(), SAID).position();
  }

  static List<GraphEvent> all() {
    Position position = position();
    Transition step = position.state().fold(List.of(new Contribution("speak", SAID)));
    return List.of(
        new GraphEvent.RunStarted(
            BEFORE, 1, new CheckpointId(1, 1), null, step.changes(), step.state()),
        new GraphEvent.RunResumed(BEFORE, 1),
        new GraphEvent.StepStarted(FIRST, 2, List.of(SPEAK, SENT)),
        new GraphEvent.TaskStarted(FIRST, 3, SPEAK, Execution.FIRST),
        new GraphEvent.TaskStarted(FIRST, 4, SENT, Execution.FIRST),
        new GraphEvent.TaskChunk(FIRST, 4, SPEAK, Execution.FIRST, 0, 0, "Y\n😀"),
        new GraphEvent.TaskChunk(
            FIRST, 4, SENT, Execution.FIRST, 1, 0, Map.of("tokens", List.of(1, 2L))),
        new GraphEvent.TaskUpdated(
            FIRST, 4, SPEAK, new Execution(0, 2), SAID.and(Update.overwrite(ROUND, 7))),
        new GraphEvent.TaskRetried(
            FIRST, 5, SPEAK, Execution.FIRST, new IllegalStateException("secret")),
        new GraphEvent.TaskCompleted(FIRST, 6, SPEAK, new Execution(0, 2), false, null),
        new GraphEvent.TaskCompleted(
            FIRST, 7, SENT, Execution.FIRST, true, new IllegalStateException("secret")),
        new GraphEvent.TaskFailed(FIRST, 8, SPEAK, new Execution(0, 3), refused()),
        new GraphEvent.StepCommitted(
            FIRST, 9, new CheckpointId(3, 2), new CheckpointId(2, 1), step.changes(), step.state()),
        new GraphEvent.CheckpointSaved(FIRST, 10, new CheckpointId(3, 2)),
        new GraphEvent.Warning(
            FIRST, 10, new Problem("SG-152", "What.", "channel 'notes'", "Fix.")),
        new GraphEvent.QuestionAsked(FIRST, 11, asked(SENT, "publish", plain())),
        new GraphEvent.QuestionAsked(FIRST, 12, asked(SPEAK, "plan", rich())),
        new GraphEvent.QuestionAnswered(FIRST, 13, SPEAK, answer()),
        new GraphEvent.RunInterrupted(FIRST, 11, paused(), null, List.of()),
        new GraphEvent.RunInterrupted(
            FIRST, 11, position, new CheckpointId(3, 2), List.of(asked(SENT, "publish", plain()))),
        new GraphEvent.RunFailed(FIRST, 11, refused()),
        new GraphEvent.RunStopped(FIRST, 11, position, new CheckpointId(3, 2)),
        new GraphEvent.RunCompleted(
            FIRST,
            11,
            position,
            new CheckpointId(3, 2),
            List.of(new UnfilledJoin("judge", List.of("a"), List.of("b")))),
        new GraphEvent.ThreadUpdated(
            FIRST,
            12,
            new CheckpointId(4, 3),
            new CheckpointId(1, 1),
            Cause.fork("ada", "secret"),
            new Changes(Map.of()),
            position.state(),
            new GraphEvent.Rebase(
                new CheckpointId(3, 2), Changes.between(step.state(), position.state()))));
  }

  /** All events, and those that no log stores. */
  static List<GraphEvent> shown() {
    List<GraphEvent> events = new ArrayList<>(all());
    events.add(new GraphEvent.StateSnapshot(
        FIRST, 12, new CheckpointId(4, 3), position().state()));
    return events;
  }

  record Plan(Tone tone, List<Integer> rounds, @Nullable String title) {}

  enum Tone {
    CALM,
    SHARP
  }

  private static Prompt plain() {
    return Question.yesNo("Publish?").prompt();
  }

  private static Prompt rich() {
    return Question.of("Which plan?", Plan.class)
        .showing(Map.of("draft", "Yes."))
        .within(Duration.ofDays(3), new Plan(Tone.CALM, List.of(1), null))
        .prompt();
  }

  private static Asked asked(Task task, String key, Prompt prompt) {
    return new Asked(task, 1, task.id() + "#" + key, key, prompt, FIRST.time());
  }

  private static Answer answer() {
    return new Answer(SPEAK.id() + "#plan", "plan", "secret", "ada", FIRST.time(), "r-1");
  }

  private static Position paused() {
    Graph paused = debate().interruptBefore("speak").build();
    return Superstep.open(paused, "t-1", GRAPH.schema().start(), SAID).position();
  }

  private static InvalidJsonException refused() {
    return new InvalidJsonException(
        new Problem("SG-301", "What.", "channel 'round'", "Fix."), "round", "", null);
  }
}
