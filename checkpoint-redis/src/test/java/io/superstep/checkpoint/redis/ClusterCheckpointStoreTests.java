package io.superstep.checkpoint.redis;

/** The same on three nodes. */
class ClusterCheckpointStoreTests extends RedisCheckpointStoreTests {

  @Override
  RedisSpace.Builder space() {
    return RedisSpace.builder(RedisServers.cluster());
  }
}
