package io.superstep.reactor;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Descent;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNote.Advanced;
import io.superstep.checkpoint.TaskNote.Answered;
import io.superstep.checkpoint.TaskNote.Ended;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.UnknownCheckpointException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of one thread, in memory: all its checkpoints, each with the state it shares with its
 * parent but for what changed. Used by one JVM thread at a time.
 */
final class ThreadLog {

  /** Room for nothing, which all threads share. */
  private static final Deque<?> NONE = new ArrayDeque<>(0);

  /** How many inputs that have begun are known when they come once more. */
  private static final int REMEMBERED = 1_000;

  private final String thread;

  /** How many checkpoints were cut off at the beginning. */
  private long cut;

  /** By sequence, from {@code cut + 1}; null where a checkpoint was removed. */
  private final List<@Nullable KeptCommit> commits = new ArrayList<>();

  /** How many of them were removed. */
  private long holes;

  /** The head as it was written, if anything was: pruning may have made it a base. */
  private @Nullable Commit written;

  /** By checkpoint at which something was left undone, what is known of that. */
  private Map<CheckpointId, TaskNotes> notes = Map.of();

  private @Nullable Lease lease;

  /** The fencing token of the lease that was released last. */
  private long released;

  /** Whether a resume was requested since the lease was given out. */
  private boolean isResumeRequested;

  /** How many leases in a row ran out without anything having been done. */
  private int lost;

  private Deque<QueuedInput> queue = none();

  /** Inputs that waited and have begun, as far as it is remembered. */
  private Deque<String> taken = none();

  ThreadLog(String thread) {
    this.thread = thread;
  }

  /** @param fence of a new lease */
  Lease acquire(String owner, LongSupplier fence, Instant now, Instant until) {
    if (isLeased(now)) {
      Lease held = Objects.requireNonNull(lease);
      if (!held.owner().equals(owner)) {
        throw new ThreadBusyException(held);
      }
      lease = new Lease(thread, owner, held.fence(), until);
    } else {
      lost = lost(now);
      lease = new Lease(thread, owner, fence.getAsLong(), until);
      isResumeRequested = false;
    }
    return lease;
  }

  Lease renew(Lease held, Instant until) {
    requireHeld(held);
    lease = new Lease(thread, held.owner(), held.fence(), until);
    return lease;
  }

  boolean release(Lease held, Release how) {
    if (lease == null && released == held.fence() && how == Release.HANDED_OVER) {
      lost = hasWork() ? how.lostAfter(lost) : lost;
    }
    if (lease == null || lease.fence() != held.fence()) {
      return false;
    }
    lost = how.lostAfter(lost);
    released = held.fence();
    lease = null;
    if (written == null || isIdle(written.position())) {
      return !queue.isEmpty();
    }
    return isResumeRequested && notesAt(written.id()).areAnswered();
  }

  private boolean hasWork() {
    return written != null && !isIdle(written.position());
  }

  boolean requestResume(Instant now) {
    isResumeRequested |= isLeased(now);
    return isLeased(now);
  }

  private static boolean isIdle(Position position) {
    return position.isFinished() && position.pause().isEmpty();
  }

  /** How many in a row have vanished, whoever holds a lease that has run out included. */
  private int lost(Instant now) {
    return lost + (lease != null && !isLeased(now) ? 1 : 0);
  }

  void enqueue(QueuedInput input) {
    boolean isKnown =
        taken.contains(input.id()) || queue.stream().anyMatch(each -> each.id().equals(input.id()));
    if (!isKnown) {
      queue = growing(queue);
      queue.add(input);
    }
  }

  List<QueuedInput> queue() {
    return List.copyOf(queue);
  }

  private void take(@Nullable String input) {
    if (input != null && queue.removeIf(each -> each.id().equals(input))) {
      taken = growing(taken);
      taken.add(input);
      if (taken.size() > REMEMBERED) {
        taken.remove();
      }
    }
  }

  private boolean isLeased(Instant now) {
    return lease != null && now.isBefore(lease.until());
  }

  /** One that has run out still counts, as long as nobody else has taken the thread. */
  private void requireHeld(Lease held) {
    if (lease == null || lease.fence() != held.fence()) {
      throw CheckpointConflictException.lostLease(held);
    }
  }

