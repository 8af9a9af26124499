package io.superstep.checkpoint.redis;

import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import redis.embedded.RedisSentinel;
import redis.embedded.RedisServer;

class SentinelTests {

  private static final Duration PATIENCE = Duration.ofSeconds(100);

  @Test
  @DisplayName("S2.32 a run goes on where a replica was promoted, with all that it had confirmed")
  void failover() throws IOException {
    RedisServer primary = RedisServers.started(RedisServers.newServer(RedisServers.freePort()));
    RedisServer replica = RedisServers.startedReplica(RedisServers.portOf(primary));
    int port = RedisServers.freePort();
    RedisSentinel sentinel = RedisServers.startedSentinel(port, "m1", RedisServers.portOf(primary));
    ClientResources eager = ClientResources.builder()
        .reconnectDelay(Delay.constant(Duration.ofMillis(100)))
        .build();
    RedisClient client = RedisClient.create(eager, "redis-sentinel://127.0.0.1:" + port + "#m1");
    try (RedisSpace space = RedisSpace.builder(client)
        .replicas(1)
        .timeout(Duration.ofSeconds(10))
        .scheduler(Schedulers.boundedElastic()) // a node of this test blocks
        .build()) {
      GraphThread thread = GraphRunner.builder(Chains.chain(node -> {
            if (node.equals("b")) {
              RedisServers.stop(primary);
            }
          }))
          .checkpoints(RedisCheckpointStore.of(space))
          .build()
          .thread("t");

      // the promoted replica has none of its own, so the commit behind b is not confirmed
      assertThat(thread
              .run(Update.NOTHING)
              .map(Object::toString)
              .onErrorResume(NotReplicatedException.class, late -> Mono.just(late.code()))
              .block(PATIENCE))
          .isEqualTo("SG-460");
      assertThat(thread.state().block(PATIENCE).position().state().get(LOG))
          .containsExactly("a", "b");
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
      eager.shutdown(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
      sentinel.stop();
      RedisServers.stop(replica);
    }
  }
}
