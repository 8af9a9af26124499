package io.superstep.checkpoint.redis;

import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.redis.CuttingProxy.Fate;
import io.superstep.error.SuperstepException;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.RunResult;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import io.superstep.testkit.MovingClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/** What goes wrong with Redis, as whoever runs a graph hears of it. */
class RedisErrorsTests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (int last = open.size() - 1; last >= 0; last--) {
      open.get(last).close();
    }
  }

  private RedisClient client(int port) {
    RedisClient client = RedisClient.create(RedisServers.uri(port));
    open.add(client::shutdown);
    return client;
  }

  private RedisSpace space(RedisClient client, String prefix, Duration timeout) {
    RedisSpace space =
        RedisSpace.builder(client).prefix(prefix).timeout(timeout).build();
    open.add(space);
    return space;
  }

  private GraphThread thread(RedisClient client, String prefix, Function<String, Runnable> nodes) {
    RedisSpace space = RedisSpace.builder(client)
        .prefix(prefix)
        .timeout(Duration.ofSeconds(2))
        .scheduler(Schedulers.boundedElastic()) // nodes of these tests block
        .build();
    open.add(space);
    return GraphRunner.builder(Chains.chain(node -> nodes.apply(node).run()))
        .checkpoints(RedisCheckpointStore.of(space))
        .build()
        .thread("t");
  }

  private GraphThread thread(int port, String prefix) {
    return thread(client(port), prefix, node -> () -> {});
  }

  private static String failure(GraphThread thread) {
    SuperstepException failed = catchThrowableOfType(
        SuperstepException.class, () -> thread.run(Update.NOTHING).block(PATIENCE));
    assertThat(failed).isNotNull();
    assertThat(failed.problems())
        .allSatisfy(problem -> assertThat(problem.fix()).isNotBlank());
    return failed.code();
  }

  private RedisServer server(String... settings) {
    var builder = RedisServers.newServer(RedisServers.freePort());
    for (String setting : settings) {
      builder.setting(setting);
    }
    RedisServer server = RedisServers.started(builder);
    open.add(() -> RedisServers.stop(server));
    return server;
  }

  @Test
  @DisplayName("SG-451 Redis is not there when a run starts")
  void downAtStart() {
    assertThat(failure(thread(RedisServers.freePort(), "p"))).isEqualTo("SG-451");
  }

  @Test
  @DisplayName("SG-451 SG-452 Redis goes down in the middle, and the run resumes when it is back")
  void downInTheMiddle() throws Exception {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    String prefix = RedisServers.newPrefix();
    RedisClient client = client(proxy.port());
    GraphThread thread = thread(client, prefix, node -> () -> {
      if (node.equals("b")) {
        proxy.decide(command -> Fate.NEVER_ARRIVES);
        proxy.cut();
      }
    });

    assertThat(failure(thread)).isIn("SG-451", "SG-452");
    proxy.decide(command -> Fate.PASSES);

    GraphThread again = thread(RedisServers.standalonePort(), prefix);
    assertThat(again.state().block(PATIENCE).position().state().get(LOG)).containsExactly("a");
  }

  @Test
  @DisplayName(
      "SG-451 Redis is stopped in the middle, and the run goes on when it was started again")
  void backAgain(@TempDir Path directory) {
    int port = RedisServers.freePort();
    RedisServer first = RedisServers.started(durable(port, directory));
    List<String> ran = Collections.synchronizedList(new ArrayList<>());
    MovingClock clock = new MovingClock(Instant.parse("2026-01-01T00:00:00Z"));
    ClientResources resources = ClientResources.builder()
        .reconnectDelay(Delay.constant(Duration.ofMillis(100)))
        .build();
    open.add(() -> resources.shutdown().get());
    RedisClient client = RedisClient.create(resources, RedisServers.uri(port));
    open.add(client::shutdown);
    RedisSpace space = RedisSpace.builder(client)
        .prefix("p")
        .timeout(Duration.ofSeconds(2))
        .scheduler(Schedulers.boundedElastic()) // a node stops the server
        .build();
    open.add(space);
    GraphThread thread = GraphRunner.builder(Chains.chain(node -> {
          ran.add(node);
          if (node.equals("b") && ran.size() == 2) {
            RedisServers.stop(first);
          }
        }))
        .clock(clock)
        .checkpoints(RedisCheckpointStore.builder(space).clock(clock).build())
        .build()
        .thread("t");
    assertThat(failure(thread)).isEqualTo("SG-451");

    RedisServer second = RedisServers.started(durable(port, directory));
    open.add(() -> RedisServers.stop(second));
    clock.pass(Duration.ofMinutes(1)); // the lease could not be given back

    assertThat(RunResult.of(thread.resume()).block(PATIENCE).state().get(LOG))
        .containsExactly("a", "b", "c");
    assertThat(ran).containsExactly("a", "b", "b", "c");
  }

  private static RedisServerBuilder durable(int port, Path directory) {
    return RedisServer.newRedisServer()
        .port(port)
        .setting("bind 127.0.0.1")
        .setting("dir " + directory)
        .setting("appendonly yes")
        .setting("appendfsync always");
  }

  @Test
  @DisplayName("SG-452 Redis takes connections and says nothing")
  void silent() {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    proxy.decide(command -> Fate.HANGS);
    GraphThread thread = thread(client(proxy.port()), RedisServers.newPrefix(), node -> () -> {});

    assertThat(failure(thread)).isEqualTo("SG-452");

    proxy.decide(command -> Fate.PASSES);
    assertThat(thread.run(Update.NOTHING).block(PATIENCE).state().get(LOG))
        .containsExactly("a", "b", "c");
  }

  @Test
  @DisplayName("a server that hangs up on who connects is asked again")
  void hungUpOn() {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    AtomicBoolean once = new AtomicBoolean(true);
    proxy.decide(command -> once.getAndSet(false) ? Fate.IS_HUNG_UP_ON : Fate.PASSES);
    GraphThread thread = thread(client(proxy.port()), RedisServers.newPrefix(), node -> () -> {});

    assertThat(thread.run(Update.NOTHING).block(PATIENCE).state().get(LOG))
        .containsExactly("a", "b", "c");
  }

  @Test
  @DisplayName("a connection that comes too late is closed")
  void lateConnections() {
    RedisServer server = server();
    int port = RedisServers.portOf(server);
    CuttingProxy proxy = new CuttingProxy(port);
    open.add(proxy);
    CountDownLatch free = new CountDownLatch(1);
    proxy.decide(command -> {
      await(free);
      return Fate.PASSES;
    });
    try (StatefulRedisConnection<String, String> redis = client(port).connect()) {
      assertThat(failure(thread(client(proxy.port()), "p", node -> () -> {}))).isEqualTo("SG-452");
      assertThat(redis.sync().clientList().lines()).hasSizeGreaterThan(1);

      free.countDown();

      Mono.defer(() -> redis.reactive().clientList())
          .filter(clients -> clients.lines().count() == 1)
          .repeatWhenEmpty(looks -> looks.delayElements(Duration.ofMillis(10)))
          .block(PATIENCE);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  @DisplayName("SG-452 Redis is slow")
  void slow() {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    GraphThread thread = thread(
        client(proxy.port()),
        RedisServers.newPrefix(),
        node ->
            () -> proxy.decide(command -> command.startsWith("EVAL") ? Fate.HANGS : Fate.PASSES));

    assertThat(failure(thread)).isEqualTo("SG-452");
  }

  @Test
  @DisplayName("SG-452 Redis is slow, and the client was told to wait for ever")
  void slowWithoutTimeouts() {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    RedisClient patient = client(proxy.port());
    patient.setOptions(ClientOptions.builder()
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .build());
    GraphThread thread = thread(
        patient,
        RedisServers.newPrefix(),
        node ->
            () -> proxy.decide(command -> command.startsWith("EVAL") ? Fate.HANGS : Fate.PASSES));

    assertThat(failure(thread)).isEqualTo("SG-452");
  }

  @Test
  @DisplayName("SG-453 Redis has no memory left, and nothing is half-written")
  void outOfMemory() {
    RedisServer server = server("maxmemory-policy noeviction");
    try (StatefulRedisConnection<String, String> redis =
        client(RedisServers.portOf(server)).connect()) {
      AtomicBoolean once = new AtomicBoolean(true);
      GraphThread thread = thread(client(RedisServers.portOf(server)), "p", node -> () -> {
        if (node.equals("b") && once.getAndSet(false)) {
          redis.sync().configSet("maxmemory", "1");
        }
      });

      assertThat(failure(thread)).isEqualTo("SG-453");
      redis.sync().configSet("maxmemory", "0");
      assertThat(RunResult.of(thread.resume()).block(PATIENCE).state().get(LOG))
          .containsExactly("a", "b", "c");
    }
  }

  @Test
  @DisplayName("SG-454 Redis is a replica")
  void readOnly() {
    RedisServer replica = RedisServers.started(RedisServers.newServer(RedisServers.freePort())
        .slaveOf("127.0.0.1", RedisServers.standalonePort()));
    open.add(() -> RedisServers.stop(replica));

    assertThat(failure(thread(RedisServers.portOf(replica), "p"))).isEqualTo("SG-454");
  }

  @Test
  @DisplayName("SG-455 a key of ours is somebody else's, whichever it is, and nothing is written")
  void wrongType() {
    try (StatefulRedisConnection<String, String> redis =
        RedisServers.standalone().connect()) {
      for (int foreign : new int[] {0, 1, 3}) { // the snapshot is only written when it is worth it
        String prefix = RedisServers.newPrefix();
        List<String> keys = new RedisKeys(prefix).thread("t");
        redis.sync().sadd(keys.get(foreign), "theirs");

        assertThat(failure(thread(RedisServers.standalonePort(), prefix))).isEqualTo("SG-455");
        assertThat(redis.sync().smembers(keys.get(foreign))).containsExactly("theirs");
        assertThat(redis.sync().exists(keys.get(1))).isEqualTo(foreign == 1 ? 1 : 0);
      }
    }
  }

  @Test
  @DisplayName("SG-456 Redis wants a password")
  void wrongPassword() {
    RedisServer server = server("requirepass secret");
    int port = RedisServers.portOf(server);
    RedisClient wrong = RedisClient.create("redis://guess@127.0.0.1:" + port);
    open.add(wrong::shutdown);

    assertThat(failure(thread(port, "p"))).isEqualTo("SG-456");
    assertThat(failure(thread(wrong, "p", node -> () -> {}))).isEqualTo("SG-456");
  }

  @Test
  @DisplayName("SG-459 Redis does not know a command")
  void refused() {
    RedisServer server = server("rename-command EVALSHA \"\"");

    assertThat(failure(thread(RedisServers.portOf(server), "p"))).isEqualTo("SG-459");
  }

  @Test
  @DisplayName("scripts that Redis has forgotten are sent again")
  void scriptsFlushed() {
    try (StatefulRedisConnection<String, String> redis =
        RedisServers.standalone().connect()) {
      GraphThread thread = thread(
          RedisServers.standalone(),
          RedisServers.newPrefix(),
          node -> () -> redis.sync().scriptFlush());

      assertThat(thread.run(Update.NOTHING).block(PATIENCE).state().get(LOG))
          .containsExactly("a", "b", "c");
    }
  }

  @Test
  @DisplayName("S2.32 what a server refuses that has just been started is asked for again")
  void loading() {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    AtomicInteger refused = new AtomicInteger();
    GraphThread thread = thread(
        client(proxy.port()),
        RedisServers.newPrefix(),
        node -> () ->
            proxy.decide(command -> command.startsWith("EVAL") && refused.incrementAndGet() % 3 != 0
                ? Fate.IS_TOO_EARLY
                : Fate.PASSES));

    assertThat(thread.run(Update.NOTHING).block(PATIENCE).state().get(LOG))
        .containsExactly("a", "b", "c");
    assertThat(refused).hasValueGreaterThan(3);
  }

  @Test
  @DisplayName("S2.32 what a cluster refuses that does not serve all slots is asked for again")
  void clusterDown(@TempDir Path directory) {
    RedisServer server = RedisServers.started(RedisServers.newServer(RedisServers.freeClusterPort())
        .setting("dir " + directory)
        .setting("cluster-enabled yes"));
    open.add(() -> RedisServers.stop(server));
    RedisClient client = client(RedisServers.portOf(server));
    try (StatefulRedisConnection<String, String> redis = client.connect()) {
      Mono<List<String>> running = GraphRunner.builder(Chains.chain(node -> {}))
          .checkpoints(RedisCheckpointStore.of(space(client, "p", PATIENCE)))
          .build()
          .thread("t")
          .run(Update.NOTHING)
          .map(result -> result.state().get(LOG))
          .cache();
      running.subscribe();
      awaitRefusal(redis, "CLUSTERDOWN");

      redis.sync().clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());

      assertThat(running.block(PATIENCE)).containsExactly("a", "b", "c");
    }
  }

  @Test
  @DisplayName("S2.32 what a cluster refuses that gives a slot away is asked for again")
  void slotsThatMove() {
    String prefix = RedisServers.newPrefix();
    int slot = SlotHash.getSlot(new RedisKeys(prefix).thread("t").get(0));
    RedisClusterClient client = RedisServers.cluster();
    try (StatefulRedisClusterConnection<String, String> cluster = client.connect()) {
      String from = client.getPartitions().getPartitionBySlot(slot).getNodeId();
      String to = client.getPartitions().stream()
          .map(RedisClusterNode::getNodeId)
          .filter(node -> !node.equals(from))
          .findFirst()
          .orElseThrow();
      RedisCommands<String, String> giving = cluster.getConnection(from).sync();
      RedisCommands<String, String> taking = cluster.getConnection(to).sync();
      RedisSpace space = RedisSpace.builder(client).prefix(prefix).build();
      open.add(space);
      Mono<List<String>> running = GraphRunner.builder(Chains.chain(node -> {}))
          .checkpoints(RedisCheckpointStore.of(space))
          .build()
          .thread("t")
          .run(Update.NOTHING)
          .map(result -> result.state().get(LOG))
          .cache();
      taking.clusterSetSlotImporting(slot, from);
      giving.clusterSetSlotMigrating(slot, to);
      try {
        running.subscribe();
        awaitRefusal(cluster.getConnection(to), "TRYAGAIN");
      } finally {
        giving.clusterSetSlotStable(slot);
        taking.clusterSetSlotStable(slot);
      }

      assertThat(running.block(PATIENCE)).containsExactly("a", "b", "c");
    }
  }

  /** Waits until a server has refused something with {@code code}. */
  private static void awaitRefusal(StatefulRedisConnection<String, String> redis, String code) {
    Mono.defer(() -> redis.reactive().info("errorstats"))
        .filter(told -> told.contains("errorstat_" + code + ":"))
        .repeatWhenEmpty(looks -> looks.delayElements(Duration.ofMillis(10)))
        .block(PATIENCE);
  }

  @Test
  @DisplayName("what is under way when a space is closed ends")
  void closed() throws InterruptedException {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    CountDownLatch underWay = new CountDownLatch(1);
    RedisSpace space = RedisSpace.builder(client(proxy.port()))
        .prefix(RedisServers.newPrefix())
        .timeout(Duration.ofDays(1))
        .build();
    RedisCheckpointStore store = RedisCheckpointStore.of(space);
    store.acquire("t", "ada", Duration.ofSeconds(30)).block(PATIENCE);
    proxy.decide(command -> {
      underWay.countDown();
      return Fate.HANGS;
    });
    Mono<Lease> waiting = store.acquire("u", "ada", Duration.ofSeconds(30)).cache();
    waiting.subscribe(any -> {}, failure -> {});
    underWay.await();

    space.close();

    assertThatThrownBy(() -> waiting.block(PATIENCE)).isInstanceOf(SuperstepException.class);
  }

  @Test
  @DisplayName("SG-457 Redis has forgotten what it had confirmed")
  void wentBack() {
    String prefix = RedisServers.newPrefix();
    List<String> keys = new RedisKeys(prefix).thread("t");
    Map<String, byte[]> old = new HashMap<>();
    try (StatefulRedisConnection<byte[], byte[]> redis =
        RedisServers.standalone().connect(ByteArrayCodec.INSTANCE)) {
      GraphThread thread = thread(RedisServers.standalone(), prefix, node -> () -> {
        for (String key : keys) {
          byte[] name = RedisSpace.bytes(key);
          if (node.equals("b")) {
            byte[] dumped = redis.sync().dump(name);
            if (dumped != null) {
              old.put(key, dumped);
            }
          } else if (node.equals("c")) {
            redis.sync().del(name);
            if (old.containsKey(key)) {
              redis.sync().restore(name, 0, old.get(key));
            }
          }
        }
      });

      HeadWentBackException failed = catchThrowableOfType(
          HeadWentBackException.class, () -> thread.run(Update.NOTHING).block(PATIENCE));
      assertThat(failed.code()).isEqualTo("SG-457");
      assertThat(failed.head().sequence()).isLessThan(failed.seen().sequence());
    }
  }

  @Test
  @DisplayName("SG-460 fewer replicas have a commit than were asked for")
  void notReplicated() {
    RedisSpace space = RedisSpace.builder(RedisServers.standalone())
        .prefix(RedisServers.newPrefix())
        .timeout(Duration.ofSeconds(2))
        .replicas(1)
        .build();
    open.add(space);
    GraphThread thread = GraphRunner.builder(Chains.chain(node -> {}))
        .checkpoints(RedisCheckpointStore.of(space))
        .build()
        .thread("t");

    assertThat(failure(thread)).isEqualTo("SG-460");
  }
}
