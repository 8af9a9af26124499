package io.superstep.checkpoint.redis;

/** The same on three nodes. */
class ClusterEventLogTests extends RedisEventLogTests {

  @Override
  RedisSpace.Builder space() {
    return RedisSpace.builder(RedisServers.cluster());
  }
}
