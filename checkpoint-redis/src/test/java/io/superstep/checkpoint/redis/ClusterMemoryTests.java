package io.superstep.checkpoint.redis;

/** The same on three nodes. */
class ClusterMemoryTests extends RedisMemoryTests {

  @Override
  RedisSpace.Builder space() {
    return RedisSpace.builder(RedisServers.cluster());
  }
}
