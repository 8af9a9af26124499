package io.superstep.checkpoint.redis;

import io.lettuce.core.RedisClient;
import java.time.Duration;

/**
 * The server that the environment variable {@value #VARIABLE} names, as {@code redis://host:port}.
 * Contract tests run against it in addition to the embedded server.
 */
final class GivenServer {

  static final String VARIABLE = "SUPERSTEP_TEST_REDIS";

  private GivenServer() {}

  private static final class Holder {

    static final RedisClient CLIENT = connected();

    private static RedisClient connected() {
      RedisClient client = RedisClient.create(System.getenv(VARIABLE));
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1))));
      return client;
    }
  }

  static RedisSpace.Builder space() {
    return RedisSpace.builder(Holder.CLIENT);
  }
}
