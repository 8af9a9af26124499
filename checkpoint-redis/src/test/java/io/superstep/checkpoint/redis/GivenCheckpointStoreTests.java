package io.superstep.checkpoint.redis;

import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The same on a server that {@code SUPERSTEP_TEST_REDIS} names, as {@code redis://host:port}. */
@EnabledIfEnvironmentVariable(named = "SUPERSTEP_TEST_REDIS", matches = ".+")
class GivenCheckpointStoreTests extends RedisCheckpointStoreTests {

  private static RedisClient client;

  @BeforeAll
  static void connect() {
    client = RedisClient.create(System.getenv("SUPERSTEP_TEST_REDIS"));
  }

  @AfterAll
  static void disconnect() {
    client.shutdown();
  }

  @Override
  RedisSpace.Builder space() {
    return RedisSpace.builder(client);
  }
}
