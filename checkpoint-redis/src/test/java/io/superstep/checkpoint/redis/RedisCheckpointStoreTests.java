package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.testkit.CheckpointStoreContract;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

class RedisCheckpointStoreTests extends CheckpointStoreContract {

  private final MovingClock clock = new MovingClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final List<RedisSpace> spaces = new ArrayList<>();

  RedisSpace.Builder space() {
    return RedisSpace.builder(RedisServers.standalone());
  }

  @Override
  protected CheckpointStore store() {
    RedisSpace space = space().prefix(RedisServers.newPrefix()).build();
    spaces.add(space);
    return RedisCheckpointStore.builder(space).clock(clock).build();
  }

  @Override
  protected void pass(Duration time) {
    clock.pass(time);
  }

  @AfterEach
  void close() {
    spaces.forEach(RedisSpace::close);
  }
}
