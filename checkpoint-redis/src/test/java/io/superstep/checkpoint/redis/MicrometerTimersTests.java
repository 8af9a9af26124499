package io.superstep.checkpoint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.superstep.checkpoint.redis.micrometer.MicrometerTimers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MicrometerTimersTests {

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
}
