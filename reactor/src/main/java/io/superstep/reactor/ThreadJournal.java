package io.superstep.reactor;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.graph.Command;
import io.superstep.graph.Send;
import io.superstep.step.Outcome.Completed;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.Superstep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What one run writes to the log of its thread, and what earlier runs wrote there about the step it
 * begins with. Used from inside the drain of its loop.
 */
final class Journal {

  private final CheckpointStore store;
  private final Lease lease;
  private final String fingerprint;
  private @Nullable CheckpointId head;

  /** By task, what it came to in an earlier run. */
  private final Map<Task, TaskNote.Ended> ended = new HashMap<>(0);

  /** By task, how many of its attempts failed in earlier runs. */
  private final Map<Task, Integer> failed = new HashMap<>(0);

  /** @param saved where the thread stands; null if it is new */
  Journal(CheckpointStore store, Lease lease, String fingerprint, @Nullable SavedThread saved) {
    this.store = store;
    this.lease = lease;
    this.fingerprint = fingerprint;
    if (saved != null) {
      this.head = saved.checkpoint().id();
      saved.notes().forEach(this::remember);
    }
  }

  private void remember(TaskNote note) {
    if (note instanceof TaskNote.Ended end) {
      ended.put(end.task(), end);
    } else if (note instanceof TaskNote.Failed failure && !failure.last()) {
      failed.merge(failure.task(), failure.attempt(), Math::max);
    } else if (note instanceof TaskNote.Forgotten) {
      ended.remove(note.task());
      failed.remove(note.task());
    }
  }

  /** Forgets what the tasks of {@code nodes} came to, so that they run again. */
  Mono<Void> forget(Collection<String> nodes) {
    List<TaskNote> forgotten = new ArrayList<>();
    ended.forEach((task, end) -> {
      if (nodes.contains(task.node())) {
        forgotten.add(new TaskNote.Forgotten(task, end.attempt()));
      }
    });
    return record(forgotten).then(Mono.fromRunnable(() -> forgotten.forEach(this::remember)));
  }

  /** The nodes whose tasks have ended in an earlier run, in no order. */
  Set<String> nodesThatEnded() {
    Set<String> nodes = new HashSet<>();
    ended.keySet().forEach(task -> nodes.add(task.node()));
    return nodes;
  }

  /** What has to be written down of {@code outcome}. */
  static TaskNote.Ended end(Completed outcome, int attempt) {
    Command said = outcome.said();
    return new TaskNote.Ended(
        outcome.task(),
        attempt,
        said.update(),
        said.goTo(),
        said.sends().isEmpty() ? List.of() : dues(said.sends()),
        said.parent());
  }

  private static List<Due> dues(List<Send> sends) {
    return sends.stream().map(send -> new Due(send.node(), send.arguments())).toList();
  }

  /** The outcome of which {@code end} was written down. */
  static Completed outcome(TaskNote.Ended end) {
    return new Completed(
        end.task(),
        new Command(
            end.update(),
            end.goTo(),
            end.sends().stream()
                .map(due -> Send.to(due.node(), Objects.requireNonNull(due.arguments())))
                .toList(),
            end.toParent()));
  }

  /** What {@code task} came to in an earlier run; null if it has to run. */
  TaskNote.@Nullable Ended endOf(Task task) {
    return ended.get(task);
  }

  /**
   * The attempt with which {@code task} begins in this run, from 1. That one failed is written down
   * before the next one starts, so where one failed another was at work when the run ended.
   */
  int firstAttemptOf(Task task) {
    Integer known = failed.get(task);
    return known == null ? 1 : known + 2;
  }

  /** The name that the next checkpoint will have. */
  CheckpointId nextId() {
    return CheckpointId.after(head, lease.fence());
  }

  Mono<Void> record(List<TaskNote> notes) {
    CheckpointId at = head;
    return at == null || notes.isEmpty() ? Mono.empty() : Mono.from(store.record(lease, at, notes));
  }

  /** The next checkpoint of the line of steps. */
  Commit next(Cause cause, Instant time, Committed committed, List<Credit> credits) {
    return next(head, cause, time, committed, credits, List.of());
  }

  /** A checkpoint that changes the state between two steps: what has ended stays so. */
  Commit between(Cause cause, Instant time, Committed changed) {
    return next(head, cause, time, changed, List.of(), carriedOver(changed.position()));
  }

  /** A checkpoint that grows out of {@code parent}, wherever the head is. */
  Commit branch(CheckpointId parent, Cause cause, Instant time, Committed forked) {
    return next(parent, cause, time, forked, List.of(), List.of());
  }

  private Commit next(
      @Nullable CheckpointId parent,
      Cause cause,
      Instant time,
      Committed committed,
      List<Credit> credits,
      List<TaskNote> notes) {
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
        notes);
  }

  /**
   * What the tasks that are due at {@code position} have come to, under the names they have there.
   */
  private List<TaskNote> carriedOver(Position position) {
    List<TaskNote> notes = new ArrayList<>();
    for (Task task : Superstep.tasks(position)) {
      ended.forEach((before, end) -> {
        if (before.index() == task.index() && before.node().equals(task.node())) {
          notes.add(new TaskNote.Ended(
              task, end.attempt(), end.update(), end.goTo(), end.sends(), end.toParent()));
        }
      });
    }
    return notes;
  }

  /** Writes a checkpoint; the journal goes on from it once {@link #moved} is called. */
  Mono<Void> write(Commit commit) {
    return Mono.from(store.commit(lease, commit));
  }

  /** Takes notice that {@code commit} was written. */
  void moved(Commit commit) {
    head = commit.id();
    ended.clear();
    failed.clear();
  }
}
