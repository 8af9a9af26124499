package io.superstep.checkpoint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.superstep.checkpoint.redis.micrometer.MicrometerTimers;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MicrometerTimersTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void eachCallIsTimedByItsEnd() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    MicrometerTimers timers = new MicrometerTimers(registry);

    timers.took(RedisCall.COMMIT, Duration.ofMillis(3), null);
    timers.took(RedisCall.COMMIT, Duration.ofMillis(5), null);
    timers.took(RedisCall.LOAD, Duration.ofMillis(1), new EntryTooLargeException("It", "t", 2, 1));

    Timer commits =
        registry.get("superstep.redis").tags("call", "commit", "error", "none").timer();
    assertThat(commits.count()).isEqualTo(2);
    assertThat(commits.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(8);
    assertThat(registry
            .get("superstep.redis")
            .tags("call", "load", "error", "SG-458")
            .timer()
            .count())
        .isEqualTo(1);
  }

  @Test
  void commitsLoadsAndAttachesOfARunAreTimed() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (RedisSpace space = RedisSpace.builder(RedisServers.standalone())
        .prefix(RedisServers.newPrefix())
        .observer(new MicrometerTimers(registry))
        .build()) {
      GraphThread thread = GraphRunner.builder(Chains.approval(node -> {}))
          .checkpoints(RedisCheckpointStore.of(space))
          .events(RedisEventLog.of(space))
          .build()
          .thread("t");
      thread.run(Update.NOTHING).block(PATIENCE);
      thread.attach(0).blockFirst(PATIENCE);
    }

    for (String call : List.of("commit", "record", "load", "attach")) {
      Timer timer =
          registry.get("superstep.redis").tags("call", call, "error", "none").timer();
      assertThat(timer.count()).as(call).isPositive();
      assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).as(call).isPositive();
    }
  }
}
