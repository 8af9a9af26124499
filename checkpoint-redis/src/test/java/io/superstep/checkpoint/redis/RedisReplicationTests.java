package io.superstep.checkpoint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote.Answered;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.checkpoint.redis.CuttingProxy.Fate;
import io.superstep.graph.Graph;
import io.superstep.question.Answer;
import io.superstep.reactor.GraphRunner;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.embedded.RedisServer;

/** Writes that count when replicas have them. */
class RedisReplicationTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final QueuedInput INPUT =
      new QueuedInput("i", Update.NOTHING, "ada", Instant.EPOCH);

  private final Graph graph = Chains.approval(node -> {});
  private final MovingClock clock = new MovingClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (int last = open.size() - 1; last >= 0; last--) {
      open.get(last).close();
    }
  }

  /** The port of a server that nobody replicates. */
  private int primary() {
    RedisServer server = RedisServers.started(RedisServers.newServer(RedisServers.freePort()));
    open.add(() -> RedisServers.stop(server));
    return RedisServers.portOf(server);
  }

  private void replicate(int port) {
    RedisServer replica = RedisServers.startedReplica(port);
    open.add(() -> RedisServers.stop(replica));
  }

  private RedisSpace.Builder space(int port) {
    RedisClient client = RedisClient.create(RedisServers.uri(port));
    open.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
    return RedisSpace.builder(client);
  }

  private RedisCheckpointStore store(RedisSpace.Builder builder) {
    RedisSpace space = builder.build();
    open.add(space);
    return RedisCheckpointStore.builder(space).clock(clock).build();
  }

  /** A store at {@code port} whose writes count when one replica has them. */
  private RedisCheckpointStore strict(int port) {
    return store(space(port).timeout(Duration.ofSeconds(2)).replicas(1));
  }

  private SavedThread asked(RedisCheckpointStore store) {
    GraphRunner.builder(graph)
        .clock(clock)
        .checkpoints(store)
        .build()
        .thread("t")
        .run(Update.NOTHING)
        .block(PATIENCE);
    return store.load("t", graph.schemas()).block(PATIENCE);
  }

  private static Answered yes(SavedThread saved) {
    Asked asked = saved.questions().get(0);
    Answer answer =
        new Answer(asked.id(), asked.key(), true, "ada", Instant.EPOCH, "the receipt of ada");
    return new Answered(asked.task(), asked.attempt(), answer);
  }

  @Test
  @DisplayName("SG-460 an answer that is repeated is waited for again, until a replica has it")
  void repeatedAnswers() {
    int port = primary();
    SavedThread saved = asked(store(space(port)));
    RedisCheckpointStore strict = strict(port);
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> strict
              .answer("t", saved.checkpoint().id(), yes(saved), graph.schemas())
              .block(PATIENCE))
          .isInstanceOf(NotReplicatedException.class);
    }
    replicate(port);

    strict.answer("t", saved.checkpoint().id(), yes(saved), graph.schemas()).block(PATIENCE);

    assertThat(strict.load("t", graph.schemas()).block(PATIENCE).notes())
        .containsOnlyOnce(yes(saved));
  }

  @Test
  @DisplayName("SG-460 an input that is left again is waited for again")
  void repeatedInputs() {
    RedisCheckpointStore strict = strict(primary());
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> strict.enqueue("t", INPUT, graph.schemas()).block(PATIENCE))
          .isInstanceOf(NotReplicatedException.class);
    }

    assertThat(strict.queue("t", graph.schemas()).collectList().block(PATIENCE)).hasSize(1);
  }

  @Test
  @DisplayName("SG-401 who lost a thread is told so, whatever replicas there are")
  void refusals() {
    int port = primary();
    RedisCheckpointStore plain = store(space(port));
    SavedThread saved = asked(plain);
    RedisCheckpointStore strict = strict(port);
    Lease lost = strict.acquire("t", "one", LEASE).block(PATIENCE);
    clock.pass(LEASE);
    plain.acquire("t", "two", LEASE).block(PATIENCE);

    assertThatThrownBy(() -> strict
            .record(lost, saved.checkpoint().id(), List.copyOf(saved.notes()), graph.schemas())
            .block(PATIENCE))
        .isInstanceOf(CheckpointConflictException.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fate.class,
      names = {"NEVER_ARRIVES", "IS_HUNG_UP_ON"})
  @DisplayName("S2.32 what replicas of another server have confirmed is written there too")
  void otherServer(Fate fate) {
    int first = primary();
    replicate(first);
    int second = primary();
    replicate(second);
    CuttingProxy proxy = new CuttingProxy(first);
    open.add(proxy);
    AtomicBoolean once = new AtomicBoolean(true);
    proxy.decide(command -> {
      if (!command.startsWith("WAIT") || !once.getAndSet(false)) {
        return Fate.PASSES;
      }
      proxy.redirect(second);
      return fate;
    });

    store(space(proxy.port()).replicas(1)).enqueue("t", INPUT, graph.schemas()).block(PATIENCE);

    assertThat(store(space(second)).queue("t", graph.schemas()).collectList().block(PATIENCE))
        .containsExactly(INPUT);
  }
}
