package io.superstep.reactor;

import static io.superstep.reactor.Graphs.COUNT;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.question.Answer;
import io.superstep.state.Contribution;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KeptCommitTests {

  private static final String ORIGIN = "thread/1-7";
  private static final CheckpointId BEFORE = new CheckpointId(4, 7);
  private static final Task TASK = new Task(ORIGIN, 3, 0, "count", null);
  private static final Due NEXT = Due.by("count");
  private static final Transition COUNTED =
      StateSchema.of(COUNT).start().fold(List.of(new Contribution("count", Update.of(COUNT, 1))));

  static Stream<Arguments> plain() {
    return Stream.of(
        Arguments.of("with work to do", Draft.of(any -> {})),
        Arguments.of("that ends a turn", Draft.of(draft -> draft.due = List.of())),
        Arguments.of("before the epoch", Draft.of(draft -> draft.time = Instant.MIN)),
        Arguments.of("long after it", Draft.of(draft -> draft.time = Instant.MAX)));
  }

  @ParameterizedTest(name = "S2.3 a plain step {0} is kept small, and comes back as it was written")
  @MethodSource("plain")
  void plainSteps(String which, Commit commit) {
    KeptCommit kept = KeptCommit.of(commit);

    assertThat(kept).isInstanceOf(KeptCommit.PlainStep.class);
    assertComesBack(kept, commit);
  }

  static Stream<Arguments> others() {
    Task other = new Task(ORIGIN, 3, 1, "count", null);
    Update arguments = Update.of(COUNT, 2);
    return Stream.of(
        Arguments.of("an input", Draft.of(draft -> draft.cause = Cause.INPUT)),
        Arguments.of("the first", Draft.of(draft -> draft.ids(1, 7, null, null))),
        Arguments.of("a fork", Draft.of(draft -> draft.ids(5, 7, BEFORE, new CheckpointId(2, 7)))),
        Arguments.of("another lease", Draft.of(draft -> draft.ids(5, 8, BEFORE, BEFORE))),
        Arguments.of("a gap", Draft.of(draft -> draft.ids(6, 7, BEFORE, BEFORE))),
        Arguments.of("two due", Draft.of(draft -> draft.due = List.of(NEXT, Due.by("b")))),
        Arguments.of("a send due", Draft.of(draft -> draft.due = List.of(new Due("b", arguments)))),
        Arguments.of("deferred nodes", Draft.of(draft -> draft.deferred = List.of("late"))),
        Arguments.of("a join", Draft.of(draft -> draft.arrivals = Map.of("a+b", Set.of("a")))),
        Arguments.of("visits", Draft.of(draft -> draft.visits = Map.of("count", 2))),
        Arguments.of(
            "a pause", Draft.of(draft -> draft.pause = new Pause(List.of("count"), List.of()))),
        Arguments.of("nobody's doing", Draft.of(draft -> draft.credits = List.of())),
        Arguments.of(
            "two tasks", Draft.of(draft -> draft.credits = List.of(credit(TASK), credit(other)))),
        Arguments.of(
            "another place in the plan", Draft.of(draft -> draft.credits = List.of(credit(other)))),
        Arguments.of(
            "a second attempt", Draft.of(draft -> draft.credits = List.of(new Credit(TASK, 2)))),
        Arguments.of(
            "answers", Draft.of(draft -> draft.credits = List.of(new Credit(TASK, 1, answers())))),
        Arguments.of(
            "a sent task", Draft.of(draft -> draft.credits = List.of(credit(task(3, arguments))))),
        Arguments.of(
            "a task of another step",
            Draft.of(draft -> draft.credits = List.of(credit(task(2, null))))),
        Arguments.of(
            "a task of another line",
            Draft.of(
                draft -> draft.credits = List.of(credit(new Task("else", 3, 0, "count", null))))),
        Arguments.of(
            "notes", Draft.of(draft -> draft.notes = List.of(new TaskNote.Began(TASK, 1)))),
        Arguments.of("notes that were seen", Draft.of(draft -> draft.notesSeen = 0)),
        Arguments.of("an input that waited", Draft.of(draft -> draft.taken = "input-1")),
        Arguments.of("memories", Draft.of(draft -> draft.memories = List.of(memory()))));
  }

  @ParameterizedTest(name = "S2.3 a commit with {0} comes back as it was written")
  @MethodSource("others")
  void others(String which, Commit commit) {
    KeptCommit kept = KeptCommit.of(commit);

    assertThat(kept).isInstanceOf(KeptCommit.Whole.class);
    assertComesBack(kept, commit);
  }

  @Test
  @DisplayName("S2.3 a plain step whose parent was pruned comes back as a base")
  void bases() {
    Commit base = KeptCommit.of(Draft.of(any -> {})).commit().asBase();

    assertComesBack(KeptCommit.of(base), base);
  }

  private static void assertComesBack(KeptCommit kept, Commit commit) {
    assertThat(kept.commit()).isEqualTo(commit);
    assertThat(kept.id()).isEqualTo(commit.id());
    assertThat(kept.parent()).isEqualTo(commit.parent());
    assertThat(kept.time()).isEqualTo(commit.time());
  }

  private static Credit credit(Task task) {
    return new Credit(task, 1);
  }

  private static Task task(int step, @Nullable Update arguments) {
    return new Task(ORIGIN, step, 0, "count", arguments);
  }

  private static List<Answer> answers() {
    return List.of(
        new Answer(TASK.id() + "#publish", "publish", true, "ada", Instant.EPOCH, "receipt"));
  }

  private static MemoryWrite memory() {
    return MemoryWrite.put(Namespace.of("users"), "ada", Map.of("likes", "tea"));
  }

  /** A commit of a plain step, which can be made another one. */
  private static final class Draft {

    private CheckpointId id = new CheckpointId(5, 7);
    private @Nullable CheckpointId seen = BEFORE;
    private @Nullable CheckpointId parent = BEFORE;
    private Cause cause = Cause.STEP;
    private Instant time = Instant.parse("2024-02-29T23:59:59.999999999Z");
    private List<Due> due = List.of(NEXT);
    private List<String> deferred = List.of();
    private Map<String, Set<String>> arrivals = Map.of();
    private Map<String, Integer> visits = Map.of();
    private Pause pause = Pause.NONE;
    private List<Credit> credits = List.of(credit(TASK));
    private List<TaskNote> notes = List.of();
    private @Nullable Integer notesSeen;
    private @Nullable String taken;
    private List<MemoryWrite> memories = List.of();

    static Commit of(Consumer<Draft> change) {
      Draft draft = new Draft();
      change.accept(draft);
      return draft.commit();
    }

    void ids(long sequence, long fence, @Nullable CheckpointId head, @Nullable CheckpointId from) {
      id = new CheckpointId(sequence, fence);
      seen = head;
      parent = from;
    }

    private Commit commit() {
      Position position =
          new Position(ORIGIN, 3, COUNTED.state(), due, deferred, arrivals, visits, pause);
      return new Commit(
          id,
          seen,
          parent,
          cause,
          time,
          "fingerprint",
          COUNTED.changes(),
          position,
          credits,
          notes,
          notesSeen,
          taken,
          memories);
    }
  }
}
