package io.superstep.checkpoint.redis;

import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.redis.CuttingProxy.Fate;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Something that was decided about a thread, and reaches Redis when the thread is another. */
class LatePruneTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final String prefix = RedisServers.newPrefix();
  private final CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
  private final RedisClient client = RedisClient.create(RedisServers.uri(proxy.port()));
  private final RedisSpace behind = RedisSpace.builder(client).prefix(prefix).build();
  private final RedisSpace space =
      RedisSpace.builder(RedisServers.standalone()).prefix(prefix).build();
  private final RedisCheckpointStore store = RedisCheckpointStore.of(space);
  private final GraphThread thread =
      GraphRunner.builder(Chains.chain(node -> {})).checkpoints(store).build().thread("t");
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch free = new CountDownLatch(1);

  @AfterEach
  void close() {
    free.countDown();
    behind.close();
    space.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    proxy.close();
  }

  private void runs(int turns, String input) {
    for (int turn = 0; turn < turns; turn++) {
      thread.run(Update.append(LOG, input)).block(PATIENCE);
    }
  }

  /** Holds {@code script} back until it is let go. */
  private Fate held(String command, RedisScript script) {
    if (command.equals("EVALSHA " + script.digest())) {
      held.countDown();
      try {
        free.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
    return Fate.PASSES;
  }

  private static void prune(RedisCheckpointStore store, int last) {
    store.prune("t", Retention.last(last), Instant.EPOCH).block(PATIENCE);
  }

  @Test
  @DisplayName("S2.34 what was decided about a thread does not cut into the next one of its name")
  void anotherLife() throws InterruptedException {
    runs(2, "old");
    prune(store, 7);
    prune(store, 6); // now the thread has changed as often as somebody has begun with one
    proxy.decide(command -> held(command, ThreadScripts.PRUNE));
    Mono<Long> late = RedisCheckpointStore.of(behind)
        .prune("t", Retention.last(2), Instant.EPOCH)
        .cache();
    late.subscribe();
    held.await();

    thread.delete().block(PATIENCE);
    runs(2, "new");
    free.countDown();
    late.block(PATIENCE);

    List<Checkpoint> left = thread.history().collectList().block(PATIENCE);
    assertThat(thread.state().block(PATIENCE).position().state().get(LOG))
        .containsExactly("new", "a", "b", "c", "new", "a", "b", "c");
    assertThat(left).hasSize(2);
    assertThat(thread.state(left.get(1).id()).block(PATIENCE).position().state().get(LOG))
        .containsExactly("new", "a", "b", "c", "new", "a", "b");
  }

  @Test
  @DisplayName("S2.34 a branch that was made meanwhile keeps what it grew out of")
  void anotherBranch() throws InterruptedException {
    runs(2, "in");
    List<Checkpoint> all = thread.history().collectList().block(PATIENCE);
    proxy.decide(command -> held(command, ThreadScripts.PRUNE));
    Mono<Long> late = RedisCheckpointStore.of(behind)
        .prune("t", Retention.last(4), Instant.EPOCH)
        .cache();
    late.subscribe();
    held.await();

    thread.fork(all.get(5).id(), Update.append(LOG, "fork")).blockLast(PATIENCE);
    free.countDown();
    late.block(PATIENCE);

    assertThat(thread.state().block(PATIENCE).position().state().get(LOG))
        .containsExactly("in", "a", "b", "fork", "c");
  }
}
