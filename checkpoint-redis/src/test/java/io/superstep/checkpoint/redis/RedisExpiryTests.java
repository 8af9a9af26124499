package io.superstep.checkpoint.redis;

import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.api.StatefulRedisConnection;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.event.Chunks;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.Resume;
import io.superstep.reactor.RunResult;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class RedisExpiryTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration WEEK = Duration.ofDays(7);

  private final String prefix = RedisServers.newPrefix();
  private final RedisSpace space =
      RedisSpace.builder(RedisServers.standalone()).prefix(prefix).build();
  private final StatefulRedisConnection<String, String> redis =
      RedisServers.standalone().connect();

  @AfterEach
  void close() {
    redis.close();
    space.close();
  }

  private GraphRunner runner(RedisCheckpointStore.Builder store) {
    return GraphRunner.builder(Chains.approval(node -> {}))
        .checkpoints(store.build())
        .build();
  }

  private RedisCheckpointStore.Builder store() {
    return RedisCheckpointStore.builder(space);
  }

  private List<Long> ttls() {
    return redis.sync().keys(prefix + ":{t:*").stream()
        .map(key -> redis.sync().pttl(key))
        .toList();
  }

  private void expireAt(long left) {
    redis.sync().keys(prefix + ":{t:*").forEach(key -> redis.sync().pexpire(key, left));
  }

  private static void finish(GraphThread thread) {
    RunResult.of(thread.resume(Resume.answer("publish", true))).block(PATIENCE);
  }

  @Test
  @DisplayName("S2.34 a thread that is done expires with all its keys, a paused one stays")
  void doneThreadsExpire() {
    GraphThread thread = runner(store().ttl(WEEK)).thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);
    assertThat(ttls()).isNotEmpty().allMatch(left -> left == -1);

    finish(thread);

    assertThat(ttls())
        .isNotEmpty()
        .allMatch(left -> left > WEEK.toMillis() - 60_000 && left <= WEEK.toMillis());
  }

  @Test
  @DisplayName("S2.34 what is begun again does not expire meanwhile")
  void begunAgain() {
    GraphThread thread = runner(store().ttl(WEEK)).thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);
    finish(thread);

    thread.run(Update.NOTHING).block(PATIENCE);

    assertThat(ttls()).isNotEmpty().allMatch(left -> left == -1);
  }

  @Test
  @DisplayName("S2.34 reading begins the time anew where that is wanted")
  void refreshed() {
    GraphThread plain = runner(store().ttl(WEEK)).thread("t");
    plain.run(Update.NOTHING).block(PATIENCE);
    finish(plain);
    expireAt(60_000);

    plain.state().block(PATIENCE);
    assertThat(ttls()).allMatch(left -> left <= 60_000);
    runner(store().ttl(WEEK).refreshOnRead()).thread("t").state().block(PATIENCE);
    assertThat(ttls()).isNotEmpty().allMatch(left -> left > 60_000);
  }

  @Test
  @DisplayName("S2.34 reading lets no thread expire for which an input waits")
  void waitingInputs() {
    RedisCheckpointStore refreshing = store().ttl(WEEK).refreshOnRead().build();
    Graph graph = Chains.approval(node -> {});
    GraphThread thread =
        GraphRunner.builder(graph).checkpoints(refreshing).build().thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);
    finish(thread);
    QueuedInput waiting = new QueuedInput("i", Update.NOTHING, "ada", Instant.EPOCH);
    refreshing.enqueue("t", waiting, graph.schemas()).block(PATIENCE);

    refreshing.load("t", graph.schemas()).block(PATIENCE);

    assertThat(ttls()).isNotEmpty().allMatch(left -> left == -1);
  }

  @Test
  @DisplayName("S2.34 a thread that is left with an input waiting does not expire")
  void leftWithInputs() {
    RedisCheckpointStore store = store().ttl(WEEK).idleTtl(WEEK).build();
    QueuedInput waiting = new QueuedInput("i", Update.NOTHING, "ada", Instant.EPOCH);
    Lease lease = store.acquire("t", "ada", Duration.ofSeconds(30)).block(PATIENCE);
    store.enqueue("t", waiting, Schemas.NONE).block(PATIENCE);

    assertThat(store.release(lease, Release.SETTLED).block(PATIENCE)).isTrue();

    assertThat(ttls()).isNotEmpty().allMatch(left -> left == -1);
  }

  @Test
  @DisplayName("S2.34 a thread that was done under another ttl is not dropped from the index by it")
  void otherTtl() {
    GraphThread brief = runner(store().ttl(Duration.ofMillis(1))).thread("t");
    brief.run(Update.NOTHING).block(PATIENCE);
    redis.sync().zadd(prefix + ":{index}:expiry", 1, "t");
    GraphThread lasting = runner(store()).thread("t");
    lasting.resume().blockLast(PATIENCE);
    finish(lasting);
    GraphThread other = runner(store()).thread("u");
    other.run(Update.NOTHING).block(PATIENCE);
    finish(other);

    assertThat(
            store().build().threads(EnumSet.of(ThreadStatus.DONE)).collectList().block(PATIENCE))
        .extracting(ThreadSummary::thread)
        .contains("t", "u");
  }

  @Test
  @DisplayName("facts do not expire before their numbers, and who waits hears of another life")
  void events() {
    RedisEventLog log = RedisEventLog.builder(space).ttl(WEEK).build();
    log.open("t", 1).block(PATIENCE);
    append(log, 1, 1);
    expireAt(60_000);

    log.open("t", 2).block(PATIENCE);
    assertThat(ttls()).isNotEmpty().allMatch(left -> left > 60_000);

    redis.sync().keys(prefix + ":{t:*").forEach(key -> redis.sync().del(key));
    Flux<GraphEvent> behind = log.follow("t", 0, Chunks.NONE, Schemas.NONE);
    append(log, 3, 1);
    append(log, 3, 2);
    assertThat(behind.take(2).map(GraphEvent::sequence).collectList().block(PATIENCE))
        .containsExactly(1L, 2L);
    redis.sync().del(prefix + ":{t:t}:events");
    assertThatThrownBy(() -> log.read("t", 0, Schemas.NONE).blockLast(PATIENCE))
        .isInstanceOf(EventsTrimmedException.class);
  }

  private static void append(RedisEventLog log, long fence, long number) {
    GraphEvent fact = new GraphEvent.RunResumed(new Moment("", 0, Instant.EPOCH), number);
    log.append("t", fence, List.of(fact), Schemas.NONE).block(PATIENCE);
  }

  @Test
  @DisplayName("S2.34 a paused thread expires where that is wanted")
  void idleThreadsExpire() {
    GraphThread thread = runner(store().idleTtl(WEEK)).thread("t");

    thread.run(Update.NOTHING).block(PATIENCE);

    assertThat(ttls()).isNotEmpty().allMatch(left -> left > 60_000);
  }

  @Test
  @DisplayName("S2.34 a thread that has expired is not listed, and its name is dropped")
  void expiredNames() {
    GraphRunner runner = runner(store().ttl(Duration.ofMillis(1)));
    runner.thread("old").run(Update.NOTHING).block(PATIENCE);
    finish(runner.thread("old"));
    runner.thread("new").run(Update.NOTHING).block(PATIENCE);

    assertThat(Flux.from(store().build().threads(EnumSet.allOf(ThreadStatus.class)))
            .map(ThreadSummary::thread)
            .collectList()
            .block(PATIENCE))
        .containsExactly("new");
    finish(runner.thread("new"));
    assertThat(redis.sync().zrange(prefix + ":{index}:done", 0, -1)).doesNotContain("old");
  }

  @Test
  @DisplayName("S2.34 keep-last 5 leaves a valid lineage and no more than twice as many")
  void retention() {
    GraphThread thread = GraphRunner.builder(Chains.chain(node -> {}))
        .checkpoints(store().retention(Retention.last(5)).build())
        .build()
        .thread("t");
    for (int turn = 0; turn < 10; turn++) {
      thread.run(Update.append(LOG, "turn " + turn)).block(PATIENCE);
      List<Checkpoint> history = thread.history().collectList().block(PATIENCE);

      assertThat(history.size()).isBetween(Math.min(5, 4 * (turn + 1)), 10);
      assertThat(history.get(history.size() - 1).parent()).isNull();
      for (Checkpoint checkpoint : history) {
        assertThat(thread.state(checkpoint.id()).block(PATIENCE)).isNotNull();
      }
    }
    assertThat(thread.state().block(PATIENCE).position().state().get(LOG)).hasSize(40);
    assertThat(redis.sync().keys(prefix + ":{t:*").size()).isLessThanOrEqualTo(7);
  }
}
