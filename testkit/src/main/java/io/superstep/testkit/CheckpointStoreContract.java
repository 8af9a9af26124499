package io.superstep.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Cause.Source;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.LineageException;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.Said;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNote.Answered;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.UnknownCheckpointException;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.question.AlreadyAnsweredException;
import io.superstep.question.Answer;
import io.superstep.question.Question;
import io.superstep.question.UnknownQuestionException;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.ListChannel;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What every store has to do. The tests of a store extend it and say how to make an empty one.
 *
 * <p>The clock of the store is moved by {@link #pass}.
 */
public abstract class CheckpointStoreContract {

  /** The statuses that a store can be brought into through its own API. */
  private static final Set<ThreadStatus> READABLE =
      EnumSet.complementOf(EnumSet.of(ThreadStatus.UNREADABLE));

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Channel<@Nullable String> NAME = Channel.value("name", String.class);
  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<@Nullable String> SECRET =
      Channel.value("secret", String.class).runtimeOnly();
  private static final StateSchema SCHEMA = StateSchema.of(NAME, LOG, SECRET);

  /** Of the graph that the node "work" is. */
  private static final ListChannel<Long> DEPTHS = Channel.list("depths", Long.class);

  private static final StateSchema INSIDE = StateSchema.of(DEPTHS, SECRET);
  private static final Schemas SCHEMAS = Schemas.of(SCHEMA, Map.of("work", Schemas.of(INSIDE)));

  private static final MemoryWrite MEMORY = MemoryWrite.put(
          Namespace.of("users", "42"), "likes", Map.of("tea", true, "cups", List.of(1, 2)))
      .lasting(Duration.ofDays(1));

  private final AtomicInteger owners = new AtomicInteger();

  /** An empty store whose clock stands still but for {@link #pass}. */
  protected abstract CheckpointStore store();

  /** Lets {@code time} go by for the store that {@link #store} made last. */
  protected abstract void pass(Duration time);

  private static <T> @Nullable T one(Publisher<T> publisher) {
    return Mono.from(publisher).block(PATIENCE);
  }

  private static <T> T some(Publisher<T> publisher) {
    return Objects.requireNonNull(one(publisher));
  }

  private static <T> List<T> all(Publisher<T> publisher) {
    return Objects.requireNonNull(Flux.from(publisher).collectList().block(PATIENCE));
  }

  /** Writes to a thread as a run does. */
  private final class Writer {

    private final CheckpointStore store;
    private final Lease lease;
    private @Nullable CheckpointId head;

    /** By which ids are made; where the head is set back, it is not. */
    private @Nullable CheckpointId last;

    private Position position = position(SCHEMA.start(), "work");

    Writer(CheckpointStore store, String thread) {
      this.store = store;
      this.lease = some(store.acquire(thread, "owner-" + owners.incrementAndGet(), LEASE));
      SavedThread saved = one(store.load(thread, SCHEMAS));
      if (saved != null) {
        head = saved.checkpoint().id();
        last = head;
        position = saved.position();
      }
    }

    CheckpointId id() {
      return CheckpointId.after(last, lease.fence());
    }

    Commit next(Update change) {
      return next(change, head, Cause.STEP, position(position.state(), "work"));
    }

    Commit next(Update change, @Nullable CheckpointId parent, Cause cause, Position from) {
      Transition transition = from.state().fold(new Contribution("writer", change));
      Credit credit = new Credit(new Task(from.origin(), from.step(), 0, "work", null), 1);
      return new Commit(
          id(),
          head,
          parent,
          cause,
          Instant.EPOCH,
          "fingerprint",
          transition.changes(),
          from.with(transition.state()),
          cause == Cause.STEP ? List.of(credit) : List.of(),
          List.of(),
          null,
          null,
          List.of());
    }

    CheckpointId save(Commit commit) {
      return save(commit, SCHEMAS);
    }

    CheckpointId save(Commit commit, Schemas schemas) {
      one(store.commit(lease, commit, schemas));
      last = commit.id();
      head = last;
      position = commit.position();
      return commit.id();
    }

    CheckpointId append(String text) {
      return save(next(Update.append(LOG, text)));
    }

    CheckpointId fork(CheckpointId from, String text) {
      Position at = some(store.load(lease.thread(), from, SCHEMAS)).position();
      return save(next(Update.append(LOG, text), from, Cause.fork("ada", null), at));
    }

    void end() {
      one(store.release(lease, Release.SETTLED));
    }
  }

  private static Position position(State state, String... due) {
    return new Position(
        "thread/1-1",
        0,
        state,
        List.of(due).stream().map(Due::by).toList(),
        List.of(),
        Map.of(),
        Map.of(),
        Pause.NONE);
  }

  private static Commit at(Instant time, Commit commit) {
    return new Commit(
        commit.id(),
        commit.seen(),
        commit.parent(),
        commit.cause(),
        time,
        commit.fingerprint(),
        commit.changes(),
        commit.position(),
        commit.credits(),
        commit.notes(),
        commit.notesSeen(),
        commit.taken(),
        commit.memories());
  }

  private static TaskNote ended(int index) {
    return new TaskNote.Ended(
        new Task("thread/1-1", 1, index, "work", null),
        1,
        new Said(
            Update.append(LOG, "said " + index),
            List.of("next"),
            List.of(new Due("sent", Update.append(LOG, "argument"))),
            false,
            List.of(MEMORY)));
  }

  @Test
  @DisplayName("S2.2 a checkpoint is saved with its id, its time, its cause and what changed")
  void savesCheckpoints() {
    Writer writer = new Writer(store(), "t");
    Commit plain = writer.next(Update.append(LOG, "one"));
    Task task = new Task("thread/1-1", 3, 0, "work", Update.append(LOG, "argument"));
    Instant time = Instant.ofEpochSecond(1_000, 123_456_000);
    Commit commit = new Commit(
        plain.id(),
        null,
        null,
        Cause.copy(new Source("other", new CheckpointId(3, 9)), "ada", "because"),
        time,
        "fingerprint",
        plain.changes(),
        plain.position(),
        List.of(new Credit(task, 2)),
        List.of(ended(0)),
        null,
        null,
        List.of(MEMORY));
    writer.save(commit);

    SavedThread saved = some(writer.store.load("t", SCHEMAS));
    Checkpoint checkpoint = saved.checkpoint();
    assertEquals(commit.in("t"), checkpoint);
    assertEquals(List.of(checkpoint), all(writer.store.history("t", HistoryFilter.ALL, SCHEMAS)));
    assertEquals("t", checkpoint.thread());
    assertEquals(time, checkpoint.time());
    assertEquals(List.of(new Credit(task, 2)), checkpoint.credits());
    assertEquals(task.arguments(), checkpoint.credits().get(0).task().arguments());
    assertEquals(List.of("log"), List.copyOf(checkpoint.changes().effects().keySet()));
    assertEquals(List.of("one"), saved.position().state().get(LOG));
    assertEquals(List.of(ended(0)), saved.notes());
    assertEquals(commit.outbox("t"), saved.outbox());
    assertEquals(List.of(MEMORY), saved.outbox().writes());
  }

  @Test
  @DisplayName("S2.3 a thread is loaded at its head, or at one of its own checkpoints")
  void loads() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId first = writer.append("one");
    CheckpointId second = writer.append("two");
    new Writer(store, "other").append("else");

    assertEquals(second, some(store.load("t", SCHEMAS)).checkpoint().id());
    SavedThread older = some(store.load("t", first, SCHEMAS));
    assertEquals(List.of("one"), older.position().state().get(LOG));
    assertNull(one(store.load("other", second, SCHEMAS)));
    assertNull(one(store.load("unknown", SCHEMAS)));
    assertNull(one(store.load("t", new CheckpointId(1, 99), SCHEMAS)), "of another writer");
    assertNull(one(store.load("t", new CheckpointId(99, 1), SCHEMAS)));
  }

  @Test
  @DisplayName("S2.4 E13 history comes newest first, filtered, before a checkpoint, up to a limit")
  void history() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    List<CheckpointId> ids = new ArrayList<>();
    for (int step = 1; step <= 12; step++) {
      Cause cause = step % 4 == 0 ? Cause.update("ada", "because") : Cause.STEP;
      ids.add(
          0,
          writer.save(writer.next(
              Update.append(LOG, "step " + step), writer.head, cause, writer.position)));
    }

    assertEquals(
        ids,
        all(store.history("t", HistoryFilter.ALL, SCHEMAS)).stream()
            .map(Checkpoint::id)
            .toList());
    assertEquals(
        ids.subList(0, 10),
        all(store.history("t", HistoryFilter.ALL.limit(10), SCHEMAS)).stream()
            .map(Checkpoint::id)
            .toList());
    assertEquals(
        ids.subList(3, 5),
        all(store.history("t", HistoryFilter.ALL.before(ids.get(2)).limit(2), SCHEMAS)).stream()
            .map(Checkpoint::id)
            .toList());
    List<Checkpoint> updates =
        all(store.history("t", HistoryFilter.ALL.causedBy(Cause.Kind.UPDATE), SCHEMAS));
    assertEquals(3, updates.size());
    assertEquals("ada", updates.get(0).cause().author());
    assertEquals("because", updates.get(0).cause().reason());
    assertEquals(List.of(), all(store.history("unknown", HistoryFilter.ALL, SCHEMAS)));
  }

  @Test
  @DisplayName("S2.5 a checkpoint is removed once, and a thread with all it has")
  void deletes() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId first = writer.append("one");
    CheckpointId second = writer.append("two");
    CheckpointId fork = writer.fork(first, "other");

    assertTrue(some(store.delete("t", second, false)));
    assertFalse(some(store.delete("t", second, false)));
    assertEquals(fork, some(store.load("t", SCHEMAS)).checkpoint().id());
    assertThrows(ThreadBusyException.class, () -> one(store.delete("t")));
    writer.end();
    assertEquals(2, some(store.delete("t")));
    assertEquals(0, some(store.delete("t")));
    assertNull(one(store.load("t", SCHEMAS)));
    assertThrows(CheckpointConflictException.class, () -> writer.append("late"));
    Lease next = some(store.acquire("t", "next", LEASE));
    assertTrue(next.fence() > writer.lease.fence(), "fences are never used again");
    assertThrows(CheckpointConflictException.class, () -> writer.append("late"));
  }

  @Test
  @DisplayName("S2.6 a checkpoint names the one it grew out of")
  void parents() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId first = writer.append("one");
    writer.append("two");

    List<Checkpoint> history = all(store.history("t", HistoryFilter.ALL, SCHEMAS));
    assertEquals(first, history.get(0).parent());
    assertNull(history.get(1).parent());
  }

  @Test
  @DisplayName("S2.7 checkpoints are ordered by their sequence, whatever the clock says")
  void orderedBySequence() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    for (int step = 0; step < 1_000; step++) {
      Commit commit = writer.next(Update.append(LOG, "step " + step));
      writer.save(at(Instant.EPOCH.minusSeconds(step), commit));
    }

    List<Long> sequences = all(store.history("t", HistoryFilter.ALL, SCHEMAS)).stream()
        .map(checkpoint -> checkpoint.id().sequence())
        .toList();
    assertEquals(
        IntStream.rangeClosed(1, 1_000).mapToObj(step -> 1_001L - step).toList(), sequences);
    assertEquals(
        1_000, some(store.load("t", SCHEMAS)).position().state().get(LOG).size());
  }

  @Test
  @DisplayName("S2.8 lineage is protected")
  void lineage() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId first = writer.append("one");
    CheckpointId second = writer.append("two");
    CheckpointId third = writer.append("three");
    Commit orphan = writer.next(
        Update.append(LOG, "orphan"), new CheckpointId(77, 1), Cause.STEP, writer.position);

    assertThrows(
        UnknownCheckpointException.class, () -> one(store.commit(writer.lease, orphan, SCHEMAS)));
    assertEquals(third, some(store.load("t", SCHEMAS)).checkpoint().id());
    assertThrows(LineageException.class, () -> one(store.delete("t", second, false)));
    assertThrows(LineageException.class, () -> one(store.delete("t", second, true)), "the head");

    CheckpointId fork = writer.fork(first, "other");
    assertThrows(LineageException.class, () -> one(store.delete("t", second, false)));
    assertTrue(some(store.delete("t", second, true)));
    assertEquals(
        List.of(fork, first),
        all(store.history("t", HistoryFilter.ALL, SCHEMAS)).stream()
            .map(Checkpoint::id)
            .toList());
    assertNotEquals(fork.sequence(), writer.append("after").sequence(), "ids are never used again");
  }

  @Test
  @DisplayName("S2.35 what a merge took over stays as long as the merge does")
  void keepsWhatWasMerged() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId first = writer.append("one");
    CheckpointId second = writer.append("two");
    CheckpointId tip = writer.append("three");
    CheckpointId fork = writer.fork(first, "other");
    Cause cause = Cause.merge(new Cause.Source("t", tip), "ada", null);
    Position at = some(store.load("t", SCHEMAS)).position();
    writer.save(writer.next(Update.append(LOG, "two", "three"), fork, cause, at));

    assertThrows(LineageException.class, () -> one(store.delete("t", tip, false)));
    assertThrows(LineageException.class, () -> one(store.delete("t", second, true)));
    assertEquals(5, all(store.history("t", HistoryFilter.ALL, SCHEMAS)).size());

    writer.fork(first, "again");
    assertThrows(LineageException.class, () -> one(store.delete("t", tip, false)));
    assertTrue(some(store.delete("t", fork, true)), "the merge goes too");
    assertTrue(some(store.delete("t", tip, false)));
  }

  @Test
  @DisplayName("E13 branches do not see each other, and nothing that was seen ever changes")
  void branches() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId first = writer.append("one");
    CheckpointId second = writer.append("two");
    CheckpointId fork = writer.fork(first, "other");
    writer.append("further");

    assertEquals(List.of("one"), logAt(store, first));
    assertEquals(List.of("one", "two"), logAt(store, second));
    assertEquals(List.of("one", "other"), logAt(store, fork));
    assertEquals(
        List.of("one", "other", "further"),
        some(store.load("t", SCHEMAS)).position().state().get(LOG));
  }

  private static List<String> logAt(CheckpointStore store, CheckpointId id) {
    return some(store.load("t", id, SCHEMAS)).position().state().get(LOG);
  }

  @Test
  @DisplayName("E21 a commit that is repeated because its reply was lost changes nothing")
  void repeatedCommit() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    Commit commit = writer.next(Update.append(LOG, "one"));
    writer.save(commit);

    one(store.commit(writer.lease, commit, SCHEMAS));

    assertEquals(1, all(store.history("t", HistoryFilter.ALL, SCHEMAS)).size());
    assertEquals(
        List.of("one"), some(store.load("t", SCHEMAS)).position().state().get(LOG));
  }

  @Test
  @DisplayName("X.23 a writer that saw another head is refused, and nothing is written")
  void movedHead() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId first = writer.append("one");
    CheckpointId second = writer.append("two");
    writer.head = first;
    Commit late = writer.next(Update.append(LOG, "late"));

    assertThrows(
        CheckpointConflictException.class, () -> one(store.commit(writer.lease, late, SCHEMAS)));
    assertThrows(
        CheckpointConflictException.class,
        () -> one(store.record(writer.lease, first, List.of(ended(0)), SCHEMAS)));
    assertEquals(second, some(store.load("t", SCHEMAS)).checkpoint().id());
    assertEquals(
        List.of("one", "two"), some(store.load("t", SCHEMAS)).position().state().get(LOG));
    assertEquals(List.of(), some(store.load("t", SCHEMAS)).notes());
  }

  @Test
  @DisplayName("S2.9 a thread has one writer at a time; who lost it is refused, whatever it tries")
  void fencing() {
    CheckpointStore store = store();
    Writer paused = new Writer(store, "t");
    CheckpointId first = paused.append("one");

    assertThrows(ThreadBusyException.class, () -> one(store.acquire("t", "other", LEASE)));
    pass(LEASE.plusSeconds(1));
    Writer other = new Writer(store, "t");
    assertTrue(other.lease.fence() > paused.lease.fence());

    assertThrows(CheckpointConflictException.class, () -> paused.append("late"));
    assertThrows(
        CheckpointConflictException.class,
        () -> one(store.record(paused.lease, first, List.of(ended(0)), SCHEMAS)));
    assertThrows(CheckpointConflictException.class, () -> one(store.renew(paused.lease, LEASE)));
    paused.end();
    other.append("two");
    assertEquals(
        List.of("one", "two"), some(store.load("t", SCHEMAS)).position().state().get(LOG));
  }

  @Test
  @DisplayName("S2.9 a refused acquisition names the owner and the end of the lease")
  void refusedLeases() {
    CheckpointStore store = store();
    Lease lease = some(store.acquire("t", "web-7:4711/1", LEASE));
    pass(LEASE.dividedBy(3));
    Lease renewed = some(store.renew(lease, LEASE));
    assertEquals(lease.until().plus(LEASE.dividedBy(3)), renewed.until());

    ThreadBusyException busy = assertThrows(
        ThreadBusyException.class, () -> one(store.acquire("t", "web-8:815/1", LEASE)));

    assertEquals("web-7:4711/1", busy.owner());
    assertEquals(renewed.until(), busy.until());
  }

  @Test
  @DisplayName("S2.9 a lease lasts while it is renewed, and whoever asks again gets it again")
  void leases() {
    CheckpointStore store = store();
    Lease lease = some(store.acquire("t", "me", LEASE));

    assertEquals(lease.fence(), some(store.acquire("t", "me", LEASE)).fence());
    pass(LEASE.minusSeconds(1));
    one(store.renew(lease, LEASE));
    pass(LEASE.minusSeconds(1));
    assertThrows(ThreadBusyException.class, () -> one(store.acquire("t", "other", LEASE)));
    one(store.release(lease, Release.SETTLED));
    one(store.release(lease, Release.SETTLED));
    assertTrue(some(store.acquire("t", "other", LEASE)).fence() > lease.fence());
  }

  @Test
  @DisplayName("E8 what is known of a task is kept once, in order, until its step is committed")
  void notes() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    TaskNote failed =
        new TaskNote.Failed(new Task("thread/1-1", 1, 2, "work", null), 1, "broken", false);

    one(store.record(writer.lease, head, List.of(ended(1)), SCHEMAS));
    one(store.record(writer.lease, head, List.of(failed, ended(0)), SCHEMAS));
    one(store.record(writer.lease, head, List.of(ended(1)), SCHEMAS));

    assertEquals(
        List.of(ended(1), failed, ended(0)), some(store.load("t", SCHEMAS)).notes());
    assertEquals(
        List.of(ended(1), failed, ended(0)),
        some(store.load("t", head, SCHEMAS)).notes());
    writer.append("two");
    assertEquals(List.of(), some(store.load("t", SCHEMAS)).notes());
    assertEquals(List.of(), some(store.load("t", head, SCHEMAS)).notes());
  }

  @Test
  @DisplayName("E8 all of a note comes back")
  void wholeNotes() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    Task sent = new Task("thread/1-1", 1, 3, "sent", Update.append(LOG, "argument"));
    List<TaskNote> notes = List.of(
        new TaskNote.Began(sent, 2),
        new TaskNote.Failed(sent, 2, "broken", true),
        new TaskNote.Forgotten(sent, 2),
        new TaskNote.Lifted(sent, 2),
        new TaskNote.Ended(
            sent, 3, new Said(Update.NOTHING, List.of("next"), List.of(), true, List.of())));

    one(store.record(writer.lease, head, notes, SCHEMAS));

    List<TaskNote> loaded = some(store.load("t", SCHEMAS)).notes();
    assertEquals(notes, loaded);
    loaded.forEach(note -> assertEquals(sent.arguments(), note.task().arguments()));
  }

  @Test
  @DisplayName("E8 a thread whose commit failed is FAILED until something follows the failure")
  void commitFailures() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    TaskNote failed = new TaskNote.CommitFailed(ended(0).task(), 1, "SG-212 refused");

    one(store.record(writer.lease, head, List.of(ended(0), failed), SCHEMAS));
    one(store.record(writer.lease, head, List.of(ended(0), failed), SCHEMAS));
    writer.end();

    assertEquals(ThreadStatus.FAILED, statusOf(store, "t"));
    assertEquals(List.of(ended(0), failed), some(store.load("t", SCHEMAS)).notes());
    Writer next = new Writer(store, "t");
    TaskNote forgotten = new TaskNote.Forgotten(ended(0).task(), 1);
    one(store.record(next.lease, head, List.of(forgotten), SCHEMAS));
    next.end();
    assertEquals(ThreadStatus.STOPPED, statusOf(store, "t"));
    assertEquals(List.of(ended(0), forgotten), some(store.load("t", SCHEMAS)).notes());
    Writer again = new Writer(store, "t");
    one(store.record(again.lease, head, List.of(failed), SCHEMAS));
    again.append("two");
    again.end();
    assertEquals(ThreadStatus.STOPPED, statusOf(store, "t"));
    assertEquals(List.of(), some(store.load("t", SCHEMAS)).notes());
  }

  @Test
  @DisplayName("E8 X.15 a failed thread that is resumed is no longer FAILED until it fails again")
  void resumedFailures() {
    CheckpointStore store = store();
    TaskNote commit = new TaskNote.CommitFailed(ended(0).task(), 1, "SG-212 refused");
    Task task = new Task("thread/1-1", 1, 1, "work", null);
    TaskNote failed = new TaskNote.Failed(task, 1, "broken", true);
    for (TaskNote failure : List.of(commit, failed)) {
      String thread = failure == commit ? "commit" : "task";
      Writer writer = new Writer(store, thread);
      CheckpointId head = writer.append("one");
      one(store.record(writer.lease, head, List.of(ended(0), failure), SCHEMAS));
      writer.end();
      vanished(store, thread);
      assertEquals(ThreadStatus.FAILED, statusOf(store, thread));
      Writer resuming = new Writer(store, thread);
      TaskNote resumed = new TaskNote.Resumed(failure.task(), 1);

      one(store.record(resuming.lease, head, List.of(resumed), SCHEMAS));
      one(store.record(resuming.lease, head, List.of(resumed), SCHEMAS));

      assertEquals(List.of(ended(0)), some(store.load(thread, SCHEMAS)).notes());
      one(store.release(resuming.lease, Release.HANDED_OVER));
      assertEquals(ThreadStatus.ORPHANED, statusOf(store, thread));
      new Writer(store, thread).end();
      assertEquals(ThreadStatus.STOPPED, statusOf(store, thread));
      vanished(store, thread);
      assertEquals(ThreadStatus.ORPHANED, statusOf(store, thread));
      Writer again = new Writer(store, thread);
      one(store.record(again.lease, head, List.of(failure), SCHEMAS));
      again.end();
      assertEquals(ThreadStatus.FAILED, statusOf(store, thread));
      assertEquals(List.of(ended(0), failure), some(store.load(thread, SCHEMAS)).notes());
    }
  }

  /** That the graph inside the first task has taken a step. */
  private static TaskNote.Advanced advanced(int step) {
    Task task = new Task("thread/1-1", 1, 0, "work", null);
    Transition inside = INSIDE.start().fold(List.of());
    for (long depth = 1; depth <= step; depth++) {
      inside =
          inside.state().fold(List.of(new Contribution("inside", Update.append(DEPTHS, depth))));
    }
    return new TaskNote.Advanced(
        task,
        1,
        inside.changes(),
        new Position(
            task.id(),
            step,
            inside.state(),
            List.of(Due.by("inside"), new Due("inside", Update.append(DEPTHS, -1L))),
            List.of(),
            Map.of(),
            Map.of(),
            Pause.NONE),
        Said.of(Update.append(LOG, "up " + step)));
  }

  /** That a task inside the first task has ended, and sends something to the graph around. */
  private static TaskNote endedInside(int step) {
    Task task = new Task(advanced(step).task().id(), step, 1, "inside", Update.append(DEPTHS, -1L));
    return new TaskNote.Ended(
        task,
        1,
        new Said(
            Update.append(DEPTHS, 7L),
            List.of(),
            List.of(new Due("sent", Update.append(LOG, "up"))),
            true,
            List.of()));
  }

  @Test
  @DisplayName("E14 the steps of a graph inside a task are known until the task ends")
  void stepsInside() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    for (TaskNote note : List.of(endedInside(1), advanced(1), advanced(1), endedInside(2))) {
      one(store.record(writer.lease, head, List.of(note), SCHEMAS));
    }

    assertEquals(
        List.of(advanced(1), endedInside(2)),
        new TaskNotes(some(store.load("t", SCHEMAS)).notes()).inOrder());
    one(store.record(writer.lease, head, List.of(advanced(2)), SCHEMAS));
    assertEquals(
        List.of(advanced(1), advanced(2)),
        new TaskNotes(some(store.load("t", SCHEMAS)).notes()).inOrder());
    one(store.record(writer.lease, head, List.of(ended(0)), SCHEMAS));
    assertEquals(
        List.of(ended(0)), new TaskNotes(some(store.load("t", SCHEMAS)).notes()).inOrder());
  }

  @Test
  @DisplayName("E13 what is known of tasks stays with a checkpoint that a fork has left")
  void notesOfATip() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId first = writer.append("one");
    CheckpointId tip = writer.append("two");
    one(store.record(writer.lease, tip, List.of(ended(1)), SCHEMAS));

    writer.fork(first, "other");

    assertEquals(List.of(ended(1)), some(store.load("t", tip, SCHEMAS)).notes());
    assertEquals(List.of(), some(store.load("t", SCHEMAS)).notes());
  }

  @Test
  @DisplayName(
      "S2.25 a resume that is requested while a lease is held is known when that is released")
  void requestedResumes() {
    CheckpointStore store = store();
    assertFalse(some(store.requestResume("t")));
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    one(store.record(writer.lease, head, List.of(asked("x"), asked("y")), SCHEMAS));
    one(store.answer("t", head, answered("x", List.of(), "ada"), SCHEMAS));

    assertTrue(some(store.requestResume("t")));
    assertFalse(some(store.release(writer.lease, Release.SETTLED)), "a question is open");

    assertFalse(some(store.requestResume("t")), "no lease is held");
    Writer next = new Writer(store, "t");
    one(store.answer("t", head, answered("y", List.of(), "ada"), SCHEMAS));
    assertFalse(
        some(store.release(next.lease, Release.SETTLED)), "it was requested before this lease");

    Writer last = new Writer(store, "t");
    assertTrue(some(store.requestResume("t")));
    assertTrue(some(store.requestResume("t")));
    assertTrue(some(store.release(last.lease, Release.SETTLED)));
    assertFalse(some(store.release(last.lease, Release.SETTLED)));

    Writer vanished = new Writer(store, "t");
    pass(LEASE.plusSeconds(1));
    assertFalse(some(store.requestResume("t")), "the lease has run out");
    one(store.release(vanished.lease, Release.SETTLED));
    assertEquals(ThreadStatus.STOPPED, statusOf(store, "t"));
  }

  @Test
  @DisplayName("S2.25 a requested resume means nothing to a thread without work")
  void requestedInVain() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    writer.save(writer.next(Update.of(NAME, "x"), null, Cause.STEP, position(SCHEMA.start())));

    assertTrue(some(store.requestResume("t")));

    assertFalse(some(store.release(writer.lease, Release.SETTLED)));
    assertEquals(ThreadStatus.DONE, statusOf(store, "t"));
  }

  @Test
  @DisplayName("E14 what was answered inside a task is kept when the task is tried again")
  void answeredBeforeARetry() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    Task inside = new Task(ASKER.id(), 1, 0, "inside", null);
    Asked question = asked("x").about(inside);
    Answered answer = answered("x", List.of("a"), "ada").about(inside);
    TaskNote failed = new TaskNote.Failed(ASKER, 1, "broken", false);
    one(store.record(writer.lease, head, List.of(question), SCHEMAS));
    one(store.answer("t", head, answer, SCHEMAS));

    one(store.record(writer.lease, head, List.of(failed), SCHEMAS));

    TaskNotes notes = new TaskNotes(some(store.load("t", SCHEMAS)).notes());
    assertEquals(List.of(question, answer, failed), notes.inOrder());
    assertEquals(List.of(), notes.questions());
    assertEquals(List.of(new TaskNotes.Past(question, answer.answer())), notes.pastOf(inside));
    one(store.record(writer.lease, head, List.of(question), SCHEMAS));
    assertEquals(List.of(question), some(store.load("t", SCHEMAS)).questions());
  }

  private static final Task ASKER = new Task("thread/1-1", 1, 0, "work", null);

  private static Asked asked(String key) {
    return new Asked(
        ASKER,
        2,
        "thread/1-1/1/0/work#" + key,
        key,
        Question.someOf("Which?", "a", "b")
            .orNothing()
            .showing(Map.of("draft", List.of("text", 1, true)))
            .within(Duration.ofDays(3), List.of("a"))
            .prompt(),
        Instant.ofEpochSecond(1_000, 123_456_000));
  }

  private static Answered answered(String key, @Nullable Object value, String by) {
    Asked asked = asked(key);
    return new Answered(
        asked.task(),
        asked.attempt(),
        new Answer(asked.id(), key, value, by, Instant.ofEpochSecond(2_000), "receipt of " + by));
  }

  @Test
  @DisplayName("E9 S2.25 a question is answered once, by anybody, while somebody is at the thread")
  void answersOnce() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    one(store.record(writer.lease, head, List.of(asked("x"), asked("y")), SCHEMAS));
    assertEquals(List.of(asked("x"), asked("y")), some(store.load("t", SCHEMAS)).questions());

    one(store.answer("t", head, answered("x", null, "ada"), SCHEMAS));
    one(store.answer("t", head, answered("x", null, "ada"), SCHEMAS));

    AlreadyAnsweredException late = assertThrows(
        AlreadyAnsweredException.class,
        () -> one(store.answer("t", head, answered("x", List.of("b"), "bob"), SCHEMAS)));
    assertEquals(answered("x", null, "ada").answer(), late.answer());
    SavedThread saved = some(store.load("t", SCHEMAS));
    assertEquals(List.of(asked("y")), saved.questions());
    assertEquals(List.of(asked("x"), asked("y"), answered("x", null, "ada")), saved.notes());
    one(store.answer("t", head, answered("y", List.of("a", "b"), "bob"), SCHEMAS));
    assertEquals(
        answered("y", List.of("a", "b"), "bob"),
        some(store.load("t", SCHEMAS)).notes().get(3));
  }

  @Test
  @DisplayName("E9 what nobody asks, or asks no more, cannot be answered, and nothing is written")
  void refusesAnswers() {
    CheckpointStore store = store();
    assertThrows(
        CheckpointConflictException.class,
        () -> one(store.answer("t", new CheckpointId(1, 1), answered("x", null, "ada"), SCHEMAS)));
    Writer writer = new Writer(store, "t");
    CheckpointId first = writer.append("one");
    assertThrows(
        UnknownQuestionException.class,
        () -> one(store.answer("t", first, answered("x", null, "ada"), SCHEMAS)));
    one(store.record(writer.lease, first, List.of(asked("x")), SCHEMAS));
    assertThrows(
        UnknownQuestionException.class,
        () -> one(store.answer("t", first, answered("y", null, "ada"), SCHEMAS)));
    one(store.record(writer.lease, first, List.of(ended(0)), SCHEMAS));
    assertThrows(
        UnknownQuestionException.class,
        () -> one(store.answer("t", first, answered("x", null, "ada"), SCHEMAS)));
    assertEquals(List.of(asked("x"), ended(0)), some(store.load("t", SCHEMAS)).notes());

    writer.append("two");

    assertThrows(
        CheckpointConflictException.class,
        () -> one(store.answer("t", first, answered("x", null, "ada"), SCHEMAS)));
    assertEquals(List.of(), some(store.load("t", SCHEMAS)).notes());
  }

  @Test
  @DisplayName("S2.25 who hands notes on without knowing of an answer is refused")
  void answersAreNotLost() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    one(store.record(writer.lease, head, List.of(asked("x")), SCHEMAS));
    one(store.answer("t", head, answered("x", null, "ada"), SCHEMAS));
    Commit plain = writer.next(Update.append(LOG, "two"));

    assertThrows(
        CheckpointConflictException.class,
        () -> one(store.commit(writer.lease, handingOn(plain, 1), SCHEMAS)));
    assertEquals(head, some(store.load("t", SCHEMAS)).checkpoint().id());
    one(store.commit(writer.lease, handingOn(plain, 2), SCHEMAS));
    one(store.commit(writer.lease, handingOn(plain, 2), SCHEMAS));
    assertEquals(plain.id(), some(store.load("t", SCHEMAS)).checkpoint().id());
  }

  private static Commit handingOn(Commit commit, int seen) {
    return new Commit(
        commit.id(),
        commit.seen(),
        commit.parent(),
        commit.cause(),
        commit.time(),
        commit.fingerprint(),
        commit.changes(),
        commit.position(),
        commit.credits(),
        List.of(asked("x"), answered("x", null, "ada")),
        seen,
        null,
        List.of());
  }

  @Test
  @DisplayName("S2.25 of answers that race for one question one is taken")
  void answersRace() throws Exception {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    one(store.record(writer.lease, head, List.of(asked("x")), SCHEMAS));
    List<Callable<Boolean>> people = new ArrayList<>();
    for (int person = 0; person < 8; person++) {
      Answered answer = answered("x", List.of("a"), "person " + person);
      people.add(() -> {
        try {
          one(store.answer("t", head, answer, SCHEMAS));
          return true;
        } catch (AlreadyAnsweredException late) {
          return false;
        }
      });
    }
    ExecutorService pool = Executors.newFixedThreadPool(people.size());
    int winners = 0;
    try {
      for (Future<Boolean> result : pool.invokeAll(people)) {
        winners += result.get() ? 1 : 0;
      }
    } finally {
      pool.shutdown();
    }
    assertEquals(1, winners);
    assertEquals(2, some(store.load("t", SCHEMAS)).notes().size());
  }

  @Test
  @DisplayName("E8 what was forgotten can be written down again")
  void forgottenNotes() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    TaskNote forgotten = new TaskNote.Forgotten(ended(0).task(), 1);

    for (TaskNote note : List.of(ended(0), ended(1), forgotten, forgotten, ended(0), ended(1))) {
      one(store.record(writer.lease, head, List.of(note), SCHEMAS));
    }

    assertEquals(
        List.of(ended(0), ended(1), forgotten, ended(0)),
        some(store.load("t", SCHEMAS)).notes());
  }

  @Test
  @DisplayName("E21 what lives only as long as a run is never stored")
  void runtimeChannels() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    writer.save(writer.next(Update.of(SECRET, "hidden").and(NAME, "seen")));

    SavedThread saved = some(store.load("t", SCHEMAS));
    assertNull(saved.position().state().get(SECRET));
    assertEquals("seen", saved.position().state().get(NAME));
    assertEquals(1, saved.position().state().version(NAME));
    assertFalse(saved.checkpoint().changes().effects().containsKey("secret"));
  }

  @Test
  @DisplayName("S2.3 all of a position comes back")
  void positions() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    Position full = new Position(
        "t/1-1",
        7,
        SCHEMA.start(),
        List.of(Due.by("edge"), new Due("send", Update.append(LOG, "argument"))),
        List.of("later"),
        Map.of("join", Set.of("a", "b")),
        Map.of("limited", 3),
        new Pause(List.of("edge"), List.of("done")));

    writer.save(writer.next(Update.of(NAME, "x"), null, Cause.INPUT, full));

    Position loaded = some(store.load("t", SCHEMAS)).position();
    assertEquals(full.with(loaded.state()), loaded);
    assertEquals("x", loaded.state().get(NAME));
  }

  @Test
  @DisplayName("E25 a thread is read by the schema of a later graph")
  void otherSchemas() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    writer.save(writer.next(Update.of(NAME, "secret").and(Update.append(LOG, "one"))));
    Channel<Integer> added = Channel.value("added", Integer.class).startingAt(7);
    StateSchema later = StateSchema.of(added, LOG, NAME.runtimeOnly());

    State state = some(store.load("t", Schemas.of(later))).position().state();

    assertEquals(7, state.get(added));
    assertEquals(List.of("one"), state.get(LOG));
    assertEquals(1, state.version(LOG));
    assertNull(state.get("name"), "no longer kept");
  }

  @Test
  @DisplayName("E25 a channel that a graph does not know is there again for one that does")
  void unknownChannels() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId first =
        writer.save(writer.next(Update.of(NAME, "ada").and(Update.append(LOG, "one"))));
    Schemas without = Schemas.of(StateSchema.of(LOG));

    Position known = some(store.load("t", without)).position();
    writer.save(writer.next(Update.append(LOG, "two"), first, Cause.STEP, known), without);

    assertEquals(
        List.of("one", "two"), some(store.load("t", without)).position().state().get(LOG));
    assertEquals(2, all(store.history("t", HistoryFilter.ALL, without)).size());
    State again = some(store.load("t", SCHEMAS)).position().state();
    assertEquals("ada", again.get(NAME));
    assertEquals(1, again.version(NAME));
    assertEquals(2, again.version(LOG));
  }

  @Test
  @DisplayName("E25 what is known of tasks in a graph that is gone is kept for one that has it")
  void unknownGraphs() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    Asked question = asked("x");
    List<TaskNote> notes = List.of(advanced(1), endedInside(2), question);
    one(store.record(writer.lease, head, notes, SCHEMAS));

    for (Schemas schemas : List.of(Schemas.of(SCHEMA), Schemas.NONE)) {
      SavedThread seen = some(store.load("t", schemas));
      assertEquals(head, seen.checkpoint().id());
      assertEquals(List.of(question), seen.questions());
      assertEquals(3, seen.notes().size());
    }
    Answered answer = answered("x", null, "ada");
    one(store.answer("t", head, answer, Schemas.NONE));
    List<TaskNote> all = new ArrayList<>(notes);
    all.add(answer);
    assertEquals(all, some(store.load("t", SCHEMAS)).notes());
  }

  @Test
  @DisplayName("E14 steps inside that a commit hands on are gone on from")
  void stepsHandedOn() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId head = writer.append("one");
    one(store.record(writer.lease, head, List.of(advanced(1), advanced(2)), SCHEMAS));
    Commit plain = writer.next(Update.of(NAME, "x"));
    CheckpointId next = writer.save(new Commit(
        plain.id(),
        plain.seen(),
        plain.parent(),
        Cause.update("ada", null),
        plain.time(),
        plain.fingerprint(),
        plain.changes(),
        plain.position(),
        List.of(),
        List.of(advanced(2), endedInside(3)),
        2,
        null,
        List.of()));

    assertEquals(
        List.of(advanced(2), endedInside(3)), some(store.load("t", SCHEMAS)).notes());
    one(store.record(writer.lease, next, List.of(advanced(3)), SCHEMAS));

    assertEquals(
        List.of(advanced(2), advanced(3)), some(store.load("t", SCHEMAS)).notes());
  }

  @Test
  @DisplayName("S2.32 a thread can have any name")
  void names() {
    CheckpointStore store = store();
    List<String> names = List.of(
        "t",
        "T",
        " t",
        "a/b",
        "a/1/2",
        "a:b",
        "{a}",
        "a*",
        "a?",
        "[a]",
        "a%2F",
        "a'b\"c\\",
        "a\nb",
        "\u00fc\ud83d\ude00",
        "\u0000",
        "x".repeat(500));
    for (String name : names) {
      Writer writer = new Writer(store, name);
      one(store.record(writer.lease, writer.append(name), List.of(ended(0)), SCHEMAS));
      one(store.enqueue(name, input(name), SCHEMAS));
      writer.end();
    }

    for (String name : names) {
      SavedThread saved = some(store.load(name, SCHEMAS));
      assertEquals(name, saved.checkpoint().thread());
      assertEquals(List.of(name), saved.position().state().get(LOG));
      assertEquals(List.of(ended(0)), saved.notes());
      assertEquals(List.of(input(name)), all(store.queue(name, SCHEMAS)));
    }
    assertEquals(
        Set.copyOf(names),
        Set.copyOf(all(store.threads(EnumSet.allOf(ThreadStatus.class))).stream()
            .map(ThreadSummary::thread)
            .toList()));
    assertEquals(1, some(store.delete("a/b")));
    assertEquals(
        names.size() - 1, all(store.threads(EnumSet.allOf(ThreadStatus.class))).size());
  }

  /** Writes a thread of each status, called like it. */
  private void writeThreadsOfEveryStatus(CheckpointStore store) {
    new Writer(store, "parked").append("one");
    for (int takeover = 1; takeover <= 3; takeover++) {
      pass(LEASE.plusSeconds(1));
      new Writer(store, "parked");
    }
    new Writer(store, "orphaned").append("one");
    pass(LEASE.plusSeconds(1));
    new Writer(store, "running").append("one");
    Writer stopped = new Writer(store, "stopped");
    stopped.append("one");
    stopped.end();
    Writer failed = new Writer(store, "failed");
    CheckpointId head = failed.append("one");
    one(store.record(
        failed.lease,
        head,
        List.of(new TaskNote.Failed(new Task("thread/1-1", 1, 0, "work", null), 3, "broken", true)),
        SCHEMAS));
    failed.end();
    Writer unknown = new Writer(store, "outcome_unknown");
    one(store.record(
        unknown.lease,
        unknown.append("one"),
        List.of(new TaskNote.Began(new Task("thread/1-1", 1, 0, "work", null), 1)),
        SCHEMAS));
    unknown.end();
    Writer done = new Writer(store, "done");
    done.save(done.next(Update.of(NAME, "x"), null, Cause.STEP, position(SCHEMA.start())));
    done.end();

    Writer waiting = new Writer(store, "waiting");
    Position paused = position(SCHEMA.start(), "work");
    waiting.save(waiting.next(
        Update.of(NAME, "x"),
        null,
        Cause.STEP,
        new Position(
            "t/1-1",
            1,
            paused.state(),
            paused.due(),
            List.of(),
            Map.of(),
            Map.of(),
            new Pause(List.of("work"), List.of()))));
    waiting.end();
  }

  @Test
  @DisplayName("S2.34 threads are found by what they are up to")
  void statuses() {
    CheckpointStore store = store();
    writeThreadsOfEveryStatus(store);

    for (ThreadStatus status : READABLE) {
      assertEquals(
          List.of(status.name().toLowerCase(Locale.ROOT)),
          all(store.threads(EnumSet.of(status))).stream()
              .map(summary -> summary.thread())
              .toList());
    }
    assertEquals(
        READABLE.size(), all(store.threads(EnumSet.allOf(ThreadStatus.class))).size());
  }

  @Test
  @DisplayName("S2.34 a listing shows the owner and the end of a lease until it is released")
  void listedLeases() {
    CheckpointStore store = store();
    Writer killed = new Writer(store, "t");
    killed.append("one");
    assertLease(ThreadStatus.RUNNING, killed.lease, store);

    pass(LEASE.dividedBy(3));
    Lease renewed = some(store.renew(killed.lease, LEASE));
    assertLease(ThreadStatus.RUNNING, renewed, store);
    pass(LEASE);
    assertLease(ThreadStatus.ORPHANED, renewed, store);

    Writer next = new Writer(store, "t");
    assertLease(ThreadStatus.RUNNING, next.lease, store);
    next.end();
    assertLease(ThreadStatus.STOPPED, null, store);
    one(store.release(new Writer(store, "t").lease, Release.HANDED_OVER));
    assertLease(ThreadStatus.ORPHANED, null, store);
  }

  @Test
  @DisplayName("S2.34 a listing shows the lease of a thread that has queued inputs only")
  void listedLeaseOfAQueue() {
    CheckpointStore store = store();
    one(store.enqueue("t", input("i"), SCHEMAS));
    assertLease(ThreadStatus.ORPHANED, null, store);

    Lease lease = some(store.acquire("t", "web-7:4711/1", LEASE));
    assertLease(ThreadStatus.RUNNING, lease, store);
    pass(LEASE);
    assertLease(ThreadStatus.ORPHANED, lease, store);
    one(store.release(lease, Release.SETTLED));
    assertLease(ThreadStatus.ORPHANED, null, store);
  }

  /** Asserts what is listed of the only thread. */
  private static void assertLease(
      ThreadStatus status, @Nullable Lease lease, CheckpointStore store) {
    List<ThreadSummary> listed = all(store.threads(EnumSet.allOf(ThreadStatus.class)));
    assertEquals(1, listed.size());
    ThreadSummary found = listed.get(0);
    assertEquals(status, found.status());
    assertEquals(lease == null ? null : lease.owner(), found.owner());
    assertEquals(lease == null ? null : lease.until(), found.leaseUntil());
  }

  @Test
  @DisplayName("X.23 a lifted pause is recorded: the thread is stopped or orphaned, and not paused")
  void liftedPauses() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    Position at = position(SCHEMA.start(), "work");
    CheckpointId head = writer.save(writer.next(
        Update.of(NAME, "x"),
        null,
        Cause.STEP,
        new Position(
            at.origin(),
            1,
            at.state(),
            at.due(),
            List.of(),
            Map.of(),
            Map.of(),
            new Pause(List.of("work"), List.of()))));
    assertEquals(
        List.of("work"), some(store.load("t", SCHEMAS)).position().pause().before());
    TaskNote lifted = new TaskNote.Lifted(new Task("thread/1-1", 2, 0, "work", null), 1);

    one(store.record(writer.lease, head, List.of(lifted), SCHEMAS));
    one(store.record(writer.lease, head, List.of(lifted), SCHEMAS));

    SavedThread saved = some(store.load("t", SCHEMAS));
    assertEquals(List.of(lifted), saved.notes());
    assertEquals(Pause.NONE, saved.position().pause());
    writer.end();
    assertEquals(ThreadStatus.STOPPED, statusOf(store, "t"));
    vanished(store);
    assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));
  }

  private ThreadStatus statusOf(CheckpointStore store, String thread) {
    return all(store.threads(EnumSet.allOf(ThreadStatus.class))).stream()
        .filter(summary -> summary.thread().equals(thread))
        .map(ThreadSummary::status)
        .findFirst()
        .orElseThrow();
  }

  /** Takes a thread, and vanishes. */
  private void vanished(CheckpointStore store) {
    vanished(store, "t");
  }

  private void vanished(CheckpointStore store, String thread) {
    one(store.acquire(thread, "owner-" + owners.incrementAndGet(), LEASE));
    pass(LEASE.plusSeconds(1));
  }

  @Test
  @DisplayName(
      "X.15 a thread is orphaned where somebody vanished, and parked after three takeovers")
  void lostLeases() {
    CheckpointStore store = store();
    Writer first = new Writer(store, "t");
    CheckpointId head = first.append("one");
    pass(LEASE.plusSeconds(1));
    for (int takeover = 1; takeover <= 3; takeover++) {
      assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));
      vanished(store);
    }
    assertEquals(ThreadStatus.PARKED, statusOf(store, "t"));

    vanished(store);
    assertEquals(ThreadStatus.PARKED, statusOf(store, "t"));
    Writer helped = new Writer(store, "t");
    one(store.record(helped.lease, head, List.of(ended(0)), SCHEMAS));
    pass(LEASE.plusSeconds(1));
    assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));
    Writer passing = new Writer(store, "t");
    passing.save(passing.next(
        Update.append(LOG, "x"),
        head,
        Cause.update("ada", null),
        position(passing.position.state(), "work")));
    one(store.release(passing.lease, Release.UNCHANGED));
    assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));
    Writer last = new Writer(store, "t");
    last.end();
    assertEquals(ThreadStatus.STOPPED, statusOf(store, "t"));
  }

  @Test
  @DisplayName("E22 X.15 a thread that is handed over is ORPHANED at once, and never parked by it")
  void handsOver() {
    CheckpointStore store = store();
    Writer first = new Writer(store, "t");
    first.append("one");
    one(store.release(first.lease, Release.HANDED_OVER));
    one(store.release(first.lease, Release.SETTLED));
    assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));

    for (int restart = 1; restart <= 10; restart++) {
      Writer next = new Writer(store, "t");
      assertEquals(ThreadStatus.RUNNING, statusOf(store, "t"));
      one(store.release(next.lease, Release.HANDED_OVER));
      assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));
    }
    one(store.release(new Writer(store, "t").lease, Release.UNCHANGED));
    for (int takeover = 1; takeover <= 3; takeover++) {
      assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));
      vanished(store);
    }
    assertEquals(ThreadStatus.PARKED, statusOf(store, "t"));
    one(store.release(new Writer(store, "t").lease, Release.HANDED_OVER));
    assertEquals(ThreadStatus.PARKED, statusOf(store, "t"));
    one(store.release(new Writer(store, "t").lease, Release.SETTLED));
    assertEquals(ThreadStatus.STOPPED, statusOf(store, "t"));
  }

  @Test
  @DisplayName("E22 a thread is handed over after its release, unless another lease was given out")
  void handsOverLater() {
    CheckpointStore store = store();
    Writer first = new Writer(store, "t");
    first.append("one");
    one(store.release(first.lease, Release.SETTLED));
    assertEquals(ThreadStatus.STOPPED, statusOf(store, "t"));
    for (int call = 1; call <= 2; call++) {
      assertFalse(some(store.release(first.lease, Release.HANDED_OVER)));
      assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));
    }

    Writer other = new Writer(store, "t");
    one(store.release(first.lease, Release.HANDED_OVER));
    assertEquals(ThreadStatus.RUNNING, statusOf(store, "t"));
    one(store.release(other.lease, Release.SETTLED));
    one(store.release(first.lease, Release.HANDED_OVER));
    assertEquals(ThreadStatus.STOPPED, statusOf(store, "t"));

    Writer last = new Writer(store, "t");
    last.save(
        last.next(Update.append(LOG, "x"), last.head, Cause.STEP, position(last.position.state())));
    one(store.release(last.lease, Release.SETTLED));
    one(store.release(last.lease, Release.HANDED_OVER));
    assertEquals(ThreadStatus.DONE, statusOf(store, "t"));
  }

  @Test
  @DisplayName("E22 a thread that waits, has failed or does not exist is not handed over")
  void handsNothingOver() {
    CheckpointStore store = store();
    Writer waiting = new Writer(store, "waiting");
    Position paused = waiting.position;
    waiting.save(waiting.next(
        Update.of(NAME, "x"),
        null,
        Cause.STEP,
        new Position(
            "t/1-1",
            1,
            paused.state(),
            paused.due(),
            List.of(),
            Map.of(),
            Map.of(),
            new Pause(List.of("work"), List.of()))));
    Writer failed = new Writer(store, "failed");
    TaskNote failure =
        new TaskNote.Failed(new Task("thread/1-1", 1, 0, "work", null), 3, "broken", true);
    one(store.record(failed.lease, failed.append("one"), List.of(failure), SCHEMAS));
    Writer none = new Writer(store, "none");

    for (Writer each : List.of(waiting, failed, none)) {
      one(store.release(each.lease, Release.HANDED_OVER));
    }

    assertEquals(ThreadStatus.WAITING, statusOf(store, "waiting"));
    assertEquals(ThreadStatus.FAILED, statusOf(store, "failed"));
    assertEquals(2, all(store.threads(EnumSet.allOf(ThreadStatus.class))).size());
  }

  @Test
  @DisplayName("X.15 a commit begins the count anew")
  void progress() {
    CheckpointStore store = store();
    new Writer(store, "t").append("one");
    for (int takeover = 1; takeover <= 9; takeover++) {
      pass(LEASE.plusSeconds(1));
      assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));
      new Writer(store, "t").append("more");
    }
  }

  private static QueuedInput input(String text) {
    return new QueuedInput(
        "id of " + text, Update.append(LOG, text), "ada", Instant.ofEpochSecond(1_000));
  }

  /** Begins a turn with an input that waited, and ends it. */
  private static Commit taking(QueuedInput input, Writer writer) {
    Commit plain =
        writer.next(input.input(), writer.head, Cause.INPUT, position(writer.position.state()));
    return new Commit(
        plain.id(),
        plain.seen(),
        plain.parent(),
        plain.cause(),
        plain.time(),
        plain.fingerprint(),
        plain.changes(),
        plain.position(),
        plain.credits(),
        plain.notes(),
        null,
        input.id(),
        List.of());
  }

  @Test
  @DisplayName("E11 inputs wait in their order until a commit takes them, each once")
  void queues() {
    CheckpointStore store = store();
    one(store.enqueue("t", input("a"), SCHEMAS));
    one(store.enqueue("t", input("b"), SCHEMAS));
    one(store.enqueue("t", input("a"), SCHEMAS));
    assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));
    assertEquals(List.of(input("a"), input("b")), all(store.queue("t", SCHEMAS)));
    assertEquals(List.of(), all(store.queue("other", SCHEMAS)));

    Writer writer = new Writer(store, "t");
    Commit commit = taking(input("a"), writer);
    writer.save(commit);
    one(store.commit(writer.lease, commit, SCHEMAS));
    one(store.enqueue("t", input("a"), SCHEMAS));

    assertEquals(List.of(input("b")), all(store.queue("t", SCHEMAS)));
    assertEquals(ThreadStatus.RUNNING, statusOf(store, "t"));
    assertTrue(some(store.release(writer.lease, Release.SETTLED)));
    assertFalse(some(store.release(writer.lease, Release.SETTLED)));
    assertEquals(ThreadStatus.ORPHANED, statusOf(store, "t"));
    Writer next = new Writer(store, "t");
    next.save(taking(input("b"), next));
    assertFalse(some(store.release(next.lease, Release.SETTLED)));
    assertEquals(ThreadStatus.DONE, statusOf(store, "t"));
    assertEquals(
        List.of("a", "b"), some(store.load("t", SCHEMAS)).position().state().get(LOG));
  }

  @Test
  @DisplayName("E11 whoever gives a thread back that has work to do is not told of inputs")
  void queuesBehindWork() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    writer.append("one");
    one(store.enqueue("t", input("a"), SCHEMAS));

    assertFalse(some(store.release(writer.lease, Release.SETTLED)));
    assertEquals(ThreadStatus.STOPPED, statusOf(store, "t"));
    assertEquals(1, some(store.delete("t")));
    assertEquals(List.of(), all(store.queue("t", SCHEMAS)));
  }

  @Test
  @DisplayName("S2.34 S2.37 pruning leaves a base, and all that is left as it was")
  void prunes() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    writer.save(writer.next(Update.of(NAME, "x").and(SECRET, "hidden")));
    for (int step = 2; step <= 12; step++) {
      writer.append("step " + step);
    }
    one(store.record(
        writer.lease, Objects.requireNonNull(writer.head), List.of(ended(0)), SCHEMAS));
    List<SavedThread> before = loadedNewestFirst(store).subList(0, 5);

    assertEquals(7, some(store.prune("t", Retention.last(5), Instant.EPOCH)));
    assertEquals(0, some(store.prune("t", Retention.last(5), Instant.EPOCH)), "repeated");

    List<SavedThread> after = loadedNewestFirst(store);
    assertEquals(
        before.stream().map(SavedThread::position).toList(),
        after.stream().map(SavedThread::position).toList());
    assertEquals(7, after.get(4).position().state().version(LOG), "of the base");
    assertEquals(before.subList(0, 4), after.subList(0, 4));
    assertEquals(List.of(ended(0)), after.get(0).notes());
    Checkpoint base = after.get(4).checkpoint();
    assertNull(base.parent());
    assertEquals(before.get(4).checkpoint().cause(), base.cause());
    State folded = SCHEMA.start();
    for (int index = 4; index >= 0; index--) {
      folded = folded.apply(after.get(index).checkpoint().changes());
      assertEquals(after.get(index).position().state(), folded);
    }
    assertNull(one(store.load("t", new CheckpointId(7, writer.lease.fence()), SCHEMAS)));
    assertEquals(13, writer.append("further").sequence());
    assertEquals(12, some(store.load("t", SCHEMAS)).position().state().get(LOG).size());
  }

  private static List<SavedThread> loadedNewestFirst(CheckpointStore store) {
    return all(store.history("t", HistoryFilter.ALL, SCHEMAS)).stream()
        .map(checkpoint -> some(store.load("t", checkpoint.id(), SCHEMAS)))
        .toList();
  }

  @Test
  @DisplayName("S2.34 E21 a head that became a base is recognised when its commit is repeated")
  void repeatedCommitOfABase() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    writer.append("one");
    Commit commit = writer.next(Update.append(LOG, "two"));
    writer.save(commit);
    assertEquals(1, some(store.prune("t", Retention.last(1), Instant.EPOCH)));

    one(store.commit(writer.lease, commit, SCHEMAS));

    assertEquals(List.of("one", "two"), logAt(store, commit.id()));
    assertEquals(1, all(store.history("t", HistoryFilter.ALL, SCHEMAS)).size());
  }

  @Test
  @DisplayName("S2.34 of branches stays what was written last, with bases of their own")
  void prunesBranches() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    CheckpointId first = writer.append("one");
    CheckpointId second = writer.append("two");
    CheckpointId third = writer.append("three");
    CheckpointId fork = writer.fork(first, "other");
    CheckpointId head = writer.append("further");

    assertEquals(2, some(store.prune("t", Retention.last(3), Instant.EPOCH)));

    Map<CheckpointId, Checkpoint> left = new HashMap<>();
    all(store.history("t", HistoryFilter.ALL, SCHEMAS)).forEach(each -> left.put(each.id(), each));
    assertEquals(Set.of(third, fork, head), left.keySet());
    assertNull(Objects.requireNonNull(left.get(third)).parent());
    assertNull(Objects.requireNonNull(left.get(fork)).parent());
    assertEquals(fork, Objects.requireNonNull(left.get(head)).parent());
    assertEquals(List.of("one", "two", "three"), logAt(store, third));
    assertEquals(List.of("one", "other"), logAt(store, fork));
    assertEquals(List.of("one", "other", "further"), logAt(store, head));
    assertThrows(UnknownCheckpointException.class, () -> {
      Position at = some(store.load("t", third, SCHEMAS)).position();
      writer.save(writer.next(Update.NOTHING, second, Cause.fork("ada", null), at));
    });
    assertTrue(some(store.delete("t", third, false)));
  }

  @Test
  @DisplayName("S2.34 what is too old goes, up to the first that is not; the head never does")
  void prunesByAge() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    for (int day : new int[] {1, 2, 9, 3, 4}) {
      writer.save(at(daysOn(day), writer.next(Update.append(LOG, "day " + day))));
    }
    Retention retention = Retention.youngerThan(Duration.ofDays(3));

    assertEquals(2, some(store.prune("t", retention, daysOn(9))));
    assertEquals(0, some(store.prune("t", retention, daysOn(12))), "the third is still young");
    assertEquals(0, some(store.prune("t", retention.orLast(3), daysOn(99))));
    assertEquals(2, some(store.prune("t", retention, daysOn(99))));

    assertEquals(1, all(store.history("t", HistoryFilter.ALL, SCHEMAS)).size());
    assertEquals(5, some(store.load("t", SCHEMAS)).position().state().get(LOG).size());
    assertEquals(0, some(store.prune("unknown", retention, daysOn(99))));
  }

  private static Instant daysOn(int days) {
    return Instant.EPOCH.plus(Duration.ofDays(days));
  }

  @Test
  @DisplayName("S2.34 a thread that is done and old goes as a whole, any other stays")
  void prunesThreads() {
    CheckpointStore store = store();
    writeThreadsOfEveryStatus(store);
    Retention week = Retention.doneFor(Duration.ofDays(7));

    for (ThreadStatus status : READABLE) {
      String thread = status.name().toLowerCase(Locale.ROOT);
      assertEquals(0, some(store.prune(thread, week, daysOn(7))));
      assertEquals(
          status == ThreadStatus.DONE ? 1 : 0, some(store.prune(thread, week, daysOn(8))), thread);
    }

    assertNull(one(store.load("done", SCHEMAS)));
    assertEquals(
        READABLE.size() - 1,
        all(store.threads(EnumSet.allOf(ThreadStatus.class))).size());
    assertEquals(1, new Writer(store, "done").append("anew").sequence());
  }

  @Test
  @DisplayName("S2.9 commits that race for one checkpoint make one, which is whole")
  void concurrentWriters() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    writer.append("start");
    for (int round = 0; round < 50; round++) {
      String text = "round " + round;
      List<Commit> rivals = IntStream.range(0, 4)
          .mapToObj(rival -> writer.next(Update.append(LOG, text + " by " + rival)))
          .toList();
      List<Boolean> results = Objects.requireNonNull(Flux.fromIterable(rivals)
          .flatMap(rival -> Mono.from(store.commit(writer.lease, rival, SCHEMAS))
              .thenReturn(true)
              .onErrorReturn(CheckpointConflictException.class, false)
              .subscribeOn(Schedulers.boundedElastic()))
          .collectList()
          .block(PATIENCE));
      assertEquals(List.of(true), results.stream().filter(won -> won).toList());
      SavedThread saved = some(store.load("t", SCHEMAS));
      writer.head = saved.checkpoint().id();
      writer.last = writer.head;
      writer.position = saved.position();
      assertEquals(round + 2, saved.position().state().get(LOG).size());
    }
    assertEquals(51, all(store.history("t", HistoryFilter.ALL, SCHEMAS)).size());
  }

  @Test
  @DisplayName("S2.33 a large value comes back whole")
  void largeValues() {
    CheckpointStore store = store();
    Writer writer = new Writer(store, "t");
    String large = "0123456789".repeat(100_000);
    writer.append(large);

    List<String> loaded = some(store.load("t", SCHEMAS)).position().state().get(LOG);
    assertNotNull(loaded);
    assertEquals(large, loaded.get(0));
  }
}
