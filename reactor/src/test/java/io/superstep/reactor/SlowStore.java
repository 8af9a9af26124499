package io.superstep.reactor;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.state.StateSchema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A store that writes nothing before it is let. */
record SlowStore(CheckpointStore store, Mono<Void> gate) implements CheckpointStore {

  @Override
  public Publisher<Void> commit(Lease lease, Commit commit) {
    return gate.then(Mono.from(store.commit(lease, commit)));
  }

  @Override
  public Publisher<Void> record(Lease lease, CheckpointId head, List<TaskNote> notes) {
    return gate.then(Mono.from(store.record(lease, head, notes)));
  }

  @Override
  public Publisher<Lease> acquire(String thread, String owner, Duration time) {
    return store.acquire(thread, owner, time);
  }

  @Override
  public Publisher<Lease> renew(Lease lease, Duration time) {
    return store.renew(lease, time);
  }

  @Override
  public Publisher<Void> release(Lease lease) {
    return store.release(lease);
  }

  @Override
  public Publisher<SavedThread> load(String thread, StateSchema schema) {
    return store.load(thread, schema);
  }

  @Override
  public Publisher<SavedThread> load(String thread, CheckpointId id, StateSchema schema) {
    return store.load(thread, id, schema);
  }

  @Override
  public Publisher<Checkpoint> history(String thread, HistoryFilter filter) {
    return store.history(thread, filter);
  }

  @Override
  public Publisher<ThreadSummary> threads(Set<ThreadStatus> statuses) {
    return store.threads(statuses);
  }

  @Override
  public Publisher<Boolean> delete(String thread, CheckpointId id, boolean cascade) {
    return store.delete(thread, id, cascade);
  }

  @Override
  public Publisher<Long> delete(String thread) {
    return store.delete(thread);
  }

  @Override
  public Publisher<Long> prune(String thread, Retention retention, Instant now) {
    return store.prune(thread, retention, now);
  }
}
