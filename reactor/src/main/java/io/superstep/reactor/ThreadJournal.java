package io.superstep.reactor;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.memory.MemoryWrite;
import io.superstep.step.StepResult.Committed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Writes down in the log of a thread what one run does. */
final class ThreadJournal implements Journal {

  private final Hold hold;
  private final String fingerprint;

  /** What earlier runs left; null once the step they were at is committed. */
  private volatile @Nullable Legacy legacy;

  /** Read by tasks that record on JVM threads of their own, during a step, and changed between. */
  private volatile @Nullable CheckpointId head;

  /** Tasks that are about to act outside, or at it, in this run. */
  private volatile @Nullable Set<Task> doubtful;

  /** Questions that were asked in this run. */
  private volatile @Nullable Queue<TaskNote.Asked> asked;

  private @Nullable Commit pending;

  /** @param saved where the thread stands; null if it is new */
  ThreadJournal(Hold hold, String fingerprint, @Nullable SavedThread saved) {
    this.hold = hold;
    this.fingerprint = fingerprint;
    if (saved != null) {
      this.head = saved.checkpoint().id();
      this.legacy = new Legacy(saved);
    }
  }

  String thread() {
    return hold.thread();
  }

  @Override
  public long fence() {
    return hold.lease().fence();
  }

  @Override
  public Memory memoryOf(Task task) {
    Legacy left = legacy;
    return left == null ? Memory.NONE : left.memoryOf(task);
  }

  /**
   * Records the decisions of a caller about the tasks of earlier runs. If the run passes a pause or
   * resumes after a failure, the records are stored before it begins, with every durability: a
   * thread whose process ends meanwhile is neither paused nor failed.
   *
   * @param lifts whether the run passes the pauses there
   */
  Mono<Void> decide(Resume with, Graph graph, boolean lifts) {
    Legacy left = Objects.requireNonNull(legacy);
    boolean hasFailed = left.hasFailed();
    List<TaskNote> decided = left.decided(with, graph, fence());
    List<TaskNote> all = new ArrayList<>(lifts ? left.lifted() : List.of());
    boolean isUrgent = hasFailed || !all.isEmpty();
    all.addAll(decided);
    all.addAll(left.resumed());
    return isUrgent ? hold.writer().force(Objects.requireNonNull(head), all) : record(all);
  }

  @Override
  public Mono<Void> record(List<TaskNote> notes) {
    CheckpointId at = head;
    if (at == null || notes.isEmpty()) {
      return Mono.empty();
    }
    Legacy left = legacy;
    if (left != null) {
      left.add(notes);
    }
    Set<Task> doubts = doubtful;
    for (TaskNote note : notes) {
      if (doubts != null) {
        doubts.remove(note.task());
      }
      if (note instanceof TaskNote.Asked question) {
        asked().add(question);
      }
    }
    return hold.writer().record(at, notes);
  }

  @Override
  public Mono<Void> intend(List<TaskNote> intents) {
    intents.forEach(intent -> doubtful().add(intent.task()));
    return hold.writer().force(Objects.requireNonNull(head), intents);
  }

  @Override
  public boolean isDoubtfulInside(Task task) {
    Set<Task> doubts = doubtful;
    String inside = task.id() + "/";
    return doubts != null && doubts.stream().anyMatch(each -> each.id().startsWith(inside));
  }

  @Override
  public void settle(Task task) {
    Set<Task> doubts = doubtful;
    if (doubts != null) {
      doubts.removeIf(each -> each.origin().equals(task.id()));
    }
  }

  @Override
  public void requireMemorable(String node, List<MemoryWrite> memories) {
    hold.requireMemorable(node, memories);
  }

  @Override
  public Mono<Void> commit(
      Instant time, Committed committed, List<Credit> credits, List<MemoryWrite> memories) {
    pending = next(head, Cause.STEP, time, committed, credits, List.of(), null, null, memories);
    return write(pending);
  }

  @Override
  public @Nullable Commit turn() {
    Commit written = Objects.requireNonNull(pending);
    moved(written);
    pending = null;
    return written;
  }

  @Override
  public boolean isSafe() {
    return hold.writer().isSafe();
  }

  @Override
  public @Nullable CheckpointId head() {
    return head;
  }

  @Override
  public List<TaskNote> commitFailure(Task task, int attempt, Throwable error) {
    return List.of(new TaskNote.CommitFailed(task, attempt, error.toString()));
  }

  @Override
  public List<TaskNote.Asked> openQuestions() {
    Legacy left = legacy;
    List<TaskNote.Asked> open = new ArrayList<>(left == null ? List.of() : left.openQuestions());
    open.addAll(asked == null ? List.of() : asked());
    return open;
  }

  @Override
  public Mono<Boolean> answered() {
    Set<Task> waiting = tasks(openQuestions());
    return waiting.isEmpty()
        ? Mono.just(false)
        : hold.writer().flush().then(hold.loaded()).map(saved -> {
          adopt(saved);
          return !tasks(saved.questions()).containsAll(waiting);
        });
  }

