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
        Arguments.of("with work to do", new Draft().commit()),
        Arguments.of("that ends a turn", new Draft().due(List.of()).commit()),
        Arguments.of("before the epoch", new Draft().time(Instant.MIN).commit()),
        Arguments.of("long after it", new Draft().time(Instant.MAX).commit()));
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
        Arguments.of("an input", new Draft().cause(Cause.INPUT).commit()),
        Arguments.of("the first", new Draft().ids(1, 7, null, null).commit()),
        Arguments.of(
            "a fork", new Draft().ids(5, 7, BEFORE, new CheckpointId(2, 7)).commit()),
        Arguments.of("another lease", new Draft().ids(5, 8, BEFORE, BEFORE).commit()),
        Arguments.of("a gap", new Draft().ids(6, 7, BEFORE, BEFORE).commit()),
        Arguments.of("two due", new Draft().due(List.of(NEXT, Due.by("b"))).commit()),
        Arguments.of(
            "a send due", new Draft().due(List.of(new Due("b", arguments))).commit()),
        Arguments.of("deferred nodes", new Draft().deferred("late").commit()),
        Arguments.of("a join", new Draft().arrivals(Map.of("a+b", Set.of("a"))).commit()),
        Arguments.of("visits", new Draft().visits(Map.of("count", 2)).commit()),
        Arguments.of(
            "a pause", new Draft().pause(new Pause(List.of("count"), List.of())).commit()),
        Arguments.of("nobody's doing", new Draft().credits().commit()),
        Arguments.of(
            "two tasks", new Draft().credits(credit(TASK), credit(other)).commit()),
        Arguments.of(
            "another place in the plan", new Draft().credits(credit(other)).commit()),
        Arguments.of(
            "a second attempt", new Draft().credits(new Credit(TASK, 2)).commit()),
        Arguments.of(
            "answers", new Draft().credits(new Credit(TASK, 1, answers())).commit()),
        Arguments.of(
            "a sent task", new Draft().credits(credit(task(3, arguments))).commit()),
        Arguments.of(
            "a task of another step", new Draft().credits(credit(task(2, null))).commit()),
        Arguments.of(
            "a task of another line",
            new Draft().credits(credit(new Task("else", 3, 0, "count", null))).commit()),
        Arguments.of("notes", new Draft().notes(new TaskNote.Began(TASK, 1)).commit()),
        Arguments.of("notes that were seen", new Draft().notesSeen(0).commit()),
        Arguments.of("an input that waited", new Draft().taken("input-1").commit()),
        Arguments.of("memories", new Draft().memories(memory()).commit()));
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
    Commit base = KeptCommit.of(new Draft().commit()).commit().asBase();

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

    Draft ids(long sequence, long fence, @Nullable CheckpointId head, @Nullable CheckpointId from) {
      id = new CheckpointId(sequence, fence);
      seen = head;
      parent = from;
      return this;
    }

    Draft cause(Cause other) {
      cause = other;
      return this;
    }

    Draft time(Instant other) {
      time = other;
      return this;
    }

    Draft due(List<Due> others) {
      due = others;
      return this;
    }

    Draft deferred(String node) {
      deferred = List.of(node);
      return this;
    }

    Draft arrivals(Map<String, Set<String>> others) {
      arrivals = others;
      return this;
    }

    Draft visits(Map<String, Integer> others) {
      visits = others;
      return this;
    }

    Draft pause(Pause other) {
      pause = other;
      return this;
    }

    Draft credits(Credit... others) {
      credits = List.of(others);
      return this;
    }

    Draft notes(TaskNote note) {
      notes = List.of(note);
      return this;
    }

    Draft notesSeen(int count) {
      notesSeen = count;
      return this;
    }

    Draft taken(String input) {
      taken = input;
      return this;
    }

    Draft memories(MemoryWrite memory) {
      memories = List.of(memory);
      return this;
    }

    Commit commit() {
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
