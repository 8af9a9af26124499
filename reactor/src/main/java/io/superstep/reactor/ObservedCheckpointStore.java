package io.superstep.reactor;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.RawRecord;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.state.Schemas;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** A checkpoint store whose calls are reported to an observer. */
record ObservedCheckpointStore(CheckpointStore store, ObservedCalls calls)
    implements CheckpointStore {

  /** Returns {@code store} itself if there is no observer. */
  static @Nullable CheckpointStore of(
      @Nullable CheckpointStore store, @Nullable RunObserver observer) {
    return store == null || observer == null
        ? store
        : new ObservedCheckpointStore(store, new ObservedCalls(observer, "checkpoints"));
  }

  @Override
  public void requireStorable(Schemas schemas) {
    store.requireStorable(schemas);
  }

  @Override
  public Publisher<Lease> acquire(String thread, String owner, Duration time) {
    return calls.mono("acquire", thread, store.acquire(thread, owner, time));
  }

  @Override
  public Publisher<Lease> renew(Lease lease, Duration time) {
    return calls.mono("renew", lease.thread(), store.renew(lease, time));
  }

  @Override
  public Publisher<Boolean> release(Lease lease, Release how) {
    return calls.mono("release", lease.thread(), store.release(lease, how));
  }

  @Override
  public Publisher<Boolean> requestResume(String thread) {
    return calls.mono("requestResume", thread, store.requestResume(thread));
  }

  @Override
  public Publisher<SavedThread> load(String thread, Schemas schemas) {
    return calls.mono("load", thread, store.load(thread, schemas));
  }

  @Override
  public Publisher<SavedThread> load(String thread, CheckpointId id, Schemas schemas) {
    return calls.mono("load", thread, store.load(thread, id, schemas));
  }

  @Override
  public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
    return calls.mono("commit", lease.thread(), store.commit(lease, commit, schemas));
  }

  @Override
  public Publisher<Void> record(
      Lease lease, CheckpointId head, List<TaskNote> notes, Schemas schemas) {
    return calls.mono("record", lease.thread(), store.record(lease, head, notes, schemas));
  }

  @Override
  public Publisher<Void> answer(
      String thread, CheckpointId head, TaskNote.Answered answer, Schemas schemas) {
    return calls.mono("answer", thread, store.answer(thread, head, answer, schemas));
  }

  @Override
  public Publisher<Void> enqueue(String thread, QueuedInput input, Schemas schemas) {
    return calls.mono("enqueue", thread, store.enqueue(thread, input, schemas));
  }

  @Override
  public Publisher<QueuedInput> queue(String thread, Schemas schemas) {
    return calls.flux("queue", thread, store.queue(thread, schemas));
  }

  @Override
  public Publisher<Checkpoint> history(String thread, HistoryFilter filter, Schemas schemas) {
    return calls.flux("history", thread, store.history(thread, filter, schemas));
  }

  @Override
  public Publisher<ThreadSummary> threads(Set<ThreadStatus> statuses) {
    return calls.flux("threads", null, store.threads(statuses));
  }

  @Override
  public Publisher<RawRecord> export(String thread) {
    return calls.flux("export", thread, store.export(thread));
  }

  @Override
  public Publisher<Boolean> delete(String thread, CheckpointId id, boolean cascade) {
    return calls.mono("delete", thread, store.delete(thread, id, cascade));
  }

  @Override
  public Publisher<Long> delete(String thread) {
    return calls.mono("delete", thread, store.delete(thread));
  }

  @Override
  public Publisher<Long> prune(String thread, Retention retention, Instant now) {
    return calls.mono("prune", thread, store.prune(thread, retention, now));
  }
}