  private static Set<Task> tasks(List<TaskNote.Asked> questions) {
    Set<Task> tasks = new HashSet<>();
    questions.forEach(asked -> tasks.add(asked.task()));
    return tasks;
  }

  /** Continues with what the store has of the step under way; no task runs meanwhile. */
  private void adopt(SavedThread saved) {
    if (!saved.checkpoint().id().equals(head)) {
      throw CheckpointConflictException.movedHead(
          saved.checkpoint().thread(), head, saved.checkpoint().id());
    }
    legacy = new Legacy(saved);
    asked = null;
  }

  @Override
  public void waitForAnswers() {
    hold.waitForAnswers();
  }

  @Override
  public void rest(List<GraphEvent> undelivered, @Nullable Throwable failure) {
    hold.rest(undelivered, failure);
  }

  @Override
  public void takenOver() {
    hold.takenOver();
  }

  @Override
  public boolean isResting() {
    return hold.isResting();
  }

  @Override
  public Mono<Void> returned(boolean isAnswered) {
    Legacy left = legacy;
    List<TaskNote> known = left == null ? List.of() : left.inOrder();
    return hold.returned(head, isAnswered).flatMap(saved -> {
      if (saved.notes().equals(known)) {
        return Mono.empty();
      }
      if (!isAnswered(known, saved.notes())) {
        return Mono.error(CheckpointConflictException.touched(
            saved.checkpoint().thread(), saved.checkpoint().id()));
      }
      adopt(saved);
      return Mono.empty();
    });
  }

  /** Whether nothing but answers was recorded since. */
  private static boolean isAnswered(List<TaskNote> before, List<TaskNote> now) {
    List<TaskNote> more = new ArrayList<>(now);
    return before.stream().allMatch(more::remove)
        && more.stream().allMatch(TaskNote.Answered.class::isInstance);
  }

  @Override
  public Mono<Void> flush() {
    return hold.writer().flush();
  }

  @Override
  public void end(boolean workIsLeft) {
    hold.end(workIsLeft);
  }

  @Override
  public void reportTo(SuperstepLoop loop) {
    hold.reportTo(loop);
  }

  @Override
  public Journal inside(NestedRun nested, Task task, int attempt) {
    return new TaskJournal(this, nested, task, attempt);
  }

  /** The name that the next checkpoint will have. */
  CheckpointId nextId() {
    return CheckpointId.after(head, hold.lease().fence());
  }

  /** The next checkpoint of the line of steps. */
  Commit next(Cause cause, Instant time, Committed committed, List<Credit> credits) {
    return next(head, cause, time, committed, credits, List.of(), null, null, List.of());
  }

  /**
   * A checkpoint that changes the state between two steps: what has been done stays so.
   *
   * @param inside applies the change to the graphs inside tasks, by the notes about them
   */
  Commit between(
      Cause cause, Instant time, Committed changed, UnaryOperator<List<TaskNote>> inside) {
    Legacy left = legacy;
    List<TaskNote> handed =
        left == null ? List.of() : inside.apply(left.handedOver(changed.position()));
    Integer seen = left == null ? null : left.inOrder().size();
    return next(head, cause, time, changed, List.of(), handed, seen, null, List.of());
  }

  /** A checkpoint that grows out of {@code parent}, wherever the head is. */
  Commit branch(CheckpointId parent, Cause cause, Instant time, Committed forked) {
    return next(parent, cause, time, forked, List.of(), List.of(), null, null, List.of());
  }

  /**
   * A checkpoint with which a turn begins.
   *
   * @param taken the id of its input, if that had to wait; else null
   */
  Commit begin(Cause cause, Instant time, Committed opened, @Nullable String taken) {
    return next(head, cause, time, opened, List.of(), List.of(), null, taken, List.of());
  }

  private Commit next(
      @Nullable CheckpointId parent,
      Cause cause,
      Instant time,
      Committed committed,
      List<Credit> credits,
      List<TaskNote> notes,
      @Nullable Integer notesSeen,
      @Nullable String taken,
      List<MemoryWrite> memories) {
    return new Commit(
        nextId(),
        head,
        parent,
        cause,
        time,
        fingerprint,
        committed.changes(),
        committed.position(),
        credits,
        notes,
        notesSeen,
        taken,
        memories);
  }

  /** Writes a checkpoint; the journal goes on from it once {@link #moved} is called. */
  Mono<Void> write(Commit commit) {
    return hold.writer().commit(commit);
  }

  /** Takes notice that {@code commit} was written. */
  void moved(Commit commit) {
    head = commit.id();
    legacy = null;
    doubtful = null;
    asked = null;
  }

  // most runs need neither: they are made when something is put in

  private synchronized Set<Task> doubtful() {
    Set<Task> doubts = doubtful;
    if (doubts == null) {
      doubts = ConcurrentHashMap.newKeySet();
      doubtful = doubts;
    }
    return doubts;
  }

  private synchronized Queue<TaskNote.Asked> asked() {
    Queue<TaskNote.Asked> questions = asked;
    if (questions == null) {
      questions = new ConcurrentLinkedQueue<>();
      asked = questions;
    }
    return questions;
  }
}
