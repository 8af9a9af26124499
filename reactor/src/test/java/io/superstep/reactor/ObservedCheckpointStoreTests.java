package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.testkit.CheckpointStoreContract;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;

/** A store whose calls are observed keeps the contract. */
class ObservedCheckpointStoreTests extends CheckpointStoreContract {

  private final MovingClock clock = new MovingClock(Instant.EPOCH);

  @Override
  protected CheckpointStore store() {
    return new ObservedCheckpointStore(
        InMemoryCheckpointStore.builder().clock(clock).build(),
        new ObservedCalls(new RecordingObserver(), "checkpoints"));
  }

  @Override
  protected void pass(Duration time) {
    clock.pass(time);
  }
}
