package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.TaskNote;
import io.superstep.state.Schemas;
import io.superstep.testkit.StoreAround;
import java.util.List;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A store that writes nothing before it is let. */
final class SlowStore extends StoreAround {

  private final Mono<Void> gate;

  SlowStore(CheckpointStore store, Mono<Void> gate) {
    super(store);
    this.gate = gate;
  }

  @Override
  public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
    return gate.then(Mono.from(super.commit(lease, commit, schemas)));
  }

  @Override
  public Publisher<Void> record(
      Lease lease, CheckpointId head, List<TaskNote> notes, Schemas schemas) {
    return gate.then(Mono.from(super.record(lease, head, notes, schemas)));
  }
}
