package io.superstep.json;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Said;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.question.Answer;
import io.superstep.question.AnswerForm;
import io.superstep.question.Prompt;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.ListChannel;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A thread with all that a thread can have: a graph inside, sends, questions, memories. */
final class SampleThread {

  record Note(String text, @Nullable Integer page) {}

  static final ListChannel<String> LOG = Channel.list("log", String.class);
  static final Channel<@Nullable Note> NOTE = Channel.value("note", Note.class);
  static final Channel<Long> COUNT = Channel.sum("count", Long.class);
  static final Channel<@Nullable Note> SENT = Channel.value("sent", Note.class).argument();
  static final Channel<@Nullable Object> CLIENT =
      Channel.value("client", Object.class).runtimeOnly();
  static final StateSchema SCHEMA = StateSchema.of(LOG, NOTE, COUNT, SENT, CLIENT);

  /** Of the graph that the node "inner" is; a channel has the name of another type outside. */
  static final Channel<@Nullable BigDecimal> PRICE = Channel.value("note", BigDecimal.class);

  static final Channel<Set<String>> SEEN = Channel.set("seen", String.class);
  static final Channel<@Nullable BigDecimal> OFFER =
      Channel.value("offer", BigDecimal.class).argument();
  static final StateSchema INNER = StateSchema.of(PRICE, SEEN, OFFER);
  static final Schemas SCHEMAS = Schemas.of(SCHEMA, Map.of("inner", Schemas.of(INNER)));

  static final String THREAD = "a/5/7 ü";
  static final String ORIGIN = THREAD + "/1-1";
  static final Instant TIME = Instant.parse("2025-12-11T10:00:00.123456Z");

  static final Task WORK = new Task(ORIGIN, 2, 0, "work", null);
  static final Task SEND = new Task(ORIGIN, 2, 1, "work", Update.of(SENT, new Note("s", 3)));
  static final Task INSIDE = new Task(ORIGIN, 2, 2, "inner", null);
  static final Task DEEP =
      new Task(INSIDE.id(), 1, 0, "deep", Update.of(OFFER, new BigDecimal("1.50")));

  static final List<MemoryWrite> MEMORIES = List.of(
      MemoryWrite.put(
              Namespace.of("users", "4/2"),
              "likes",
              Map.of("cups", Arrays.asList(1L, null, 2.5, true)))
          .lasting(Duration.ofDays(1)),
      MemoryWrite.remove(Namespace.of("users"), "gone"));

  static final Answer ANSWER = new Answer(
      "q-1", "publish", Map.of("yes", List.of(new BigDecimal("1.0"))), "ada", TIME, "r-1");

  static final AnswerForm FORM = new AnswerForm.Fields(forms());

  private SampleThread() {}

  private static Map<String, AnswerForm> forms() {
    Map<String, AnswerForm> forms = new LinkedHashMap<>();
    forms.put("yes", new AnswerForm.OrNothing(new AnswerForm.YesNo()));
    forms.put("text", new AnswerForm.OrNothing(new AnswerForm.Text()));
    forms.put("number", new AnswerForm.OrNothing(new AnswerForm.WholeNumber(-1, Long.MAX_VALUE)));
    forms.put("decimal", new AnswerForm.OrNothing(new AnswerForm.Decimal()));
    forms.put("one", new AnswerForm.OrNothing(new AnswerForm.OneOf(List.of("a", "b"))));
    forms.put("some", new AnswerForm.OrNothing(new AnswerForm.SomeOf(List.of("c"))));
    forms.put("list", new AnswerForm.OrNothing(new AnswerForm.ListOf(new AnswerForm.Anything())));
    return forms;
  }

  static Transition step(State state, Update... updates) {
    return state.fold(
        Arrays.stream(updates).map(update -> new Contribution("test", update)).toList());
  }

