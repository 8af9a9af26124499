package io.superstep.json;

import static io.superstep.json.SampleThread.ANSWER;
import static io.superstep.json.SampleThread.COUNT;
import static io.superstep.json.SampleThread.DEEP;
import static io.superstep.json.SampleThread.INSIDE;
import static io.superstep.json.SampleThread.LOG;
import static io.superstep.json.SampleThread.NOTE;
import static io.superstep.json.SampleThread.SCHEMA;
import static io.superstep.json.SampleThread.SCHEMAS;
import static io.superstep.json.SampleThread.SEND;
import static io.superstep.json.SampleThread.THREAD;
import static io.superstep.json.SampleThread.advanced;
import static io.superstep.json.SampleThread.asked;
import static io.superstep.json.SampleThread.commit;
import static io.superstep.json.SampleThread.commits;
import static io.superstep.json.SampleThread.input;
import static io.superstep.json.SampleThread.notes;
import static io.superstep.json.SampleThread.step;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ThreadCodecTests {

  private static final ThreadCodec CODEC = ThreadCodec.create();
  private static final Channel<Integer> ADDED =
      Channel.value("added", Integer.class).startingAt(7);

  /** A later graph: the log and the graph inside are gone, a channel was added. */
  private static final StateSchema LATER = StateSchema.of(ADDED, COUNT, NOTE, SampleThread.SENT);

  private static List<byte[]> entries(List<Commit> commits) {
    return commits.stream().map(commit -> CODEC.encode(commit, SCHEMAS)).toList();
  }

  private static List<byte[]> stored(List<TaskNote> notes) {
    return notes.stream().map(note -> CODEC.encode(note, SCHEMAS)).toList();
  }

  private static SavedThread loaded(List<byte[]> entries, List<byte[]> notes, Schemas schemas) {
    return CODEC.decodeThread(THREAD, null, entries, notes, schemas);
  }

  @Test
  @DisplayName("S2.2 a checkpoint is read back from its entry alone")
  void checkpointsComeBack() {
    for (Commit commit : commits()) {
      LogEntry entry = CODEC.decodeEntry(CODEC.encode(commit, SCHEMAS), SCHEMAS);

      assertThat(entry.in(THREAD)).isEqualTo(commit.in(THREAD));
      assertThat(entry.memories()).isEqualTo(commit.memories());
      assertThat(entry.isOf(commit)).isTrue();
      assertThat(entry.credits().get(1).task().arguments()).isEqualTo(SEND.arguments());
    }
  }

  @Test
  @DisplayName("S2.37 a thread is folded from its entries to what was live, versions included")
  void threadsComeBack() {
    List<Commit> commits = commits();
    for (int last = 0; last < commits.size(); last++) {
      Commit live = commits.get(last);

      SavedThread saved = loaded(entries(commits.subList(0, last + 1)), List.of(), SCHEMAS);

      assertThat(saved.checkpoint()).isEqualTo(live.in(THREAD));
      assertThat(saved.position()).isEqualTo(live.position());
      assertThat(saved.position().state().toString())
          .isEqualTo(live.position().state().toString());
      assertThat(saved.outbox()).isEqualTo(live.outbox(THREAD));
    }
  }

  @Test
  @DisplayName("S2.37 a thread is the same, whether it is read from its base or from a snapshot")
  void snapshots() {
    List<Commit> commits = commits();
    byte[] snapshot = CODEC.encode(commits.get(1).position().state(), SCHEMAS);

    SavedThread saved =
        CODEC.decodeThread(THREAD, snapshot, entries(commits).subList(2, 4), List.of(), SCHEMAS);

    assertThat(saved).isEqualTo(loaded(entries(commits), List.of(), SCHEMAS));
    assertThat(saved.position().state().toString())
        .isEqualTo(commits.get(3).position().state().toString());
  }

  @Test
  @DisplayName("S2.36 an entry is as long as what changed, and not as the state")
  void entriesCostWhatChanged() {
    State state = SCHEMA.start();
    State large = step(state, Update.of(LOG, List.of("x".repeat(100_000)))).state();
    Update change = Update.of(LOG, List.of("y"));
    CheckpointId parent = new CheckpointId(1, 1);
    CheckpointId id = new CheckpointId(2, 1);
    Transition small = step(state, change);
    Transition grown = step(large, change);

    int short1 = CODEC.encode(
            commit(id, parent, Cause.STEP, small.changes(), small.state(), 1), SCHEMAS)
        .length;
    int short2 = CODEC.encode(
            commit(id, parent, Cause.STEP, grown.changes(), grown.state(), 1), SCHEMAS)
        .length;

    assertThat(short2).isEqualTo(short1);
  }

  @Test
  @DisplayName("S2.36 what a base was set to is written once")
  void basesSayItOnce() {
    Transition input = step(SCHEMA.start(), Update.of(NOTE, new SampleThread.Note("mark", 1)));
    CheckpointId id = new CheckpointId(1, 1);

    byte[] entry =
        CODEC.encode(commit(id, null, Cause.INPUT, input.changes(), input.state(), 0), SCHEMAS);

    assertThat(text(entry).split("mark", -1)).hasSize(2);
    assertThat(CODEC.decodeEntry(entry, SCHEMAS).changes()).isEqualTo(input.changes());
  }

  @Test
  @DisplayName("S2.34 a checkpoint that lost its parent is written as a base, also without schemas")
  void rebased() {
    List<Commit> commits = commits();
    State state = null;
    LogEntry last = null;
    for (byte[] each : entries(commits.subList(0, 3))) {
      last = CODEC.decodeEntry(each, Schemas.NONE);
      state = last.after(state);
    }

    byte[] base = CODEC.encode(last.asBase(state), Schemas.NONE);

    Commit live = commits.get(2);
    assertThat(loaded(List.of(base), List.of(), SCHEMAS).position()).isEqualTo(live.position());
    assertThat(CODEC.decodeEntry(base, SCHEMAS).in(THREAD))
        .isEqualTo(live.asBase().in(THREAD));
    SavedThread next = loaded(List.of(base, entries(commits).get(3)), List.of(), SCHEMAS);
    assertThat(next.position()).isEqualTo(commits.get(3).position());
    assertThat(next.position().state().toString())
        .isEqualTo(commits.get(3).position().state().toString());
  }

  @Test
  @DisplayName("E25 a start value that was changed since does not change what was stored")
  void otherStarts() {
    Channel<Long> ten = Channel.sum("count", Long.class).startingAt(10L);
    Schemas changed = Schemas.of(StateSchema.of(LOG, NOTE, ten));

    State state = loaded(entries(commits()), List.of(), changed).position().state();

    assertThat(state.get(ten)).isEqualTo(9);
  }

  @Nested
  class Notes {

    @Test
    @DisplayName("E8 notes of every kind come back, those inside a graph typed by its schema")
    void notesComeBack() {
      List<TaskNote> read = CODEC.decodeNotes(stored(notes()), SCHEMAS).inOrder();

      assertThat(read).isEqualTo(new TaskNotes(notes()).inOrder());
      for (int index = 0; index < read.size(); index++) {
        TaskNote live = new TaskNotes(notes()).inOrder().get(index);
        assertThat(read.get(index).task().arguments()).isEqualTo(live.task().arguments());
      }
    }

    @Test
    @DisplayName("E8 each note can be written so that it stands for itself")
    void wholeNotes() {
      for (TaskNote note : notes()) {
        byte[] whole = CODEC.encodeWhole(note, SCHEMAS);

        assertThat(CODEC.decodeNotes(List.of(whole), SCHEMAS).inOrder())
            .isEqualTo(new TaskNotes(List.of(note)).inOrder());
      }
    }

    @Test
    @DisplayName("E8 the record of a resume is read, and voids the failure before it")
    void resumes() {
      Task task = new Task("t/1-1", 1, 0, "work", null);
      TaskNote failed = new TaskNote.Failed(task, 1, "broken", true);
      TaskNote resumed = new TaskNote.Resumed(task, 1);

      assertThat(CODEC.decodeNotes(stored(List.of(failed, resumed)), SCHEMAS).inOrder())
          .isEmpty();
    }

    @Test
    @DisplayName("E14 a note that was written twice counts once")
    void twice() {
      List<TaskNote> written =
          List.of(advanced(1), advanced(1), advanced(2), advanced(2), advanced(1), advanced(3));

      List<TaskNote> read = CODEC.decodeNotes(stored(written), SCHEMAS).inOrder();

      assertThat(read).containsExactly(advanced(1), advanced(2), advanced(3));
    }

    @Test
    @DisplayName("E14 steps inside are written by what they changed")
    void deltas() {
      String third = text(CODEC.encode(advanced(3), SCHEMAS));

      assertThat(third).contains("s3").doesNotContain("s2");
    }

    @Test
    @DisplayName("E14 a step inside without the one before it is refused")
    void gaps() {
      List<byte[]> gap =
          List.of(CODEC.encode(advanced(1), SCHEMAS), CODEC.encode(advanced(3), SCHEMAS));

      assertThatExceptionOfType(InvalidJsonException.class)
          .isThrownBy(() -> CODEC.decodeNotes(gap, SCHEMAS));
    }
  }

  @Test
  @DisplayName("E20 an input that waits comes back")
  void inputsComeBack() {
    assertThat(CODEC.decodeInput(CODEC.encode(input(), SCHEMAS), SCHEMAS)).isEqualTo(input());
  }

  @Nested
  class WhenTheGraphWasChanged {

    private final Schemas later = Schemas.of(LATER);

    @Test
    @DisplayName("E25 channels that are gone are kept, with what happened to them")
    void channelsAreKept() {
      List<Commit> commits = commits();

      State state = loaded(entries(commits), List.of(), later).position().state();
      State again = CODEC.decodeState(CODEC.encode(state.stored(), later), SCHEMAS);

      assertThat(state.get(ADDED)).isEqualTo(7);
      assertThat(state.get(COUNT)).isEqualTo(9);
      assertThat(state.strangers()).containsOnlyKeys("log");
      State live = commits.get(3).position().state();
      assertThat(again.asMap()).isEqualTo(live.asMap());
      assertThat(again.toString()).isEqualTo(live.toString());
    }

    @Test
    @DisplayName("E25 a thread that went on without a channel is read by a graph that has it")
    void thereAgain() {
      List<Commit> commits = commits();
      List<byte[]> entries = new ArrayList<>(entries(commits));
      SavedThread saved = loaded(entries, List.of(), later);
      Transition next = step(saved.position().state(), Update.of(COUNT, 1L).and(ADDED, 8));
      CheckpointId id = new CheckpointId(5, 2);
      entries.add(CODEC.encode(
          commit(id, new CheckpointId(4, 1), Cause.STEP, next.changes(), next.state(), 4), later));

      State state = loaded(entries, List.of(), SCHEMAS).position().state();

      assertThat(state.get(LOG)).containsExactly("one", "step 2", "step 3", "step 4");
      assertThat(state.version(LOG)).isEqualTo(4);
      assertThat(state.get(COUNT)).isEqualTo(10);
    }

    @Test
    @DisplayName("E25 history shows what is known, and keeps the rest")
    void history() {
      byte[] entry = entries(commits()).get(1);

      LogEntry read = CODEC.decodeEntry(entry, later);

      assertThat(read.changes().effects()).containsOnlyKeys("log", "count");
      assertThat(read.changes().toString()).doesNotContain("step 2");
      assertThat(text(CODEC.encode(read, later))).isEqualTo(text(entry));
    }

    @Test
    @DisplayName("E25 notes of a graph inside that is gone are kept as they were")
    void graphsInsideAreKept() {
      List<byte[]> stored = stored(notes());

      for (Schemas schemas : List.of(later, Schemas.NONE)) {
        TaskNotes read = CODEC.decodeNotes(stored, schemas);
        List<byte[]> again = read.inOrder().stream()
            .map(note -> CODEC.encodeWhole(note, schemas))
            .toList();

        assertThat(CODEC.decodeNotes(again, SCHEMAS).inOrder())
            .isEqualTo(new TaskNotes(notes()).inOrder());
        assertThat(read.questionsOf(SEND)).containsExactly(asked());
        assertThat(read.answersOf(SEND).get(0).answer()).isEqualTo(ANSWER);
        assertThat(read.stepsOf(INSIDE)).hasSize(2);
        assertThat(read.endOf(DEEP)).isNotNull();
      }
    }

    @Test
    @DisplayName("E25 what a task wrote to a channel that is gone is told when it is folded")
    void foldsAreRefused() {
      TaskNote.Ended end = (TaskNote.Ended) CODEC
          .decodeNotes(stored(List.of(notes().get(4))), Schemas.of(StateSchema.of(COUNT)))
          .inOrder()
          .get(0);

      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> step(StateSchema.of(COUNT).start(), end.said().update()))
          .withMessageContaining("'note'")
          .withMessageNotContaining("StrangeValue");
    }

    @Test
    @DisplayName("E25 a channel that lives as long as a run by now is not kept any more")
    void runtimeByNow() {
      Schemas schemas = Schemas.of(StateSchema.of(LOG.runtimeOnly(), COUNT));

      SavedThread saved = loaded(entries(commits()), List.of(), schemas);

      assertThat(saved.position().state().strangers()).containsOnlyKeys("note");
      assertThat(saved.checkpoint().changes().effects()).containsOnlyKeys("count");
    }

    @Test
    @DisplayName("E25 a channel of another type is refused")
    void otherTypes() {
      Schemas schemas = Schemas.of(StateSchema.of(Channel.value("log", Integer.class)));

      InvalidJsonException refused = catchThrowableOfType(
          InvalidJsonException.class, () -> loaded(entries(commits()), List.of(), schemas));

      assertThat(refused.code()).isEqualTo("SG-302");
      assertThat(refused.channel()).contains("log");
    }
  }

  @Test
  @DisplayName("S2.33 a thread whose log has lost its beginning is refused")
  void baseless() {
    List<byte[]> cut = entries(commits()).subList(1, 4);

    InvalidJsonException refused =
        catchThrowableOfType(InvalidJsonException.class, () -> loaded(cut, List.of(), SCHEMAS));

    assertThat(refused.code()).isEqualTo("SG-309");
  }

  @Test
  @DisplayName("S2.33 a value that cannot be written names its channel, wherever it stands")
  void unwritable() {
    Channel<Object> any = Channel.value("any", Object.class).startingAt("");
    Schemas schemas = Schemas.of(StateSchema.of(any));
    Update bad = Update.of(any, new Object());
    TaskNote note = new TaskNote.Ended(SampleThread.WORK, 1, io.superstep.checkpoint.Said.of(bad));
    Changes changes = step(schemas.schema().start(), bad).changes();

    for (Runnable writing : List.<Runnable>of(
        () -> CODEC.encode(note, schemas),
        () -> CODEC.encode(step(schemas.schema().start(), bad).state(), schemas),
        () -> CODEC.encode(
            commit(
                new CheckpointId(2, 1),
                new CheckpointId(1, 1),
                Cause.STEP,
                changes,
                schemas.schema().start(),
                1),
            Schemas.of(StateSchema.of(any, SampleThread.SENT))))) {
      InvalidJsonException refused = catchThrowableOfType(InvalidJsonException.class, writing::run);
      assertThat(refused.code()).isEqualTo("SG-301");
      assertThat(refused.channel()).contains("any");
    }
  }

  @Test
  @DisplayName("S2.33 plain data that cannot be written is named by what it is part of")
  void unwritableData() {
    TaskNote note = new TaskNote.Answered(
        SampleThread.WORK,
        1,
        new io.superstep.question.Answer(
            "q", "k", Map.of("x", new Object()), "ada", SampleThread.TIME, "r"));

    InvalidJsonException refused =
        catchThrowableOfType(InvalidJsonException.class, () -> CODEC.encode(note, SCHEMAS));

    assertThat(refused.code()).isEqualTo("SG-301");
    assertThat(refused.channel()).isEmpty();
    assertThat(refused).hasMessageContaining(".answer.x");
  }
}
