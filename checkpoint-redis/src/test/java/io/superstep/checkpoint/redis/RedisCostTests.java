package io.superstep.checkpoint.redis;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.superstep.checkpoint.SavedThread;
import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.RunOptions;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

/** What a thread costs, as a server tells that does nothing else. */
class RedisCostTests {

  private static final Duration PATIENCE = Duration.ofSeconds(50);
  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<Integer> COUNT =
      Channel.value("count", Integer.class).startingAt(0);

  private RedisServer server;
  private RedisClient client;
  private RedisSpace space;
  private StatefulRedisConnection<String, String> redis;

  @BeforeEach
  void start() {
    server = RedisServers.started(RedisServers.newServer(RedisServers.freePort()));
    client = RedisClient.create(RedisServers.uri(RedisServers.portOf(server)));
    space = RedisSpace.of(client);
    redis = client.connect();
  }

  @AfterEach
  void stop() {
    redis.close();
    space.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    RedisServers.stop(server);
  }

  private long info(String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(redis.sync().info("all"));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  private long received() {
    return info("total_net_input_bytes:(\\d+)");
  }

  private long scripts() {
    return info("cmdstat_evalsha:calls=(\\d+)") + info("cmdstat_eval:calls=(\\d+)");
  }

  private GraphThread thread(Graph graph) {
    return GraphRunner.builder(graph)
        .defaults(RunOptions.DEFAULT.steps(1_000_000).iterations(1_000_000))
        .checkpoints(RedisCheckpointStore.of(space))
        .build()
        .thread("t");
  }

  /** Appends a message in each step, up to the next multiple of 500. */
  private static Graph talk() {
    return Graph.builder("talk")
        .channels(LOG, COUNT)
        .compute(
            "say", state -> Update.append(LOG, "x".repeat(100)).and(COUNT, state.get(COUNT) + 1))
        .edge(START, "say")
        .route("say", to("say", END), state -> state.get(COUNT) % 500 == 0 ? END : "say")
        .build();
  }

  @Test
  @DisplayName("E21 the bytes of a step do not depend on the length of the thread")
  void bytesPerStep() {
    GraphThread thread = thread(talk());
    long[] sent = new long[8];
    for (int turn = 0; turn < sent.length; turn++) {
      long before = received();
      thread.run(Update.NOTHING).block(PATIENCE);
      sent[turn] = (received() - before) / 501;
    }

    long early = (sent[0] + sent[1] + sent[2] + sent[3]) / 4;
    long late = (sent[4] + sent[5] + sent[6] + sent[7]) / 4;
    assertThat(late).as("bytes per step: %s, then %s", early, late).isLessThan(early * 3 / 2);
  }

  @Test
  @DisplayName("E21 a step of one task is one call")
  void callsPerStep() {
    GraphThread thread = thread(talk());
    thread.run(Update.NOTHING).block(PATIENCE);
    long before = scripts();

    thread.run(Update.NOTHING).block(PATIENCE);

    assertThat(scripts() - before).isBetween(501L, 501L + 12);
  }

  @Test
  @DisplayName("E21 loading takes calls by the size of the state, not by the number of steps")
  void callsToLoad() {
    Graph counting = Graph.builder("counting")
        .channels(COUNT)
        .compute("tick", state -> Update.of(COUNT, state.get(COUNT) + 1))
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> state.get(COUNT) % 4_000 == 0 ? END : "tick")
        .build();
    GraphThread thread = thread(counting);
    thread.run(Update.NOTHING).block(PATIENCE);
    long calls = scripts();
    long bytes = info("total_net_output_bytes:(\\d+)");

    SavedThread saved = thread.state().block(PATIENCE);

    assertThat(saved.position().state().get(COUNT)).isEqualTo(4_000);
    assertThat(scripts() - calls).isEqualTo(1);
    assertThat(info("total_net_output_bytes:(\\d+)") - bytes).isLessThan(200_000);
    assertThat(redis.sync().keys("superstep:{t:*").size()).isLessThanOrEqualTo(7);
  }
}
