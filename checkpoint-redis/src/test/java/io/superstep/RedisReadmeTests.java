package io.superstep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.superstep.checkpoint.redis.RedisCheckpointStore;
import io.superstep.checkpoint.redis.RedisSpace;
import io.superstep.checkpoint.redis.RedisUnavailableException;
import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

/** The code of the README about Redis, as it stands there but for where Redis is. */
class RedisReadmeTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ListChannel<String> MESSAGES = Channel.list("messages", String.class);

  private static Graph debate() {
    return Graph.builder("debate")
        .channels(MESSAGES)
        .compute("optimist", state -> Update.append(MESSAGES, "Yes."))
        .sequence(Graph.START, "optimist", Graph.END)
        .build();
  }

  @Test
  void theThreadRunsAsWritten() {
    Graph debate = debate();

    // spotless:off
    RedisSpace redis = RedisSpace.of(RedisClient.create("redis://localhost"));
    GraphRunner shared = GraphRunner.builder(debate).checkpoints(RedisCheckpointStore.of(redis)).build();
    GraphThread anywhere = shared.thread("thread-1");
    // spotless:on

    assertThat(anywhere.id()).isEqualTo("thread-1");
    redis.close();
  }

  @Test
  void theSameRunsWhereThereIsARedis() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    RedisServer server = RedisServer.newRedisServer()
        .port(port)
        .setting("bind 127.0.0.1")
        .setting("save \"\"")
        .build();
    RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
    try (RedisSpace redis = RedisSpace.of(client)) {
      GraphThread thread = GraphRunner.builder(debate())
          .checkpoints(RedisCheckpointStore.of(redis))
          .build()
          .thread("thread-1");
      assertThatThrownBy(() -> thread.run(Update.NOTHING).block(PATIENCE))
          .isInstanceOf(RedisUnavailableException.class);

      server.start();

      assertThat(thread.run(Update.NOTHING).block(PATIENCE).state().get(MESSAGES))
          .containsExactly("Yes.");
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
      server.stop();
    }
  }
}