  static Position position(State state, int step) {
    Map<String, Set<String>> arrivals = new LinkedHashMap<>();
    arrivals.put("a+b->c", Set.of("a"));
    Map<String, Integer> visits = new LinkedHashMap<>();
    visits.put("work", 2);
    visits.put("inner", 1);
    return new Position(
        ORIGIN,
        step,
        state,
        List.of(
            Due.by("work"), new Due("work", Update.of(SENT, new Note("s", 3))), Due.by("inner")),
        List.of("later"),
        arrivals,
        visits,
        Pause.of(List.of("work"), List.of("before")));
  }

  static Commit commit(
      CheckpointId id,
      @Nullable CheckpointId parent,
      Cause cause,
      Changes changes,
      State state,
      int step) {
    return new Commit(
        id,
        parent,
        parent,
        cause,
        TIME,
        "fingerprint",
        changes,
        position(state, step),
        List.of(new Credit(WORK, 1), new Credit(SEND, 2, List.of(ANSWER))),
        List.of(),
        null,
        null,
        MEMORIES);
  }

  /** Commits of which each is the parent of the next. */
  static List<Commit> commits() {
    List<Commit> commits = new ArrayList<>();
    Transition input =
        step(SCHEMA.start(), Update.of(NOTE, new Note("\"ü\"", null)).and(LOG, List.of("one")));
    Cause copy = Cause.copy(new Cause.Source("other", new CheckpointId(9, 4)), "ada", "because");
    CheckpointId id = new CheckpointId(1, 1);
    commits.add(commit(id, null, copy, input.changes(), input.state(), 0));
    State state = input.state();
    for (int number = 2; number < 5; number++) {
      Transition next =
          step(state, Update.of(LOG, List.of("step " + number)).and(COUNT, (long) number));
      CheckpointId child = new CheckpointId(number, 1);
      commits.add(commit(child, id, Cause.STEP, next.changes(), next.state(), number - 1));
      id = child;
      state = next.state();
    }
    return commits;
  }

  /** That the graph inside has taken this step, and those before it. */
  static TaskNote.Advanced advanced(int step) {
    Transition inside = step(INNER.start());
    for (int each = 1; each <= step; each++) {
      inside = step(
          inside.state(), Update.of(PRICE, new BigDecimal(each)).and(SEEN, Set.of("s" + each)));
    }
    return new TaskNote.Advanced(
        INSIDE,
        1,
        inside.changes(),
        new Position(
            INSIDE.id(),
            step,
            inside.state(),
            List.of(new Due("deep", DEEP.arguments())),
            List.of(),
            Map.of(),
            Map.of(),
            Pause.NONE),
        new Said(Update.of(COUNT, 1L), List.of(), List.of(), false, List.of()));
  }

  static TaskNote.Asked asked() {
    return new TaskNote.Asked(
        SEND,
        2,
        "q-1",
        "publish",
        new Prompt(
            "Publish?",
            FORM,
            Map.of("draft", List.of("a", 1L)),
            new Prompt.Deadline(Duration.ofHours(1), Map.of("number", 7))),
        TIME);
  }

  /** Of every kind, none of which makes another one void. */
  static List<TaskNote> notes() {
    return List.of(
        new TaskNote.Began(WORK, 1),
        new TaskNote.Failed(WORK, 1, "broken", false),
        new TaskNote.Forgotten(WORK, 1),
        new TaskNote.Lifted(WORK, 1),
        new TaskNote.Ended(
            WORK,
            2,
            new Said(
                Update.of(NOTE, new Note("n", 1)).and(Update.overwrite(LOG, List.of("x"))),
                List.of("next"),
                List.of(new Due("work", SEND.arguments()), Due.by("work")),
                false,
                MEMORIES)),
        asked(),
        new TaskNote.Answered(SEND, 2, ANSWER),
        advanced(1),
        advanced(2),
        new TaskNote.Ended(
            DEEP,
            1,
            new Said(
                Update.of(PRICE, new BigDecimal("0.10")),
                List.of(),
                List.of(new Due("work", SEND.arguments())),
                true,
                List.of())),
        new TaskNote.Resumed(WORK, 1),
        new TaskNote.CommitFailed(DEEP, 1, "refused"));
  }

  static QueuedInput input() {
    return new QueuedInput("i-1", Update.of(NOTE, new Note("waits", null)), "bob", TIME);
  }
}
