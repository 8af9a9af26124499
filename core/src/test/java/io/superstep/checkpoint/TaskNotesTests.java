package io.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.superstep.checkpoint.TaskNotes.Past;
import io.superstep.question.Answer;
import io.superstep.question.Question;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TaskNotesTests {

  private static final StateSchema SCHEMA = StateSchema.of(Channel.value("x", String.class));
  private static final Task TASK = new Task("t/1-1", 1, 0, "work", null);
  private static final Task OTHER = new Task("t/1-1", 1, 1, "other", null);
  private static final Task INSIDE = new Task(TASK.id(), 3, 0, "inside", Update.NOTHING);
  private static final Task DEEP = new Task(INSIDE.id(), 1, 0, "deep", null);

  private static Advanced step(Task task, int step, Pause pause) {
    Position position = new Position(
        task.id(),
        step,
        SCHEMA.start(),
        List.of(Due.by("inside")),
        List.of(),
        Map.of(),
        Map.of(),
        pause);
    return new Advanced(
        task,
        1,
        new Changes(Map.of()),
        position,
        new Said(Update.NOTHING, List.of("next"), List.of(), false, List.of()));
  }

  private static Advanced silent(int step) {
    Advanced loud = step(TASK, step);
    return new Advanced(TASK, 1, loud.changes(), loud.position(), Said.of(Update.NOTHING));
  }

  @Test
  @DisplayName("E14 of steps inside of which the task will say nothing the last one is enough")
  void silentSteps() {
    TaskNotes notes = notes(silent(1), silent(2), step(TASK, 3), silent(4), silent(5));

    assertThat(notes.stepsOf(TASK)).containsExactly(step(TASK, 3), silent(5));
  }

  @Test
  @DisplayName("E15 a step of an attempt that is over comes too late")
  void lateSteps() {
    Failed failed = new Failed(TASK, 1, "too slow", false);
    TaskNotes notes = notes(step(TASK, 1), failed, step(TASK, 2));

    assertThat(notes.inOrder()).containsExactly(failed);
  }

  @Test
  @DisplayName("X.13 a failure with the same words is another one if the attempt has begun again")
  void sameFailures() {
    Failed failed = new Failed(TASK, 1, "broken", true);
    TaskNotes notes = notes(new Began(TASK, 1), failed, failed, new Began(TASK, 1), failed);

    assertThat(notes.isUncertain(TASK)).isFalse();
    assertThat(notes.haveFailure()).isTrue();
    assertThat(notes.inOrder()).hasSize(4);
  }

  private static Advanced step(Task task, int step) {
    return step(task, step, Pause.NONE);
  }

  private static Ended end(Task task) {
    return new Ended(task, 1, Said.of(Update.NOTHING));
  }

  private static TaskNotes notes(TaskNote... notes) {
    return new TaskNotes(List.of(notes));
  }

  static List<TaskNote> freshStarts() {
    return List.of(end(TASK), new Forgotten(TASK, 1), new Failed(TASK, 1, "broken", false));
  }

  @ParameterizedTest
  @MethodSource("freshStarts")
  @DisplayName("E14 what begins anew, or has ended, has nothing inside, however deep")
  void freshStartsHaveNoPast(TaskNote start) {
    TaskNotes notes = notes(step(TASK, 2), step(INSIDE, 1), end(DEEP), end(OTHER), start);

    assertThat(notes.inOrder()).containsExactly(end(OTHER), start);
    assertThat(notes.stepsOf(TASK)).isEmpty();
    assertThat(notes.endOf(DEEP)).isNull();
  }

  @Test
  @DisplayName("E8 a failure that nothing follows leaves what was done inside")
  void failuresForGoodKeepWhatWasDone() {
    Failed failed = new Failed(TASK, 1, "broken", true);
    TaskNotes notes = notes(step(TASK, 1), end(DEEP), failed);

    assertThat(notes.inOrder()).containsExactly(step(TASK, 1), end(DEEP), failed);
    assertThat(notes.haveFailure()).isTrue();
    notes.add(step(TASK, 2));
    assertThat(notes.haveFailure()).isFalse();
    notes.add(failed);
    assertThat(notes.haveFailure()).as("again").isTrue();
  }

  @Test
  @DisplayName("E8 a failed commit changes no outcome, and is void once something follows it")
  void commitFailures() {
    CommitFailed failed = new CommitFailed(TASK, 1, "refused");
    TaskNotes notes = notes(end(TASK), end(OTHER), failed, end(TASK), failed);

    assertThat(notes.inOrder()).containsExactly(end(TASK), end(OTHER), failed);
    assertThat(notes.haveFailure()).isTrue();
    assertThat(notes.endOf(TASK)).isEqualTo(end(TASK));
    CommitFailed other = new CommitFailed(TASK, 1, "refused otherwise");
    notes.add(other);
    assertThat(notes.commitFailure()).isEqualTo(other);
    notes.add(new Forgotten(OTHER, 1));
    assertThat(notes.haveFailure()).isFalse();
    assertThat(notes.inOrder()).containsExactly(end(TASK), end(OTHER), new Forgotten(OTHER, 1));
    notes.add(failed);
    assertThat(notes.commitFailure()).as("again").isEqualTo(failed);
  }

  @Test
  @DisplayName("E8 a resume voids the failures, and keeps what was done and answered")
  void resumes() {
    Failed last = new Failed(TASK, 1, "broken", true);
    Failed deep = new Failed(DEEP, 1, "broken", true);
    TaskNotes notes =
        notes(new Began(TASK, 1), step(TASK, 1), step(INSIDE, 1), deep, last, end(OTHER));
    assertThat(notes.resumed()).containsOnly(new Resumed(TASK, 1), new Resumed(DEEP, 1));

    notes.resumed().forEach(notes::add);
    notes.add(new Resumed(TASK, 1));
    notes.add(new Resumed(OTHER, 1));

    assertThat(notes.resumed()).isEmpty();
    assertThat(notes.haveFailure()).isFalse();
    assertThat(notes.haveUncertainty()).isFalse();
    assertThat(notes.inOrder()).containsExactly(step(TASK, 1), step(INSIDE, 1), end(OTHER));
    notes.add(last);
    assertThat(notes.haveFailure()).as("again, with the same text").isTrue();
  }

  @Test
  @DisplayName("E8 a resume voids the failure of a commit, and keeps all outcomes")
  void resumedCommits() {
    CommitFailed failed = new CommitFailed(TASK, 1, "refused");
    TaskNotes notes = notes(end(OTHER), end(TASK), failed);
    assertThat(notes.resumed()).containsExactly(new Resumed(TASK, 1));

    notes.resumed().forEach(notes::add);

    assertThat(notes.haveFailure()).isFalse();
    assertThat(notes.inOrder()).containsExactly(end(OTHER), end(TASK));
    notes.add(failed);
    assertThat(notes.commitFailure()).as("again").isEqualTo(failed);
  }

  @Test
  @DisplayName("E14 a step inside makes void what was known of its tasks, and is known once")
  void stepsInside() {
    TaskNotes notes = notes(step(TASK, 1), step(INSIDE, 4), end(DEEP));

    notes.add(step(TASK, 2));
    notes.add(step(TASK, 2));
    notes.add(step(TASK, 1));

    assertThat(notes.inOrder()).containsExactly(step(TASK, 1), step(TASK, 2));
    assertThat(notes.stepsOf(TASK)).hasSize(2);
    assertThat(notes.havePause()).isFalse();
    notes.add(step(TASK, 3, Pause.of(List.of("inside"), List.of())));
    assertThat(notes.havePause()).isTrue();
  }

  @Test
  @DisplayName("X.14 failed attempts count until the task is forgotten")
  void failedAttempts() {
    TaskNotes notes = notes(
        new Began(TASK, 1),
        new Failed(TASK, 1, "one", false),
        new Failed(TASK, 2, "two", false),
        new Failed(TASK, 3, "three", true));

    assertThat(notes.failedAttemptsOf(TASK)).isEqualTo(2);
    assertThat(notes.failedAttemptsOf(OTHER)).isZero();
    notes.add(new Forgotten(TASK, 3));
    assertThat(notes.failedAttemptsOf(TASK)).isZero();
  }

  @Test
  @DisplayName("X.23 a lift counts until the graph inside takes another step, and is known once")
  void lifts() {
    Pause pause = new Pause(List.of("inside"), List.of());
    Lifted lifted = new Lifted(TASK, 1);
    TaskNotes notes = notes(step(TASK, 1, pause));
    assertThat(notes.pausedInside()).containsExactly(TASK);
    assertThat(notes.havePause()).isTrue();

    notes.add(lifted);
    notes.add(lifted);

    assertThat(notes.inOrder()).containsExactly(step(TASK, 1, pause), lifted);
    assertThat(notes.isLiftedInside(TASK)).isTrue();
    assertThat(notes.haveLift()).isTrue();
    assertThat(notes.pausedInside()).isEmpty();
    assertThat(notes.havePause()).isFalse();
    Task after = new Task("t/1-1", 2, 0, "work", null);
    assertThat(notes(notes.handedOver(TASK, after).toArray(TaskNote[]::new)).isLiftedInside(after))
        .isTrue();

    notes.add(step(TASK, 2, pause));

    assertThat(notes.isLiftedInside(TASK)).isFalse();
    assertThat(notes.pausedInside()).containsExactly(TASK);
    notes.add(lifted);
    assertThat(notes.inOrder()).hasSize(4);
    notes.add(new Forgotten(TASK, 1));
    assertThat(notes.isLiftedInside(TASK)).isFalse();
  }

  private static Asked asked(Task task, String key, String text) {
    return new Asked(
        task, 1, task.id() + "#" + key, key, Question.yesNo(text).prompt(), Instant.EPOCH);
  }

  private static Answered answered(Task task, String key, String by) {
    return new Answered(
        task, 1, new Answer(task.id() + "#" + key, key, true, by, Instant.EPOCH, "r-" + by));
  }

  private static void assertSameWhenRead(TaskNotes notes) {
    TaskNotes read = notes(notes.inOrder().toArray(TaskNote[]::new));
    assertThat(read.inOrder()).isEqualTo(notes.inOrder());
    assertThat(read.pastOf(INSIDE)).isEqualTo(notes.pastOf(INSIDE));
    assertThat(read.pastOf(DEEP)).isEqualTo(notes.pastOf(DEEP));
    assertThat(read.answersInside(TASK)).isEqualTo(notes.answersInside(TASK));
    assertThat(read.openQuestions()).isEqualTo(notes.openQuestions());
  }

  private static List<String> by(List<Answer> answers) {
    return answers.stream().map(Answer::by).toList();
  }

  @Test
  @DisplayName("E14 questions that were answered inside are past ones when the task begins anew")
  void pastQuestions() {
    TaskNotes notes = notes(
        asked(INSIDE, "a", "A?"),
        asked(INSIDE, "b", "B?"),
        answered(INSIDE, "a", "ada"),
        asked(DEEP, "d", "D?"),
        answered(DEEP, "d", "dan"));
    assertThat(by(notes.answersInside(TASK))).containsExactly("ada", "dan");

    notes.add(new Failed(TASK, 1, "broken", false));

    assertThat(notes.questions()).isEmpty();
    assertThat(notes.asksInside(TASK)).isFalse();
    assertThat(notes.tasks()).containsExactly(TASK);
    assertThat(notes.pastOf(INSIDE))
        .containsExactly(
            new Past(asked(INSIDE, "a", "A?"), answered(INSIDE, "a", "ada").answer()));
    assertThat(notes.pastOf(DEEP)).hasSize(1);
    assertSameWhenRead(notes);

    notes.add(asked(INSIDE, "a", "Another A?"));
    assertThat(notes.openQuestions()).containsExactly(asked(INSIDE, "a", "Another A?"));
    assertThat(notes.areAnswered()).isFalse();
    assertSameWhenRead(notes);

    notes.add(answered(INSIDE, "a", "bob"));
    Advanced first = step(TASK, 1);
    notes.add(new Advanced(TASK, 2, first.changes(), first.position(), first.said()));
    assertThat(notes.pastOf(INSIDE)).hasSize(2);
    assertSameWhenRead(notes);

    notes.add(end(TASK));
    assertThat(by(notes.answersInside(TASK))).containsExactly("ada", "dan", "bob");
    assertSameWhenRead(notes);
  }

  @Test
  @DisplayName("E14 what is forgotten has no past questions either")
  void forgottenPast() {
    TaskNotes notes = notes(
        asked(INSIDE, "a", "A?"),
        answered(INSIDE, "a", "ada"),
        new Failed(TASK, 1, "broken", false),
        new Forgotten(INSIDE, 1));
    assertThat(notes.pastOf(INSIDE)).isEmpty();

    TaskNotes around = notes(
        asked(DEEP, "a", "A?"),
        answered(DEEP, "a", "ada"),
        new Failed(INSIDE, 1, "broken", false),
        new Forgotten(TASK, 1));
    assertThat(around.pastOf(DEEP)).isEmpty();
    assertThat(around.inOrder()).containsExactly(new Forgotten(TASK, 1));
  }

  @Test
  @DisplayName("E12 past questions are handed over, and stay past ones")
  void pastIsHandedOver() {
    TaskNotes notes = notes(
        asked(DEEP, "d", "D?"),
        answered(DEEP, "d", "dan"),
        new Failed(INSIDE, 1, "broken", false),
        asked(DEEP, "d", "Another D?"));
    Task after = new Task("t/1-1", 2, 0, "work", null);
    Task inside = new Task(after.id(), 3, 0, "inside", null);
    Task deep = new Task(inside.id(), 1, 0, "deep", null);

    TaskNotes handed = notes(notes.handedOver(TASK, after).toArray(TaskNote[]::new));

    assertThat(handed.pastOf(deep)).extracting(each -> each.answer().by()).containsExactly("dan");
    assertThat(handed.openQuestions()).extracting(Asked::task).containsExactly(deep);
    assertSameWhenRead(handed);
  }

  @Test
  @DisplayName("E12 what a task has done is handed over to the one that takes its place")
  void handedOver() {
    TaskNotes notes =
        notes(new Failed(TASK, 1, "handed over", true), step(TASK, 2), end(INSIDE), end(OTHER));
    Task after = new Task("t/1-1", 2, 0, "work", null);
    Task inside = new Task(after.id(), 3, 0, "inside", Update.NOTHING);

    List<TaskNote> handed = notes.handedOver(TASK, after);

    assertThat(handed)
        .containsExactly(new Failed(after, 1, "handed over", true), step(after, 2), end(inside));
    assertThat(handed.get(2).task().arguments()).isEqualTo(Update.NOTHING);
    assertThat(((Advanced) handed.get(1)).position().origin()).isEqualTo(after.id());
  }
}
