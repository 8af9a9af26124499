package io.superstep.testkit;

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
import org.reactivestreams.Publisher;

/** A store that passes its calls on to another, for tests that change what comes of some. */
public abstract class StoreAround implements CheckpointStore {

  private final CheckpointStore store;

  protected StoreAround(CheckpointStore store) {
    this.store = store;
  }

  /** What comes of {@code call}, which was not subscribed to yet. */
  protected <T> Publisher<T> around(Publisher<T> call) {
    return call;
  }

  @Override
  public void requireStorable(Schemas schemas) {
    store.requireStorable(schemas);
  }

  @Override
  public Publisher<Lease> acquire(String thread, String owner, Duration time) {
    return around(store.acquire(thread, owner, time));
  }

  @Override
  public Publisher<Lease> renew(Lease lease, Duration time) {
    return around(store.renew(lease, time));
  }

  @Override
  public Publisher<Boolean> release(Lease lease, Release how) {
    return around(store.release(lease, how));
  }

  @Override
  public Publisher<Boolean> requestResume(String thread) {
    return around(store.requestResume(thread));
  }

  @Override
  public Publisher<SavedThread> load(String thread, Schemas schemas) {
    return around(store.load(thread, schemas));
  }

  @Override
  public Publisher<SavedThread> load(String thread, CheckpointId id, Schemas schemas) {
    return around(store.load(thread, id, schemas));
  }

  @Override
  public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
    return around(store.commit(lease, commit, schemas));
  }

  @Override
  public Publisher<Void> record(
      Lease lease, CheckpointId head, List<TaskNote> notes, Schemas schemas) {
    return around(store.record(lease, head, notes, schemas));
  }

  @Override
  public Publisher<Void> answer(
      String thread, CheckpointId head, TaskNote.Answered answer, Schemas schemas) {
    return around(store.answer(thread, head, answer, schemas));
  }

  @Override
  public Publisher<Void> enqueue(String thread, QueuedInput input, Schemas schemas) {
    return around(store.enqueue(thread, input, schemas));
  }

  @Override
  public Publisher<QueuedInput> queue(String thread, Schemas schemas) {
    return around(store.queue(thread, schemas));
  }

  @Override
  public Publisher<Checkpoint> history(String thread, HistoryFilter filter, Schemas schemas) {
    return around(store.history(thread, filter, schemas));
  }

  @Override
  public Publisher<ThreadSummary> threads(Set<ThreadStatus> statuses) {
    return around(store.threads(statuses));
  }

  @Override
  public Publisher<RawRecord> export(String thread) {
    return around(store.export(thread));
  }

  @Override
  public Publisher<Boolean> delete(String thread, CheckpointId id, boolean cascade) {
    return around(store.delete(thread, id, cascade));
  }

  @Override
  public Publisher<Long> delete(String thread) {
    return around(store.delete(thread));
  }

  @Override
  public Publisher<Long> prune(String thread, Retention retention, Instant now) {
    return around(store.prune(thread, retention, now));
  }
}
