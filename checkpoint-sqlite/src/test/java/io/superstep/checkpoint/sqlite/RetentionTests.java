package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.json.InvalidJsonException;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.Resume;
import io.superstep.reactor.RunResult;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import io.superstep.testkit.MovingClock;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What goes without anybody having to ask. */
class RetentionTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration WEEK = Duration.ofDays(7);

  private final MovingClock clock = new MovingClock(Instant.parse("2026-01-01T00:00:00Z"));

  @TempDir
  private Path directory;

  private SqliteDatabase database;

  @BeforeEach
  void open() {
    database = SqliteDatabase.open(directory.resolve("threads.db"));
  }

  @AfterEach
  void close() {
    database.close();
  }

  private SqliteCheckpointStore.Builder store(Retention retention) {
    return SqliteCheckpointStore.builder(database).clock(clock).retention(retention);
  }

  private GraphRunner runner(SqliteCheckpointStore store) {
    return GraphRunner.builder(Chains.approval(node -> {}))
        .clock(clock)
        .checkpoints(store)
        .build();
  }

  private static List<String> threads(SqliteCheckpointStore store) {
    return store
        .threads(EnumSet.allOf(ThreadStatus.class))
        .map(ThreadSummary::thread)
        .collectList()
        .block(PATIENCE);
  }

  /** One thread that is done, and one that waits. */
  private void twoThreads(SqliteCheckpointStore store) {
    GraphThread done = runner(store).thread("done");
    done.run(Update.NOTHING).block(PATIENCE);
    RunResult.of(done.resume(Resume.answer("publish", true))).block(PATIENCE);
    runner(store).thread("paused").run(Update.NOTHING).block(PATIENCE);
  }

  @Test
  @DisplayName("S2.34 a thread that was done 7 days ago is swept away, a paused one stays")
  void doneThreadsGo() {
    SqliteCheckpointStore store = store(Retention.doneFor(WEEK)).build();
    twoThreads(store);
    clock.pass(WEEK);
    assertThat(store.sweep().block(PATIENCE)).isZero();
    assertThat(threads(store)).containsExactlyInAnyOrder("done", "paused");

    clock.pass(Duration.ofSeconds(1));

    assertThat(store.sweep().block(PATIENCE)).isEqualTo(3);
    assertThat(threads(store)).containsExactly("paused");
  }

  @Test
  @DisplayName("S2.34 threads are swept now and then without being asked")
  void sweepsByItself() {
    SqliteCheckpointStore store =
        store(Retention.doneFor(WEEK)).sweepEvery(Duration.ofMillis(10)).build();
    twoThreads(store);

    clock.pass(WEEK.plusSeconds(1));

    awaitNoneDone(store);
    assertThat(threads(store)).containsExactly("paused");
  }

  @Test
  @DisplayName("S2.34 a sweep that fails is told, and the next one comes all the same")
  void sweepsAgain() throws SQLException, InterruptedException {
    Path file = directory.resolve("threads.db");
    twoThreads(store(Retention.ALL).build());
    clock.pass(WEEK.plusSeconds(1));
    BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
    Hooks.resetOnErrorDropped();
    Hooks.onErrorDropped(told::add);
    VirtualTimeScheduler time = VirtualTimeScheduler.create();

    try (SqliteDatabase impatient = SqliteDatabase.builder(file)
            .busyTimeout(Duration.ofMillis(1))
            .scheduler(time)
            .open();
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      SqliteCheckpointStore store = SqliteCheckpointStore.builder(impatient)
          .clock(clock)
          .retention(Retention.doneFor(WEEK))
          .build();
      assertThat(threads(store)).containsExactlyInAnyOrder("done", "paused");
      statement.execute("BEGIN IMMEDIATE");
      for (int hour = 0; hour < 2; hour++) {
        time.advanceTimeBy(Duration.ofHours(1));
        assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
            .isInstanceOf(SqliteBusyException.class);
      }
      statement.execute("COMMIT");

      time.advanceTimeBy(Duration.ofHours(1));

      awaitNoneDone(store);
      assertThat(told).isEmpty();
    } finally {
      Hooks.resetOnErrorDropped();
    }
  }

  @Test
  @DisplayName("S2.34 a thread that cannot be read is told, and keeps no other from being swept")
  void sweepsTheOthers() {
    SqliteCheckpointStore store = store(Retention.doneFor(WEEK)).build();
    GraphRunner runner = GraphRunner.builder(Chains.chain(node -> {}))
        .clock(clock)
        .checkpoints(store)
        .build();
    for (String thread : List.of("a", "b", "c")) {
      runner.thread(thread).run(Update.NOTHING).block(PATIENCE);
    }
    database
        .write(
            "scribbling",
            session -> session.update("UPDATE checkpoint SET entry = x'7b'"
                + " WHERE thread = (SELECT id FROM thread WHERE name = 'a')"))
        .block(PATIENCE);
    clock.pass(WEEK.plusSeconds(1));

    assertThatThrownBy(() -> store.sweep().block(PATIENCE))
        .isInstanceOf(InvalidJsonException.class);

    assertThat(database
            .<String>read(
                "looking",
                session ->
                    session.one("SELECT group_concat(name) FROM thread", rows -> rows.getString(1)))
            .block(PATIENCE))
        .isEqualTo("a");
  }

  /** Begins thread {@code t} with so many checkpoints. */
  private static void begin(SqliteCheckpointStore store, String owner, int checkpoints) {
    Scribe.of(store, "t")
        .flatMapMany(
            scribe -> Flux.range(0, checkpoints).concatMap(number -> scribe.append(owner + number)))
        .blockLast(PATIENCE);
  }

  @Test
  @DisplayName(
      "S2.34 a prune that comes late does not take another thread of that name for the first")
  void latePrune() {
    Path file = directory.resolve("threads.db");
    SqliteCheckpointStore store = store(Retention.ALL).build();
    begin(store, "first", 6);
    ThreadPoolExecutor hands =
        new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    Scheduler handing = Schedulers.fromExecutorService(hands);
    CountDownLatch go = new CountDownLatch(1);
    hands.execute(() -> {
      try {
        go.await();
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
    });

    try (SqliteDatabase late = SqliteDatabase.builder(file).scheduler(handing).open()) {
      CompletableFuture<Long> pruning = SqliteCheckpointStore.of(late)
          .prune("t", Retention.last(2), clock.instant())
          .toFuture();
      while (hands.getQueue().isEmpty()) {
        Thread.onSpinWait(); // until it is known what is to go
      }
      clock.pass(WEEK); // so that nobody holds the thread any more
      store.delete("t").block(PATIENCE);
      begin(store, "second", 6);
      List<Checkpoint> before = history(store);

      go.countDown();

      assertThat(pruning.join()).isEqualTo(4);
      List<Checkpoint> after = history(store);
      assertThat(after).hasSize(2);
      assertThat(after.get(0)).isEqualTo(before.get(0));
      assertThat(
              store.load("t", Scribe.SCHEMAS).block(PATIENCE).position().state().get(Chains.LOG))
          .containsExactly("second0", "second1", "second2", "second3", "second4", "second5");
    } finally {
      handing.dispose();
    }
  }

  private static List<Checkpoint> history(SqliteCheckpointStore store) {
    return store.history("t", HistoryFilter.ALL, Scribe.SCHEMAS).collectList().block(PATIENCE);
  }

  private static void awaitNoneDone(SqliteCheckpointStore store) {
    store
        .threads(EnumSet.of(ThreadStatus.DONE))
        .count()
        .filter(count -> count == 0)
        .repeatWhenEmpty(Integer.MAX_VALUE, looks -> looks.delayElements(Duration.ofMillis(5)))
        .block(PATIENCE);
  }

  @Test
  @DisplayName("S2.34 keep-last 5 leaves 5 to 10 as a thread grows, and 5 when it is swept")
  void lastFive() {
    SqliteCheckpointStore store = store(Retention.last(5)).build();
    GraphThread thread = GraphRunner.builder(Chains.chain(node -> {}))
        .clock(clock)
        .checkpoints(store)
        .build()
        .thread("t");
    for (int turn = 0; turn < 10; turn++) {
      thread.run(Update.NOTHING).block(PATIENCE);
    }
    thread
        .history()
        .count()
        .filter(count -> count <= 10)
        .repeatWhenEmpty(Integer.MAX_VALUE, looks -> looks.delayElements(Duration.ofMillis(5)))
        .block(PATIENCE);
    List<String> log = thread.state().block(PATIENCE).position().state().get(Chains.LOG);

    store.sweep().block(PATIENCE);

    List<Checkpoint> left = thread.history().collectList().block(PATIENCE);
    assertThat(left).hasSize(5);
    assertThat(left.get(4).parent()).isNull();
    assertThat(left.get(3).parent()).isEqualTo(left.get(4).id());
    assertThat(thread.state().block(PATIENCE).position().state().get(Chains.LOG))
        .isEqualTo(log)
        .hasSize(30);
  }
}
