package io.superstep.checkpoint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.error.SuperstepException;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.json.ByteStage;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.RunResult;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** Whatever code of the user throws on the way of a call, the caller gets a signal. */
class RedisThrowableTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Graph CHAIN = Chains.chain(node -> {});
  private static final Namespace USERS = Namespace.of("users");
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final String prefix = RedisServers.newPrefix();
  private final RedisSpace space =
      RedisSpace.builder(RedisServers.standalone()).prefix(prefix).build();

  @AfterEach
  void close() {
    space.close();
  }

  /** An error with a name, as errors are shown by tests. */
  record Thrown(String name, Supplier<Throwable> maker) {

    @SuppressWarnings("TypeParameterUnusedInFormals") // it never returns
    <T> T raise() {
      return RedisThrowableTests.<RuntimeException, T>sneaky(maker.get());
    }

    @Override
    public String toString() {
      return name;
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable, T> T sneaky(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @SuppressWarnings({"deprecation", "removal"}) // ThreadDeath is fatal to Reactor
  static Stream<Thrown> errors() {
    return Stream.of(
        new Thrown("NoClassDefFoundError", () -> new NoClassDefFoundError("gone")),
        new Thrown(
            "ExceptionInInitializerError",
            () -> new ExceptionInInitializerError(new IllegalStateException("static"))),
        new Thrown("StackOverflowError", StackOverflowError::new),
        new Thrown("OutOfMemoryError", () -> new OutOfMemoryError("none left")),
        new Thrown("InternalError", () -> new InternalError("broken")),
        new Thrown("ThreadDeath", ThreadDeath::new),
        new Thrown("AssertionError", () -> new AssertionError("no")),
        new Thrown("IllegalStateException", () -> new IllegalStateException("no")));
  }

  /** A stage that throws when it writes, or when it reads. */
  private static ByteStage stage(Thrown thrown, boolean whenWriting) {
    return new ByteStage() {
      @Override
      public byte[] apply(byte[] bytes) {
        return whenWriting ? thrown.raise() : bytes;
      }

      @Override
      public byte[] undo(byte[] stored) {
        return whenWriting ? stored : thrown.raise();
      }
    };
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("a stage that throws while it decodes yields a typed error with its cause")
  void decoding(Thrown thrown) {
    GraphRunner.builder(CHAIN)
        .checkpoints(RedisCheckpointStore.of(space))
        .events(RedisEventLog.of(space))
        .build()
        .thread("t")
        .run(Update.NOTHING)
        .block(PATIENCE);
    RedisMemory.of(space)
        .write(MemoryWrite.put(USERS, "ada", Map.of("likes", "tea")), NOW)
        .block(PATIENCE);
    ByteStage stage = stage(thrown, false);

    assertTyped(
        thrown,
        RedisCheckpointStore.builder(space).stage(stage).build().load("t", CHAIN.schemas()));
    assertTyped(
        thrown,
        RedisEventLog.builder(space)
            .stage(stage)
            .build()
            .read("t", 0, CHAIN.schemas())
            .next());
    assertTyped(thrown, RedisMemory.builder(space).stage(stage).build().get(USERS, "ada"));
  }

  private static void assertTyped(Thrown thrown, Mono<?> call) {
    assertThatThrownBy(() -> call.block(PATIENCE))
        .isInstanceOf(SuperstepException.class)
        .satisfies(
            failure -> assertThat(((SuperstepException) failure).code()).isIn("SG-302", "SG-305"))
        .hasRootCauseInstanceOf(
            thrown.maker().get().getCause() == null
                ? thrown.maker().get().getClass()
                : thrown.maker().get().getCause().getClass());
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("a stage that throws while it encodes ends the call")
  void encoding(Thrown thrown) {
    ByteStage stage = stage(thrown, true);
    QueuedInput input = new QueuedInput("one", Update.append(Chains.LOG, "one"), "ada", NOW);

    assertThatThrownBy(() -> RedisCheckpointStore.builder(space)
            .stage(stage)
            .build()
            .enqueue("t", input, CHAIN.schemas())
            .block(PATIENCE))
        .isNotNull();
    assertThatThrownBy(() -> GraphRunner.builder(CHAIN)
            .checkpoints(RedisCheckpointStore.builder(space).stage(stage).build())
            .build()
            .thread("t")
            .run(Update.NOTHING)
            .block(PATIENCE))
        .isNotNull();
    assertThatThrownBy(() -> RedisMemory.builder(space)
            .stage(stage)
            .build()
            .write(MemoryWrite.put(USERS, "ada", Map.of("likes", "tea")), NOW)
            .block(PATIENCE))
        .isNotNull();
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("an observer that throws does not change the result of a call")
  void observing(Thrown thrown) {
    RedisSpace observed = RedisSpace.builder(RedisServers.standalone())
        .prefix(prefix)
        .observer((call, time, failure) -> thrown.raise())
        .build();
    try {
      RunResult result = GraphRunner.builder(CHAIN)
          .checkpoints(RedisCheckpointStore.of(observed))
          .build()
          .thread("t")
          .run(Update.NOTHING)
          .block(PATIENCE);

      assertThat(result.state().get(Chains.LOG)).containsExactly("a", "b", "c");
    } finally {
      observed.close();
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("a function of the user that throws behind a call ends the chain of the user")
  void operating(Thrown thrown) {
    RedisCheckpointStore store = RedisCheckpointStore.of(space);
    RedisMemory memory = RedisMemory.of(space);
    memory.write(MemoryWrite.put(USERS, "ada", Map.of("likes", "tea")), NOW).block(PATIENCE);
    List<Mono<Object>> chains = List.of(
        store.acquire("t", "ada", PATIENCE).map(lease -> thrown.raise()),
        memory.get(USERS, "ada").map(item -> thrown.raise()),
        memory.search(MemoryQuery.below(USERS)).map(item -> thrown.raise()).next());

    for (Mono<Object> chain : chains) {
      assertThatThrownBy(() -> chain.block(PATIENCE))
          .satisfies(failure ->
              assertThat(String.valueOf(failure.getMessage())).doesNotContain("Timeout"));
    }
    MemoryItem item = memory.get(USERS, "ada").block(PATIENCE);
    assertThat(item).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("a follower that throws is cancelled, and Redis is asked for no more messages")
  void followerThatThrows(Thrown thrown) throws InterruptedException {
    CountDownLatch called = new CountDownLatch(1);
    try (StatefulRedisConnection<String, String> redis =
        RedisServers.standalone().connect()) {
      RedisEventLog log = RedisEventLog.of(space);
      GraphRunner.builder(CHAIN)
          .checkpoints(RedisCheckpointStore.of(space))
          .events(log)
          .build()
          .thread("t")
          .run(Update.NOTHING)
          .block(PATIENCE);
      log.follow("t", 0, Chunks.NONE, CHAIN.schemas()).subscribe(new CoreSubscriber<GraphEvent>() {
        @Override
        public void onSubscribe(Subscription subscription) {
          subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(GraphEvent event) {
          called.countDown();
          thrown.raise();
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}
      });

      called.await(); // only then Redis is asked for messages
      String channel = space.keys().events("t").get(0);
      Mono.defer(() -> redis.reactive().pubsubNumsub(channel))
          .filter(subscribers -> subscribers.get(channel) == 0)
          .repeatWhenEmpty(looks -> looks.delayElements(Duration.ofMillis(10)))
          .block(PATIENCE);
    }
  }

  @Test
  @DisplayName("an error that the client throws while it connects reaches the caller")
  void connecting() {
    RedisClient client = RedisClient.create(RedisServers.uri(RedisServers.standalonePort()));
    client.setOptions(ClientOptions.builder().socketOptions(new BrokenOptions()).build());
    try (RedisSpace broken = RedisSpace.of(client)) {
      assertThatThrownBy(() -> RedisMemory.of(broken).get(USERS, "ada").block(PATIENCE))
          .isInstanceOf(RedisUnavailableException.class);
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
  }

  /** Options that lack a class. */
  private static final class BrokenOptions extends SocketOptions {

    BrokenOptions() {
      super(builder());
    }

    @Override
    public Duration getConnectTimeout() {
      throw new NoClassDefFoundError("gone");
    }
  }
}
