package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.SavedThread;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.memory.MemoryItem;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Schedulers;

/** The stores of a file while threads of the application are blocked. */
class SqliteStarvationTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Namespace NAMES = Namespace.of("names");

  @TempDir
  private Path directory;

  private SqliteDatabase database;
  private SqliteCheckpointStore store;
  private SqliteEventLog events;
  private SqliteMemory memory;

  @BeforeEach
  void open() {
    database = SqliteDatabase.open(directory.resolve("threads.db"));
    store = SqliteCheckpointStore.of(database);
    events = SqliteEventLog.of(database);
    memory = SqliteMemory.of(database);
    GraphRunner.builder(Chains.chain(node -> {}))
        .checkpoints(store)
        .events(events)
        .build()
        .thread("t")
        .run(Update.NOTHING)
        .block(PATIENCE);
    memory.write(write("ada"), Instant.EPOCH).block(PATIENCE);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static MemoryWrite write(String key) {
    return MemoryWrite.put(NAMES, key, Map.of("name", key));
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  private SavedThread load() {
    return store.load("t", Schemas.NONE).block();
  }

  /**
   * Occupies every thread of boundedElastic until the latch is released, with more tasks queued.
   */
  private static CountDownLatch exhaustBoundedElastic() {
    int size = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
    CountDownLatch areBusy = new CountDownLatch(size);
    CountDownLatch release = new CountDownLatch(1);
    for (int number = 0; number < size * 3; number++) {
      Schedulers.boundedElastic().schedule(() -> {
        areBusy.countDown();
        await(release);
      });
    }
    await(areBusy);
    return release;
  }

  @Test
  @DisplayName("more blocking calls than boundedElastic has threads all receive their results")
  void blockingCalls() {
    int all = 3 * Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
    Mono<Long> calls = Flux.range(0, all)
        .flatMap(
            number -> Mono.fromCallable(() -> switch (number % 3) {
                  case 0 -> memory.get(NAMES, "ada").block();
                  case 1 -> load();
                  default -> {
                    memory.write(write("bob"), Instant.EPOCH).block();
                    yield number;
                  }
                })
                .subscribeOn(Schedulers.boundedElastic()),
            all)
        .count();

    assertThat(calls.block(PATIENCE)).isEqualTo(all);
  }

  @Test
  @DisplayName("block() in an operator behind a read or a write is refused at once")
  void blockOnDelivery() {
    List<Mono<?>> calls = List.of(
        store.load("t", Schemas.NONE).map(saved -> memory.get(NAMES, "ada").block()),
        memory.get(NAMES, "ada").map(item -> load()),
        memory.search(MemoryQuery.ALL).map(item -> load()).next(),
        memory.apply(outbox()).map(applied -> load()),
        events.read("t", 0, Schemas.NONE).map(event -> load()).next(),
        events.follow("t", 0, Chunks.NONE, Schemas.NONE).map(event -> load()).next(),
        store.history("t", HistoryFilter.ALL, Schemas.NONE).map(past -> load()).next());

    for (Mono<?> call : calls) {
      assertThatThrownBy(() -> call.block(PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("are blocking, which is not supported in thread superstep-sqlite");
    }
    assertThat(load()).isNotNull();
  }

  private static Outbox outbox() {
    return new Outbox(
        new io.superstep.memory.Writer("t", 1, 1), Instant.EPOCH, List.of(write("cleo")));
  }

  @Test
  @DisplayName("60 operators that block on delivery threads fail, and the store still answers")
  void blocksOnAllDeliveryThreads() {
    Long refused = Flux.range(0, 60)
        .flatMap(
            number -> store
                .load("t", Schemas.NONE)
                .map(saved -> memory.get(NAMES, "ada").block())
                .onErrorResume(IllegalStateException.class, error -> Mono.empty())
                .thenReturn(number),
            60)
        .count()
        .block(PATIENCE);

    assertThat(refused).isEqualTo(60);
    assertThat(memory.get(NAMES, "ada").block(PATIENCE)).isNotNull();
  }

  @Test
  @DisplayName("the store answers while the application occupies all of boundedElastic")
  void exhausted() {
    CountDownLatch release = exhaustBoundedElastic();
    try {
      assertThat(store.load("t", Schemas.NONE).block(PATIENCE)).isNotNull();
      assertThat(memory.get(NAMES, "ada").block(PATIENCE))
          .extracting(MemoryItem::key)
          .isEqualTo("ada");
      memory.write(write("bob"), Instant.EPOCH).block(PATIENCE);
      assertThat(memory.search(MemoryQuery.ALL).count().block(PATIENCE)).isEqualTo(2);
      assertThat(events.read("t", 0, Schemas.NONE).count().block(PATIENCE)).isPositive();
      assertThat(store.history("t", HistoryFilter.ALL, Schemas.NONE).count().block(PATIENCE))
          .isEqualTo(4);
    } finally {
      release.countDown();
    }
  }

  @Test
  @DisplayName("cancelled and failing reads are finished while boundedElastic is exhausted")
  void cancelledAndFailing() {
    CountDownLatch release = exhaustBoundedElastic();
    try {
      CountDownLatch go = new CountDownLatch(1);
      CountDownLatch areHeld = new CountDownLatch(4);
      for (int number = 0; number < 4; number++) {
        database
            .read("waiting", session -> {
              areHeld.countDown();
              await(go);
              return true;
            })
            .subscribe();
      }
      await(areHeld);
      Future<MemoryItem> cancelled = memory.get(NAMES, "ada").toFuture();
      Future<Object> failing = database
          .read("failing", session -> {
            throw new IllegalArgumentException("failed");
          })
          .toFuture();
      Future<MemoryItem> wanted = memory.get(NAMES, "ada").toFuture();
      cancelled.cancel(true);
      go.countDown();

      assertThat(failing)
          .failsWithin(PATIENCE)
          .withThrowableThat()
          .withStackTraceContaining("failed");
      assertThat(wanted).succeedsWithin(PATIENCE);
      CompletableFuture<Void> closing = CompletableFuture.runAsync(
          database::close, command -> new Thread(command, "closing").start());
      assertThat(closing).succeedsWithin(PATIENCE);
    } finally {
      release.countDown();
    }
  }

  @Test
  @DisplayName("a follower sees events of another process while boundedElastic is exhausted")
  void timers() {
    CountDownLatch release = exhaustBoundedElastic();
    try (SqliteDatabase other = SqliteDatabase.open(directory.resolve("threads.db"))) {
      SqliteEventLog theirs = SqliteEventLog.of(other); // as another process would append
      long last = events.open("u", 7).block(PATIENCE);
      CompletableFuture<Boolean> woken = new CompletableFuture<>();
      var following = events
          .follow("u", last, Chunks.NONE, Schemas.NONE)
          .subscribe(event -> woken.complete(Thread.currentThread() instanceof NonBlocking));
      List<GraphEvent> copied =
          events.read("t", 0, Schemas.NONE).take(1).collectList().block(PATIENCE);
      theirs.append("u", 7, copied, Schemas.NONE).block(PATIENCE);

      assertThat(woken).succeedsWithin(PATIENCE).isEqualTo(true);
      following.dispose();
    } finally {
      release.countDown();
    }
  }
}
