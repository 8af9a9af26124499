package io.superstep.checkpoint.redis;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.redis.CuttingProxy.Fate;
import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import redis.embedded.RedisServer;

/** Compacting and pruning behind a commit, when Redis has no memory left for it. */
class TidyingTests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Channel<String> TEXT = Channel.value("text", String.class);
  private static final Graph WRITER = Graph.builder("writer")
      .channels(TEXT)
      .node("first", state -> Mono.just(large(1)))
      .node("second", state -> Mono.just(large(2)))
      .node("third", state -> Mono.just(large(3)))
      .sequence(START, "first", "second", "third", END)
      .build();

  private final RedisServer server = RedisServers.started(
      RedisServers.newServer(RedisServers.freePort()).setting("maxmemory-policy noeviction"));
  private final CuttingProxy proxy = new CuttingProxy(RedisServers.portOf(server));
  private final RedisClient client = RedisClient.create(RedisServers.uri(proxy.port()));
  private final RedisSpace space = RedisSpace.of(client);
  private final RedisClient direct =
      RedisClient.create(RedisServers.uri(RedisServers.portOf(server)));
  private final StatefulRedisConnection<String, String> connection = direct.connect();
  private final RedisCommands<String, String> redis = connection.sync();
  private final AtomicInteger refused = new AtomicInteger();

  @BeforeEach
  void loadScripts() {
    redis.scriptLoad(ThreadScripts.SNAPSHOT.text());
    redis.scriptLoad(ThreadScripts.PRUNE.text());
  }

  @AfterEach
  void close() {
    space.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    proxy.close();
    connection.close();
    direct.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    RedisServers.stop(server);
  }

  private static Update large(int number) {
    return Update.of(TEXT, ("large " + number + " ").repeat(9_000));
  }

  /** Redis has no memory for this script, and enough for all others. */
  private void refuse(RedisScript script) {
    proxy.decide(command -> {
      boolean isRefused = command.equals("EVALSHA " + script.digest());
      if (isRefused) {
        refused.incrementAndGet();
      }
      redis.configSet("maxmemory", isRefused ? "1" : "0");
      return Fate.PASSES;
    });
  }

  private GraphThread thread(RedisCheckpointStore store) {
    return GraphRunner.builder(WRITER).checkpoints(store).build().thread("t");
  }

  private static void assertRuns(GraphThread thread) {
    assertThat(thread.run(Update.NOTHING).block(PATIENCE).state().get(TEXT)).startsWith("large 3");
    assertThat(thread.state().block(PATIENCE).position().state().get(TEXT)).startsWith("large 3");
  }

  @Test
  @DisplayName("a commit succeeds although its snapshot is refused, and a later one writes it")
  void snapshot() {
    GraphThread thread = thread(RedisCheckpointStore.of(space));
    String snapshot = space.keys().thread("t").get(2);
    refuse(ThreadScripts.SNAPSHOT);

    assertRuns(thread);

    assertThat(refused).hasPositiveValue();
    assertThat(redis.exists(snapshot)).isZero();
    proxy.decide(command -> Fate.PASSES);
    redis.configSet("maxmemory", "0");
    assertRuns(thread);
    assertThat(redis.exists(snapshot)).isEqualTo(1);
  }

  @Test
  @DisplayName("a commit succeeds although pruning is refused, and a later one prunes")
  void prune() {
    GraphThread thread =
        thread(RedisCheckpointStore.builder(space).retention(Retention.last(1)).build());
    refuse(ThreadScripts.PRUNE);

    assertRuns(thread);

    assertThat(refused).hasPositiveValue();
    assertThat(thread.history().count().block(PATIENCE)).isEqualTo(4);
    proxy.decide(command -> Fate.PASSES);
    redis.configSet("maxmemory", "0");
    assertRuns(thread);
    assertThat(thread.history().count().block(PATIENCE)).isLessThan(3);
  }
}
