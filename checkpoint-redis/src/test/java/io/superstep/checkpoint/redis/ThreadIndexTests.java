package io.superstep.checkpoint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The names of threads, of which there are more than a page. */
class ThreadIndexTests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final List<String> NAMES =
      IntStream.range(0, 350).mapToObj(number -> "t" + number).toList();
  private static final List<String> LAST = NAMES.subList(300, 350);

  private final String prefix = RedisServers.newPrefix();
  private final RedisSpace space =
      RedisSpace.builder(RedisServers.standalone()).prefix(prefix).build();
  private final RedisCheckpointStore store = RedisCheckpointStore.of(space);
  private final Graph graph = Chains.chain(node -> {});

  @AfterEach
  void close() {
    space.close();
  }

  private Mono<Void> enqueue(List<String> threads, String id) {
    QueuedInput input = new QueuedInput(id, Update.NOTHING, "ada", Instant.EPOCH);
    return Flux.fromIterable(threads)
        .concatMap(thread -> store.enqueue(thread, input, graph.schemas()))
        .then();
  }

  private Mono<Void> run(List<String> threads) {
    GraphRunner runner = GraphRunner.builder(graph).checkpoints(store).build();
    return Flux.fromIterable(threads)
        .concatMap(thread -> runner.thread(thread).run(Update.NOTHING))
        .then();
  }

  /** Those of {@code status}; when the first was looked at, {@code meanwhile} is done. */
  private List<String> threads(ThreadStatus status, Mono<Void> meanwhile) {
    AtomicBoolean first = new AtomicBoolean(true);
    return store
        .threads(EnumSet.of(status))
        .map(ThreadSummary::thread)
        .concatMap(
            thread -> first.getAndSet(false) ? meanwhile.thenReturn(thread) : Mono.just(thread), 1)
        .collectList()
        .block(PATIENCE);
  }

  @Test
  @DisplayName("X.15 a thread with work to do is listed once, also if it gets more meanwhile")
  void threadsThatAreBegun() {
    enqueue(NAMES, "first").block(PATIENCE);

    assertThat(threads(ThreadStatus.ORPHANED, enqueue(LAST, "second")))
        .containsExactlyInAnyOrderElementsOf(NAMES);
  }

  @Test
  @DisplayName("S2.34 a thread that is done is listed once, also if it takes a turn meanwhile")
  void threadsThatTurn() {
    run(NAMES).block(PATIENCE);

    assertThat(threads(ThreadStatus.DONE, run(LAST))).containsExactlyInAnyOrderElementsOf(NAMES);
  }

  @Test
  @DisplayName("S2.34 the name of a thread that has expired goes when it is looked for")
  void expiredNames() {
    RedisCheckpointStore refreshing = RedisCheckpointStore.builder(space)
        .ttl(Duration.ofDays(7))
        .refreshOnRead()
        .build();
    GraphRunner.builder(graph)
        .checkpoints(refreshing)
        .build()
        .thread("t")
        .run(Update.NOTHING)
        .block(PATIENCE);
    try (StatefulRedisConnection<String, String> redis =
        RedisServers.standalone().connect()) {
      redis.sync().del(space.keys().thread("t").toArray(String[]::new));

      assertThat(threads(ThreadStatus.DONE, Mono.empty())).isEmpty();
      assertThat(redis.sync().keys(prefix + ":{index}:*"))
          .containsExactly(prefix + ":{index}:number");
    }
  }
}
