package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.TaskNote;
import io.superstep.state.Schemas;
import java.util.List;
import reactor.core.publisher.Mono;

/** Writes at once, and lets the run go on when that is done. */
record DirectWriter(CheckpointStore store, Schemas schemas, Hold hold) implements LogWriter {

  @Override
  public Mono<Void> commit(Commit commit) {
    Mono<Void> written;
    try {
      written = Mono.from(store.commit(hold.lease(), commit, schemas));
    } catch (Throwable failure) {
      return Mono.error(CarriedError.wrap(failure));
    }
    return commit.memories().isEmpty()
        ? written
        : written.then(
            Mono.defer(() -> hold.remembered(commit.outbox(hold.lease().thread()))));
  }

  @Override
  public Mono<Void> record(CheckpointId head, List<TaskNote> notes) {
    try {
      return Mono.from(store.record(hold.lease(), head, notes, schemas));
    } catch (Throwable failure) {
      return Mono.error(CarriedError.wrap(failure));
    }
  }

  @Override
  public Mono<Void> force(CheckpointId head, List<TaskNote> notes) {
    return record(head, notes);
  }

  @Override
  public Mono<Void> flush() {
    return Mono.empty();
  }

  @Override
  public boolean isSafe() {
    return true;
  }

  @Override
  public void reportTo(SuperstepLoop loop) {
    // whoever waits is told
  }
}
