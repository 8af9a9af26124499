package io.superstep.checkpoint.redis;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunStopped;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.json.ByteStage;
import io.superstep.json.Compression;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.reactor.Durability;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.Recovery;
import io.superstep.reactor.Resume;
import io.superstep.reactor.RunOptions;
import io.superstep.reactor.RunResult;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The engine on threads in Redis. */
class RedisThreadTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final MovingClock clock = new MovingClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final String prefix = RedisServers.newPrefix();
  private final RedisSpace space =
      RedisSpace.builder(RedisServers.standalone()).prefix(prefix).build();
  private final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    space.close();
  }

  private RedisCheckpointStore store() {
    return RedisCheckpointStore.builder(space).clock(clock).build();
  }

  private GraphThread thread(Graph graph, CheckpointStore store) {
    return GraphRunner.builder(graph).clock(clock).checkpoints(store).build().thread("t");
  }

  private static List<String> log(GraphThread thread) {
    return Objects.requireNonNull(thread.state().block(PATIENCE))
        .position()
        .state()
        .get(LOG);
  }

  @Test
  @DisplayName("S2.9 a run, its history and its branches are there for another runner")
  void runs() {
    GraphThread first = thread(Chains.chain(calls::add), store());
    RunResult result = first.run(Update.append(LOG, "in")).block(PATIENCE);
    GraphThread second = thread(Chains.chain(calls::add), store());

    assertThat(result.state().get(LOG)).containsExactly("in", "a", "b", "c");
    assertThat(log(second)).containsExactly("in", "a", "b", "c");
    List<Checkpoint> history = second.history().collectList().block(PATIENCE);
    assertThat(history).hasSize(4);
    RunResult.of(second.fork(history.get(2).id(), Update.append(LOG, "again"))).block(PATIENCE);
    assertThat(log(first)).containsExactly("in", "a", "again", "b", "c");
    assertThat(
            second.state(history.get(0).id()).block(PATIENCE).position().state().get(LOG))
        .containsExactly("in", "a", "b", "c");
    assertThat(calls).containsExactly("a", "b", "c", "b", "c");
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @DisplayName("S2.9 whenever it is written, a run leaves the same thread behind")
  void durabilities(Durability durability) {
    GraphThread thread = GraphRunner.builder(Chains.chain(calls::add))
        .clock(clock)
        .checkpoints(store())
        .defaults(RunOptions.NONE.durability(durability))
        .build()
        .thread("t");

    thread.run(Update.append(LOG, "in")).block(PATIENCE);

    GraphThread elsewhere = thread(Chains.chain(calls::add), store());
    assertThat(log(elsewhere)).containsExactly("in", "a", "b", "c");
    assertThat(elsewhere.history().count().block(PATIENCE)).isEqualTo(4);
    assertThat(calls).containsExactly("a", "b", "c");
  }

  @Test
  @DisplayName("S1.20 a question outlives whoever asked, and the model is not asked again")
  void questions() {
    GraphThread first = thread(Chains.approval(calls::add), store());
    first.run(Update.NOTHING).block(PATIENCE);
    List<?> asked = first.questions().collectList().block(PATIENCE);
    GraphThread second = thread(Chains.approval(calls::add), store());

    assertThat(second.questions().collectList().block(PATIENCE))
        .isEqualTo(asked)
        .hasSize(1);
    RunResult.of(second.resume(Resume.answer("publish", true).by("ada"))).block(PATIENCE);

    assertThat(log(second)).containsExactly("draft", "published");
    assertThat(calls).containsExactly("model");
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"DIE_BEFORE", "DIE_AFTER", "FAIL_AFTER", "TWICE"})
  @DisplayName("X.23 whatever call a run dies at, what was acknowledged never runs again")
  void crashes(Fault fault) {
    List<String> whole = List.of("fast", "slow", "last");
    for (int at = 1; at <= 12; at++) {
      RedisSpace own = RedisSpace.builder(RedisServers.standalone())
          .prefix(RedisServers.newPrefix())
          .build();
      RedisCheckpointStore store =
          RedisCheckpointStore.builder(own).clock(clock).build();
      List<String> told = Collections.synchronizedList(new ArrayList<>());
      List<String> ran = Collections.synchronizedList(new ArrayList<>());
      FaultyStore faulty = new FaultyStore(store, fault, at);
      GraphThread dying = thread(diamond(ran), faulty);
      Mono.firstWithSignal(
              dying.stream(Update.NOTHING)
                  .doOnNext(event -> told.add(event.toString()))
                  .then()
                  .onErrorComplete(),
              faulty.struck())
          .block(PATIENCE);

      clock.pass(Duration.ofMinutes(1));
      GraphThread next = thread(diamond(ran), store);
      boolean begun = next.state().blockOptional(PATIENCE).isPresent();
      RunResult.of(begun ? next.resume() : next.stream(Update.NOTHING)).block(PATIENCE);

      assertThat(log(next)).as("%s at %s", fault, at).containsExactlyElementsOf(whole);
      for (String node : whole) {
        boolean acknowledged = told.stream()
            .anyMatch(event -> event.startsWith("TaskCompleted") && event.contains("/" + node));
        if (acknowledged) {
          assertThat(Collections.frequency(ran, node)).as(node).isEqualTo(1);
        }
        assertThat(Collections.frequency(ran, node)).isBetween(1, 2);
      }
      own.close();
    }
  }

  private static Graph diamond(List<String> ran) {
    return Chains.diamond((node, context) -> Mono.fromRunnable(() -> ran.add(node)));
  }

  @Test
  @DisplayName("X.19 X.20 a run is followed elsewhere from before it began, and again by cursor")
  void followedElsewhere() {
    GraphRunner running = GraphRunner.builder(Chains.chain(calls::add))
        .checkpoints(store())
        .events(RedisEventLog.of(space))
        .memory(RedisMemory.of(space))
        .build();
    RedisSpace other =
        RedisSpace.builder(RedisServers.standalone()).prefix(prefix).build();
    GraphThread elsewhere = GraphRunner.builder(Chains.chain(calls::add))
        .checkpoints(RedisCheckpointStore.of(other))
        .events(RedisEventLog.of(other))
        .build()
        .thread("t");
    Mono<List<GraphEvent>> following = elsewhere
        .attach(0, Chunks.NONE)
        .takeUntil(event -> event instanceof GraphEvent.RunCompleted)
        .collectList()
        .cache();
    following.subscribe();
    running.thread("t").start(Update.append(LOG, "in")).block(PATIENCE);
    List<GraphEvent> all = following.block(PATIENCE);

    assertThat(all).extracting(GraphEvent::sequence).isSorted().doesNotHaveDuplicates();
    assertThat(all.get(0).sequence()).isEqualTo(1);
    assertThat(
            elsewhere.attach(5, Chunks.NONE).take(all.size() - 5L).collectList().block(PATIENCE))
        .isEqualTo(all.subList(5, all.size()));
    other.close();
  }

  private static GraphRunner runner(Graph graph, RedisSpace over) {
    return GraphRunner.builder(graph)
        .checkpoints(RedisCheckpointStore.of(over))
        .events(RedisEventLog.of(over))
        .build();
  }

  @Test
  @DisplayName("E22 X.19 a thread and its follower move to another runner when the first is closed")
  void closes() {
    RedisSpace own =
        RedisSpace.builder(RedisServers.standalone()).prefix(prefix).build();
    Sinks.Empty<Void> gate = Sinks.empty();
    Graph graph = Chains.chain((node, context) -> gate.asMono());
    GraphRunner first = runner(graph, own);
    first.thread("t").start(Update.NOTHING).block(PATIENCE);
    first.thread("t").attach(0).filter(TaskStarted.class::isInstance).blockFirst(PATIENCE);
    Mono<List<GraphEvent>> followed =
        first.thread("t").attach(0, Chunks.NONE).collectList().cache();
    followed.subscribe();
    Mono<List<String>> closed = first.close(PATIENCE).collectList().cache();
    closed.subscribe();
    gate.tryEmitEmpty();

    assertThat(closed.block(PATIENCE)).isEmpty();
    List<GraphEvent> facts = new ArrayList<>(followed.block(PATIENCE));
    assertThat(facts).last().isInstanceOf(RunStopped.class);
    own.close();
    GraphRunner second = runner(graph, space);
    assertThat(second.recover().map(Recovery::thread).collectList().block(PATIENCE))
        .containsExactly("t");
    second
        .thread("t")
        .attach(facts.get(facts.size() - 1).sequence(), Chunks.NONE)
        .takeUntil(RunCompleted.class::isInstance)
        .doOnNext(facts::add)
        .blockLast(PATIENCE);

    assertThat(facts)
        .extracting(GraphEvent::sequence)
        .containsExactlyElementsOf(
            LongStream.rangeClosed(1, facts.size()).boxed().toList());
    assertThat(facts)
        .filteredOn(StepCommitted.class::isInstance)
        .extracting(GraphEvent::step)
        .containsExactly(1, 2, 3);
    assertThat(log(second.thread("t"))).containsExactly("a", "b", "c");
    second.close(PATIENCE).blockLast(PATIENCE);
  }

  @Test
  @DisplayName("X.19 threads with odd names are threads like any other")
  void oddNames() {
    GraphRunner runner =
        GraphRunner.builder(Chains.chain(calls::add)).checkpoints(store()).build();
    List<String> names = List.of("{", "}", "a{b}c", "%7b", "ü 💬");
    for (String name : names) {
      runner.thread(name).run(Update.append(LOG, "in " + name)).block(PATIENCE);
    }

    for (String name : names) {
      assertThat(log(runner.thread(name))).first().isEqualTo("in " + name);
    }
    assertThat(Flux.from(store().threads(EnumSet.of(ThreadStatus.DONE)))
            .map(ThreadSummary::thread)
            .collectList()
            .block(PATIENCE))
        .containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  @DisplayName("S2.33 5 MB of text take less than 1 MB, and what was not compressed is still read")
  void compression() {
    Graph graph = Chains.chain(calls::add);
    thread(graph, store()).run(Update.append(LOG, "plain ".repeat(10_000))).block(PATIENCE);
    RedisCheckpointStore compressing = RedisCheckpointStore.builder(space)
        .clock(clock)
        .stage(Compression.from(1 << 12))
        .build();
    String large = "All work and no play makes Jack a dull boy. ".repeat(125_000);
    thread(graph, compressing).run(Update.append(LOG, large)).block(PATIENCE);

    assertThat(log(thread(graph, compressing))).contains(large, "plain ".repeat(10_000));
    try (StatefulRedisConnection<String, String> redis =
        RedisServers.standalone().connect()) {
      long bytes = space.keys().thread("t").stream()
          .mapToLong(key -> Objects.requireNonNullElse(redis.sync().memoryUsage(key), 0L))
          .sum();
      assertThat(bytes).isLessThan(1 << 20);
    }
  }

  @Test
  @DisplayName(
      "an entry of 10 MB is kept, and one beyond the limit is refused before it is written")
  void sizes() {
    RedisCheckpointStore small =
        RedisCheckpointStore.builder(space).clock(clock).maxEntrySize(1 << 20).build();
    GraphThread thread = thread(Chains.chain(calls::add), small);
    String large = "0123456789".repeat(1 << 20);

    assertThat(thread
            .run(Update.append(LOG, large))
            .map(RunResult::toString)
            .onErrorResume(EntryTooLargeException.class, error -> Mono.just(error.code()))
            .block(PATIENCE))
        .isEqualTo("SG-458");
    assertThat(thread.state().blockOptional(PATIENCE)).isEmpty();

    GraphThread roomy = thread(Chains.chain(calls::add), store());
    roomy.run(Update.append(LOG, large)).block(PATIENCE);
    assertThat(log(roomy)).contains(large);
  }

  @Test
  @DisplayName("nobody is called back on a thread of Lettuce, and a given client is never closed")
  void threads() {
    RedisClient client = RedisClient.create(RedisServers.uri(RedisServers.standalonePort()));
    RedisSpace own = RedisSpace.builder(client).prefix(RedisServers.newPrefix()).build();
    ConcurrentLinkedQueue<String> names = new ConcurrentLinkedQueue<>();
    GraphThread thread = thread(
        Chains.chain(node -> names.add(Thread.currentThread().getName())),
        RedisCheckpointStore.of(own));
    thread.run(Update.NOTHING).block(PATIENCE);
    own.close();

    assertThat(names).hasSize(3).noneMatch(name -> name.startsWith("lettuce"));
    try (StatefulRedisConnection<String, String> still = client.connect()) {
      assertThat(still.sync().ping()).isEqualTo("PONG");
    }
    client.shutdown();
  }

  @Test
  @DisplayName("answers are handed on by the scheduler that was given")
  void ownScheduler() {
    Scheduler mine = Schedulers.newBoundedElastic(2, 100, "mine");
    RedisSpace own = RedisSpace.builder(RedisServers.standalone())
        .prefix(RedisServers.newPrefix())
        .scheduler(mine)
        .build();
    ConcurrentLinkedQueue<String> names = new ConcurrentLinkedQueue<>();
    GraphThread thread = thread(
        Chains.chain(node -> names.add(Thread.currentThread().getName())),
        RedisCheckpointStore.of(own));
    thread.run(Update.NOTHING).block(PATIENCE);
    own.close();
    mine.dispose();

    assertThat(names).hasSize(3).allMatch(name -> name.startsWith("mine"));
  }

  @Test
  @DisplayName("the database of the client is the one that is used")
  void database() {
    RedisURI seventh = RedisServers.uri(RedisServers.standalonePort());
    seventh.setDatabase(7);
    RedisClient client = RedisClient.create(seventh);
    try (RedisSpace own = RedisSpace.builder(client).prefix(prefix).build();
        StatefulRedisConnection<String, String> there = client.connect();
        StatefulRedisConnection<String, String> elsewhere =
            RedisServers.standalone().connect()) {
      thread(Chains.chain(calls::add), RedisCheckpointStore.of(own))
          .run(Update.NOTHING)
          .block(PATIENCE);

      assertThat(there.sync().keys(prefix + ":{t:t}:*")).isNotEmpty();
      assertThat(elsewhere.sync().keys(prefix + ":*")).isEmpty();
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }

  /** Hides what it is given under a number that is another one each time. */
  private static final class Masked implements ByteStage {

    private byte mask;

    @Override
    public synchronized byte[] apply(byte[] bytes) {
      mask++;
      byte[] stored = new byte[bytes.length + 2];
      stored[0] = '#';
      stored[1] = mask;
      for (int at = 0; at < bytes.length; at++) {
        stored[at + 2] = (byte) (bytes[at] ^ mask);
      }
      return stored;
    }

    @Override
    public byte[] undo(byte[] stored) {
      if (stored[0] != '#') {
        return stored;
      }
      byte[] bytes = new byte[stored.length - 2];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) (stored[at + 2] ^ stored[1]);
      }
      return bytes;
    }
  }

  @Test
  @DisplayName("E21 S2.33 what is encrypted is recognised when it is repeated, and never plain")
  void encryption() {
    for (int at = 1; at <= 12; at++) {
      String own = RedisServers.newPrefix();
      try (RedisSpace hidden =
              RedisSpace.builder(RedisServers.standalone()).prefix(own).build();
          StatefulRedisConnection<String, String> redis =
              RedisServers.standalone().connect()) {
        RedisCheckpointStore store = RedisCheckpointStore.builder(hidden)
            .clock(clock)
            .stage(new Masked())
            .build();
        GraphThread thread = thread(
            diamond(Collections.synchronizedList(new ArrayList<>())),
            new FaultyStore(store, Fault.TWICE, at));
        thread.run(Update.append(LOG, "a secret")).block(PATIENCE);

        assertThat(log(thread)).containsExactly("a secret", "fast", "slow", "last");
        assertThat(thread.history().count().block(PATIENCE)).isEqualTo(3);
        assertThat(redis.sync().lrange(own + ":{t:t}:log", 0, -1))
            .hasSize(3)
            .noneMatch(entry -> entry.contains("secret"));
      }
    }
  }

  @Test
  @DisplayName("E24 what a step wants remembered is there for other threads and processes")
  void memory() {
    Namespace user = Namespace.of("users", "42");
    Graph learning = Graph.builder("learning")
        .channels(LOG)
        .compute(
            "learn", state -> Command.remember(MemoryWrite.put(user, "likes", Map.of("tea", true))))
        .sequence(START, "learn", END)
        .build();
    GraphRunner.builder(learning)
        .clock(clock)
        .checkpoints(store())
        .memory(RedisMemory.builder(space).clock(clock).build())
        .build()
        .thread("t")
        .run(Update.NOTHING)
        .block(PATIENCE);

    try (RedisSpace other =
        RedisSpace.builder(RedisServers.standalone()).prefix(prefix).build()) {
      MemoryItem item = RedisMemory.of(other).get(user, "likes").block(PATIENCE);
      assertThat(item.value()).containsEntry("tea", true);
      assertThat(item.writer().thread()).isEqualTo("t");
    }
  }

  @Test
  @DisplayName("what Redis took is told to an observer")
  void observed() {
    Map<RedisCall, Integer> told = new ConcurrentHashMap<>();
    RedisSpace own = RedisSpace.builder(RedisServers.standalone())
        .prefix(RedisServers.newPrefix())
        .observer((call, time, failure) -> told.merge(call, 1, Integer::sum))
        .build();
    GraphThread thread = thread(Chains.chain(calls::add), RedisCheckpointStore.of(own));
    thread.run(Update.NOTHING).block(PATIENCE);
    own.close();

    assertThat(told).containsEntry(RedisCall.COMMIT, 4).containsKey(RedisCall.LOAD);
  }
}
