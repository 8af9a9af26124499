package io.superstep.checkpoint.redis;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.memory.MemoryQuery;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.RunOptions;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
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
        .defaults(RunOptions.NONE.steps(1_000_000).iterations(1_000_000))
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

  @Test
  @DisplayName("E21 an outcome that is recorded on its own is one call")
  void callsPerOutcome() {
    GraphBuilder wide = Graph.builder("wide").channels(LOG);
    for (int number = 0; number < 40; number++) {
      String node = "node" + number;
      wide.compute(node, state -> Update.append(LOG, node)).sequence(START, node, END);
    }
    GraphThread thread = thread(wide.build());
    thread.run(Update.NOTHING).block(PATIENCE);
    long before = scripts();

    thread.run(Update.NOTHING).block(PATIENCE);

    assertThat(scripts() - before).isLessThanOrEqualTo(40L + 12);
  }

  private static GraphEvent fact(long number) {
    return new GraphEvent.RunResumed(new Moment("", 0, Instant.EPOCH), number);
  }

  @Test
  @DisplayName("X.19 a follower reads from Redis what it is asked for, and a page ahead")
  void callsPerDemand() {
    RedisEventLog log = RedisEventLog.of(space);
    log.open("t", 1).block(PATIENCE);
    log.append(
            "t",
            1,
            LongStream.rangeClosed(1, 5_000).mapToObj(RedisCostTests::fact).toList(),
            Schemas.NONE)
        .block(PATIENCE);
    long before = scripts();

    StepVerifier.create(log.follow("t", 0, Chunks.NONE, Schemas.NONE), 1)
        .expectNextCount(1)
        .thenRequest(400)
        .expectNextCount(400)
        .thenCancel()
        .verify(PATIENCE);

    assertThat(scripts() - before).as("of 20 pages").isLessThanOrEqualTo(8);
  }

  @Test
  @DisplayName("X.19 who begins to follow a thread wakes none of those who do")
  void callsPerFollower() {
    RedisEventLog log = RedisEventLog.of(space);
    log.open("t", 1).block(PATIENCE);
    long before = scripts();
    List<Mono<GraphEvent>> followers = new ArrayList<>();
    for (int number = 1; number <= 40; number++) {
      Mono<GraphEvent> follower =
          log.follow("t", 0, Chunks.NONE, Schemas.NONE).next().cache();
      followers.add(follower);
      follower.subscribe();
      awaitScripts(before + 2L * number);
    }

    log.append("t", 1, List.of(fact(1)), Schemas.NONE).block(PATIENCE);

    assertThat(Flux.merge(Flux.fromIterable(followers), 40).collectList().block(PATIENCE))
        .hasSize(40);
    assertThat(scripts() - before).isLessThanOrEqualTo(40 * 6);
  }

  private void awaitScripts(long count) {
    Mono.fromCallable(this::scripts)
        .subscribeOn(Schedulers.boundedElastic())
        .filter(calls -> calls >= count)
        .repeatWhenEmpty(looks -> looks.delayElements(Duration.ofMillis(10)))
        .block(PATIENCE);
  }

  @Test
  @DisplayName("nothing that is done to threads walks over all keys")
  void noScans() {
    Graph talking = talk();
    RedisCheckpointStore store = RedisCheckpointStore.builder(space)
        .retention(Retention.last(20))
        .ttl(Duration.ofDays(1))
        .build();
    GraphRunner runner = GraphRunner.builder(talking)
        .defaults(RunOptions.NONE.steps(1_000_000).iterations(1_000_000))
        .checkpoints(store)
        .events(RedisEventLog.builder(space).maxFacts(100).build())
        .memory(RedisMemory.of(space))
        .build();
    GraphThread thread = runner.thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);
    thread.queue(Update.NOTHING, "ada").block(PATIENCE);
    runner.recover().blockLast(PATIENCE);
    store.threads(EnumSet.allOf(ThreadStatus.class)).blockLast(PATIENCE);
    thread.history().blockLast(PATIENCE);
    RedisMemory.of(space).search(MemoryQuery.ALL).blockLast(PATIENCE);
    runner.close(PATIENCE).blockLast(PATIENCE);
    thread.prune(Retention.last(1)).block(PATIENCE);
    thread.delete().block(PATIENCE);

    assertThat(redis.sync().info("commandstats"))
        .contains("cmdstat_evalsha")
        .doesNotContainPattern("cmdstat_(keys|[hsz]?scan|randomkey|dbsize|sort)");
  }

  @Test
  @DisplayName("10,000 threads that wait cost their keys, and no connection or timer")
  void idleThreads() {
    TimelessScheduler scheduler = new TimelessScheduler();
    RedisSpace own = RedisSpace.builder(client).scheduler(scheduler).build();
    GraphRunner runner = GraphRunner.builder(Chains.approval(node -> {}))
        .checkpoints(RedisCheckpointStore.of(own))
        .build();
    runner.thread("first").run(Update.NOTHING).block(PATIENCE);
    long keys = redis.sync().dbsize();
    long index = redis.sync().keys("superstep:{index}:*").size();
    long connections = info("connected_clients:(\\d+)");

    Flux.range(0, 10_000)
        .flatMap(number -> runner.thread("t" + number).run(Update.NOTHING), 64)
        .blockLast(PATIENCE);

    assertThat(redis.sync().dbsize()).isEqualTo(index + 10_001 * (keys - index));
    assertThat(info("connected_clients:(\\d+)")).isEqualTo(connections);
    assertThat(scheduler.waiting()).isZero();
    own.close();
    scheduler.dispose();
  }
}
