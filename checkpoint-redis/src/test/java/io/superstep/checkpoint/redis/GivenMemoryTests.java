package io.superstep.checkpoint.redis;

import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The contract on the {@link GivenServer}. */
@EnabledIfEnvironmentVariable(named = GivenServer.VARIABLE, matches = ".+")
class GivenMemoryTests extends RedisMemoryTests {

  @Override
  RedisSpace.Builder space() {
    return GivenServer.space();
  }
}