  void commit(Lease held, Commit commit) {
    requireHeld(held);
    if (written != null && isSame(written, commit)) {
      return; // the reply was lost
    }
    requireHead(commit.seen());
    requireNotes(commit);
    if (commit.parent() != null && !has(commit.parent())) {
      throw new UnknownCheckpointException(thread, commit.parent());
    }
    if (commit.id().sequence() != cut + commits.size() + 1 || commit.id().fence() != held.fence()) {
      throw CheckpointConflictException.movedHead(thread, commit.seen(), head());
    }
    if (written != null && !notes.isEmpty() && commit.cause().kind() != Cause.Kind.FORK) {
      notes().remove(written.id()); // the step is done, or given up
    }
    take(commit.taken());
    lost = commit.cause().isFromOutside() ? lost : 0;
    commits.add(KeptCommit.of(commit));
    written = commit;
    if (!commit.notes().isEmpty()) {
      notes().put(commit.id(), new TaskNotes(commit.notes()));
    }
  }

  private static boolean isSame(Commit one, Commit other) {
    return one.id().equals(other.id())
        && Objects.equals(one.parent(), other.parent())
        && one.cause().equals(other.cause())
        && one.changes().equals(other.changes());
  }

  /** Somebody may have answered meanwhile. */
  private void requireNotes(Commit commit) {
    if (commit.notesSeen() != null
        && written != null
        && notesAt(written.id()).inOrder().size() != commit.notesSeen()) {
      throw CheckpointConflictException.touched(thread, written.id());
    }
  }

  private void requireHead(@Nullable CheckpointId seen) {
    if (!Objects.equals(seen, head())) {
      throw CheckpointConflictException.movedHead(thread, seen, head());
    }
  }

  void record(Lease held, CheckpointId at, List<TaskNote> more) {
    requireHeld(held);
    requireHead(at);
    TaskNotes known = notes().computeIfAbsent(at, any -> new TaskNotes(List.of()));
    more.forEach(known::add);
    if (more.stream().anyMatch(note -> note instanceof Ended || note instanceof Advanced)) {
      lost = 0;
    }
  }

  void answer(CheckpointId at, Answered answer) {
    requireHead(at);
    notesAt(at).answer(thread, answer);
  }

  private @Nullable CheckpointId head() {
    return written == null ? null : written.id();
  }

  private boolean has(CheckpointId id) {
    return id.equals(head()) || find(id) != null;
  }

  private @Nullable KeptCommit find(CheckpointId id) {
    if (id.sequence() <= cut || id.sequence() > cut + commits.size()) {
      return null;
    }
    KeptCommit found = commits.get(indexOf(id));
    return found != null && found.id().equals(id) ? found : null;
  }

  private int indexOf(CheckpointId id) {
    return Math.toIntExact(id.sequence() - cut - 1);
  }

  @Nullable
  SavedThread load() {
    return written == null ? null : load(written.id());
  }

  @Nullable
  SavedThread load(CheckpointId id) {
    KeptCommit found = find(id);
    return found == null ? null : load(found.commit());
  }

  private SavedThread load(Commit found) {
    return new SavedThread(
        found.in(thread), found.position(), notesAt(found.id()).inOrder(), found.outbox(thread));
  }

  List<Checkpoint> history(HistoryFilter filter) {
    List<Checkpoint> found = new ArrayList<>();
    for (int index = commits.size() - 1; index >= 0 && found.size() < filter.limit(); index--) {
      KeptCommit kept = commits.get(index);
      if (kept != null) {
        Checkpoint checkpoint = kept.commit().in(thread);
        if (filter.accepts(checkpoint)) {
          found.add(checkpoint);
        }
      }
    }
    return found;
  }

  boolean delete(CheckpointId id, boolean cascade) {
    Set<CheckpointId> doomed = new Descent(head(), members()).doomed(thread, id, cascade);
    holes += doomed.size();
    for (CheckpointId each : doomed) {
      commits.set(indexOf(each), null);
      notes().remove(each);
    }
    return !doomed.isEmpty();
  }

  private List<Descent.Member> members() {
    List<Descent.Member> members = new ArrayList<>(commits.size());
    for (KeptCommit kept : commits) {
      if (kept != null) {
        members.add(Descent.Member.of(kept.id(), kept.parent(), kept.cause()));
      }
    }
    return members;
  }

