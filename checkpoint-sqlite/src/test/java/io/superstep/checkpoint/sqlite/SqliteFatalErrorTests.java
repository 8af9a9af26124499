package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.json.ByteStage;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Outbox;
import io.superstep.reactor.GraphRunner;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Errors that Reactor rethrows instead of signalling them. */
class SqliteFatalErrorTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Namespace NAMES = Namespace.of("names");

  @TempDir
  private Path directory;

  private SqliteDatabase database;
  private SqliteCheckpointStore store;
  private SqliteEventLog events;
  private SqliteMemory memory;
  private final FailingStage stage = new FailingStage();

  /** A stage that throws what it is told to. */
  private static final class FailingStage implements ByteStage {

    private volatile Error failure;

    private byte[] same(byte[] bytes) {
      Error thrown = failure;
      if (thrown != null) {
        throw thrown;
      }
      return bytes;
    }

    @Override
    public byte[] apply(byte[] bytes) {
      return same(bytes);
    }

    @Override
    public byte[] undo(byte[] stored) {
      return same(stored);
    }
  }

  @SuppressWarnings("removal") // thrown by code that still stops threads
  static Stream<Error> errors() {
    return Stream.of(
        new NoClassDefFoundError("missing"),
        new ExceptionInInitializerError("missing"),
        new StackOverflowError("missing"),
        new OutOfMemoryError("missing"),
        new InternalError("missing"),
        new ThreadDeath());
  }

  @BeforeEach
  void open() {
    database = SqliteDatabase.open(directory.resolve("threads.db"));
    store = SqliteCheckpointStore.builder(database).stage(stage).build();
    events = SqliteEventLog.builder(database).stage(stage).build();
    memory = SqliteMemory.builder(database).stage(stage).build();
    GraphRunner.builder(Chains.chain(node -> {}))
        .checkpoints(store)
        .events(events)
        .build()
        .thread("t")
        .run(Update.NOTHING)
        .block(PATIENCE);
    memory.write(item("ada"), Instant.EPOCH).block(PATIENCE);
  }

  /** Waits for every accepted call, so it would hang if one of them had not left. */
  @AfterEach
  void close() {
    assertThat(CompletableFuture.runAsync(database::close)).succeedsWithin(PATIENCE);
  }

  private static MemoryWrite item(String key) {
    return MemoryWrite.put(NAMES, key, Map.of("name", key));
  }

  private static Outbox outbox() {
    return new Outbox(
        new io.superstep.memory.Writer("t", 1, 1), Instant.EPOCH, List.of(item("bob")));
  }

  /** On another thread, where a thrown error would be lost. */
  private static void assertSignalled(Supplier<Publisher<?>> call, Error error) {
    CompletableFuture<Throwable> signalled = new CompletableFuture<>();
    Schedulers.parallel().schedule(() -> {
      try {
        Flux.from(call.get())
            .subscribe(value -> {}, signalled::complete, () -> signalled.complete(null));
      } catch (Throwable thrown) {
        signalled.complete(new AssertionError("thrown by subscribe: " + thrown));
      }
    });
    assertThat(signalled)
        .succeedsWithin(PATIENCE)
        .satisfies(
            failure -> assertThat(failure == error ? error : failure.getCause()).isSameAs(error));
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("an error of a codec that encodes is signalled, and nothing is written")
  void encoding(Error error) {
    List<GraphEvent> facts = events.read("t", 0, Schemas.NONE).collectList().block(PATIENCE);
    QueuedInput input = new QueuedInput("id", Update.NOTHING, "ada", Instant.EPOCH);
    Scribe scribe = Scribe.of(store, "u").block(PATIENCE);
    stage.failure = error;

    assertSignalled(() -> scribe.append("text"), error);
    assertSignalled(() -> store.enqueue("t", input, Schemas.NONE), error);
    assertSignalled(() -> events.append("u", 9, facts, Schemas.NONE), error);
    assertSignalled(() -> memory.write(item("bob"), Instant.EPOCH), error);
    assertSignalled(() -> memory.apply(outbox()), error);

    stage.failure = null;
    assertThat(scribe.append("text").block(PATIENCE)).isNotNull();
    assertThat(memory.get(NAMES, "bob").block(PATIENCE)).isNull();
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("an error of a codec that decodes is signalled, and contained in lists")
  void decoding(Error error) {
    stage.failure = error;

    assertSignalled(() -> store.load("t", Schemas.NONE), error);
    assertSignalled(() -> store.history("t", HistoryFilter.ALL, Schemas.NONE), error);
    assertSignalled(() -> store.compact("t"), error);
    assertSignalled(() -> events.read("t", 0, Schemas.NONE), error);
    assertSignalled(() -> memory.get(NAMES, "ada"), error);
    assertThat(memory.search(MemoryQuery.ALL).collectList().block(PATIENCE)).isEmpty();
    assertThat(store.threads(EnumSet.allOf(ThreadStatus.class)).collectList().block(PATIENCE))
        .extracting(ThreadSummary::status)
        .containsExactly(ThreadStatus.UNREADABLE);

    stage.failure = null;
    assertThat(store.load("t", Schemas.NONE).block(PATIENCE)).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("an error in a transaction is signalled, and the others of its group are written")
  void transactions(Error error) {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch isHeld = new CountDownLatch(1);
    Mono<Boolean> holding = database.write("holding", session -> {
      isHeld.countDown();
      SqliteStarvationTests.await(go);
      return true;
    });
    CompletableFuture<Boolean> held = holding.toFuture();
    SqliteStarvationTests.await(isHeld);
    CompletableFuture<Boolean> before =
        database.<Boolean>write("writing", session -> true).toFuture();
    CompletableFuture<Object> failing = database
        .write("failing", session -> {
          throw error;
        })
        .toFuture();
    CompletableFuture<Boolean> after =
        database.<Boolean>write("writing", session -> true).toFuture();
    go.countDown();

    assertThat(held).succeedsWithin(PATIENCE);
    assertThat(before).succeedsWithin(PATIENCE);
    assertThat(after).succeedsWithin(PATIENCE);
    assertThat(failing).failsWithin(PATIENCE).withThrowableThat().withCause(error);
    for (int number = 0; number < 8; number++) { // more than there are readers
      assertSignalled(
          () -> database.read("failing", session -> {
            throw error;
          }),
          error);
    }
    assertThat(database.<Boolean>read("reading", session -> true).block(PATIENCE))
        .isTrue();
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("an error of an operator on a delivery thread reaches its own subscriber")
  void operators(Error error) {
    for (int number = 0; number < Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE + 1; number++) {
      assertSignalled(
          () -> store.load("t", Schemas.NONE).map(saved -> {
            throw error;
          }),
          error);
      assertSignalled(
          () -> memory.apply(outbox()).doOnNext(applied -> {
            throw error;
          }),
          error);
    }
    assertThat(memory.get(NAMES, "ada").block(PATIENCE)).isNotNull();
    assertThatThrownBy(() -> memory
            .get(NAMES, "ada")
            .map(item -> {
              throw error;
            })
            .block(PATIENCE))
        .isSameAs(error);
  }

  @ParameterizedTest
  @MethodSource("errors")
  @DisplayName("an error of an operator behind a list or a follower ends it and releases it")
  void operatorsOfLists(Error error) {
    List<Flux<?>> lists = List.of(
        store.history("t", HistoryFilter.ALL, Schemas.NONE),
        store.threads(EnumSet.allOf(ThreadStatus.class)),
        store.export("t"),
        memory.search(MemoryQuery.ALL),
        events.read("t", 0, Schemas.NONE),
        events.follow("t", 0, Chunks.NONE, Schemas.NONE));

    for (Flux<?> list : lists) {
      assertSignalled(
          () -> list.map(value -> {
            throw error;
          }),
          error);
    }
    assertThat(database.bells().size()).isZero();
  }
}
