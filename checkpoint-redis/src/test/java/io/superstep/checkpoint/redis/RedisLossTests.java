package io.superstep.checkpoint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.superstep.checkpoint.Lease;
import io.superstep.event.EventLogConflictException;
import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import redis.embedded.RedisServer;

/** Data that Redis had confirmed and has lost. */
class RedisLossTests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RedisServer server =
      RedisServers.started(RedisServers.newServer(RedisServers.freePort()));
  private final RedisClient client =
      RedisClient.create(RedisServers.uri(RedisServers.portOf(server)));
  private final StatefulRedisConnection<String, String> connection = client.connect();
  private final RedisSpace space = RedisSpace.of(client);
  private final RedisCheckpointStore store = RedisCheckpointStore.of(space);

  @AfterEach
  void close() {
    space.close();
    connection.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    RedisServers.stop(server);
  }

  @ParameterizedTest(name = "with an event log: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("SG-457 FLUSHALL during a run")
  void flushed(boolean withEvents) {
    Graph graph = Chains.chain((node, context) ->
        node.equals("b") ? connection.reactive().flushall().then() : Mono.empty());
    GraphRunner.Builder runner = GraphRunner.builder(graph).checkpoints(store);
    if (withEvents) {
      runner.events(RedisEventLog.of(space));
    }

    HeadWentBackException failed = catchThrowableOfType(
        HeadWentBackException.class,
        () -> runner.build().thread("t").run(Update.NOTHING).block(PATIENCE));

    assertThat(failed).isNotNull();
    assertThat(failed.code()).isEqualTo("SG-457");
  }

  @Test
  @DisplayName("SG-457 a lease that is renewed after FLUSHALL")
  void renewed() {
    Lease lease = store.acquire("t", "ada", PATIENCE).block(PATIENCE);
    connection.sync().flushall();

    HeadWentBackException failed = catchThrowableOfType(
        HeadWentBackException.class, () -> store.renew(lease, PATIENCE).block(PATIENCE));

    assertThat(failed).isNotNull();
  }

  @Test
  @DisplayName("SG-423 still names another writer")
  void anotherWriter() {
    RedisEventLog log = RedisEventLog.of(space);
    log.open("t", 1).block(PATIENCE);
    log.open("t", 2).block(PATIENCE);

    assertThat(catchThrowableOfType(
                EventLogConflictException.class, () -> log.open("t", 1).block(PATIENCE))
            .code())
        .isEqualTo("SG-423");
  }
}