  /**
   * Removes what {@code retention} does not keep, and says how many checkpoints that were.
   *
   * @param now by which checkpoints are old
   * @param status of this thread
   */
  long prune(Retention retention, Instant now, @Nullable ThreadStatus status) {
    if (written == null || status == null) {
      return 0;
    }
    long before = size();
    if (retention.forgets(status, written.time(), now)) {
      clear();
      return before;
    }
    cutOff(firstKept(retention, now));
    return before - size();
  }

  /**
   * Prunes when the checkpoint in the middle need not be kept: then half of them go, so that what
   * it costs stays in proportion, and there are never twice as many as have to be kept.
   */
  void pruneNowAndThen(Retention retention, Instant now) {
    int middle = (commits.size() - 1) / 2;
    KeptCommit commit = commits.get(middle);
    if (commit == null || !retention.keeps(commits.size() - 1 - middle, commit.time(), now)) {
      prune(retention, now, ThreadStatus.RUNNING);
    }
  }

  private int firstKept(Retention retention, Instant now) {
    int index = 0;
    long later = size();
    for (KeptCommit commit : commits) {
      if (commit != null && retention.keeps(--later, commit.time(), now)) {
        return index;
      }
      index++;
    }
    return index;
  }

  private void cutOff(int count) {
    if (count == 0) {
      return;
    }
    List<@Nullable KeptCommit> first = commits.subList(0, count);
    holes -= Collections.frequency(first, null);
    first.clear();
    cut += count;
    notes().keySet().removeIf(id -> id.sequence() <= cut);
    commits.replaceAll(kept ->
        kept != null && hasLostParent(kept) ? KeptCommit.of(kept.commit().asBase()) : kept);
  }

  private boolean hasLostParent(KeptCommit commit) {
    return commit.parent() != null && commit.parent().sequence() <= cut;
  }

  private void clear() {
    commits.clear();
    cut = 0;
    holes = 0;
    written = null;
    notes = Map.of();
  }

  boolean isEmpty() {
    return written == null;
  }

  long size() {
    return commits.size() - holes;
  }

  @Nullable
  ThreadSummary summary(Instant now) {
    ThreadSummary found = unleased(now);
    Lease last = lease;
    return found == null || last == null ? found : found.withLease(last.owner(), last.until());
  }

  private @Nullable ThreadSummary unleased(Instant now) {
    ThreadStatus status = status(now);
    if (written != null && status != null) {
      return new ThreadSummary(thread, status, written.id(), written.time());
    }
    ThreadStatus begins = isLeased(now) ? ThreadStatus.RUNNING : ThreadStatus.ORPHANED;
    return queue.isEmpty()
        ? null
        : new ThreadSummary(thread, begins, null, queue.element().time());
  }

  /** What the thread is up to; null if nothing was ever written to it. */
  @Nullable
  ThreadStatus status(Instant now) {
    Commit at = written;
    return at == null
        ? null
        : ThreadStatus.of(
            at.position(), notesAt(at.id()), isLeased(now), lost(now), !queue.isEmpty());
  }

  // most threads never need them: they are made when something is put in

  private Map<CheckpointId, TaskNotes> notes() {
    notes = notes.isEmpty() ? new HashMap<>() : notes;
    return notes;
  }

  private static <T> Deque<T> growing(Deque<T> few) {
    return few == NONE ? new ArrayDeque<>() : few;
  }

  @SuppressWarnings("unchecked") // it holds nothing, and never will
  private static <T> Deque<T> none() {
    return (Deque<T>) NONE;
  }

  private TaskNotes notesAt(CheckpointId id) {
    TaskNotes known = notes.get(id);
    return known == null ? new TaskNotes(List.of()) : known;
  }

  String thread() {
    return thread;
  }

  /** Whether nothing is left to do, and nobody is at it. */
  boolean mayBeForgotten(InstantSource clock) {
    Commit at = written;
    return at == null
        ? !isLeased(clock.instant()) && queue.isEmpty()
        : at.position().isFinished() && status(clock.instant()) == ThreadStatus.DONE;
  }

  void requireIdle(Instant now) {
    if (isLeased(now)) {
      throw new ThreadBusyException(Objects.requireNonNull(lease));
    }
  }
}
