package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.event.Chunks;
import io.superstep.reactor.GraphRunner;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import io.superstep.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.blockhound.BlockingOperationError;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** How a file is used by many at once. */
class SqliteDatabaseTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration LEASE = Duration.ofSeconds(30);

  @TempDir
  private Path directory;

  private SqliteDatabase open() {
    return SqliteDatabase.open(directory.resolve("threads.db"));
  }

  /** Keeps whoever writes from going on until it is told to. */
  private static CountDownLatch held(SqliteDatabase database) {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch isHeld = new CountDownLatch(1);
    database
        .write("waiting", session -> {
          isHeld.countDown();
          await(go);
          return true;
        })
        .subscribe();
    await(isHeld);
    return go;
  }

  @Test
  @DisplayName("what many ask for at once is written in one transaction")
  void groups() {
    try (SqliteDatabase database = open()) {
      SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
      CountDownLatch go = held(database);
      CompletableFuture<List<Lease>> leases = Flux.range(0, 100)
          .flatMap(number -> store.acquire("t" + number, "me", LEASE), 100)
          .collectList()
          .toFuture();
      long before = database.transactions();
      go.countDown();

      assertThat(leases.join()).extracting(Lease::fence).doesNotHaveDuplicates().hasSize(100);
      assertThat(database.transactions() - before).isLessThanOrEqualTo(2);
    }
  }

  @Test
  @DisplayName("whoever goes on where it was written keeps nobody else from writing")
  void goesOn() throws InterruptedException {
    try (SqliteDatabase database = open()) {
      CountDownLatch go = new CountDownLatch(1);
      CountDownLatch isHeld = new CountDownLatch(1);
      CompletableFuture<Boolean> slow = database
          .<Boolean>write("writing", session -> true)
          .doOnNext(written -> {
            isHeld.countDown();
            await(go);
          })
          .toFuture();
      isHeld.await();

      assertThat(database.<Boolean>write("writing", session -> true).block(PATIENCE))
          .isTrue();
      go.countDown();
      assertThat(slow.join()).isTrue();
    }
  }

  @Test
  @DisplayName("however many keep the threads that hand on, others can write")
  void manyGoOn() throws InterruptedException {
    int many = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
    try (SqliteDatabase database = open()) {
      CountDownLatch go = new CountDownLatch(1);
      CountDownLatch areHeld = new CountDownLatch(many);
      CompletableFuture<Long> slow = Flux.range(0, many)
          .flatMap(
              number -> database.<Integer>write("writing", session -> number).doOnNext(written -> {
                areHeld.countDown();
                await(go);
              }),
              many)
          .count()
          .toFuture();
      areHeld.await();
      CountDownLatch isWritten = new CountDownLatch(1);

      database
          .write("writing", session -> {
            isWritten.countDown();
            return true;
          })
          .subscribe();

      assertThat(isWritten.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      go.countDown();
      assertThat(slow.join()).isEqualTo(many);
    }
  }

  @Test
  @DisplayName("a subscriber may write again on a delivery thread, and must not block for it")
  void writesAgain() {
    try (SqliteDatabase database = open()) {
      Mono<Boolean> writing = database.write("writing", session -> true);

      assertThat(writing.flatMap(written -> writing).block(PATIENCE)).isTrue();
      assertThatThrownBy(() -> writing.map(written -> writing.block(PATIENCE)).block(PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("block()");
    }
  }

  @Test
  @DisplayName("of those who were written together nobody waits for what another does then")
  void toldApart() {
    try (SqliteDatabase database = open()) {
      CountDownLatch all = new CountDownLatch(8);
      CountDownLatch go = held(database);
      CompletableFuture<Long> told = Flux.range(0, 8)
          .flatMap(
              number -> database.<Integer>write("writing", session -> number).doOnNext(written -> {
                all.countDown();
                await(all); // for the others
              }),
              8)
          .count()
          .toFuture();
      go.countDown();

      assertThat(told.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isEqualTo(8);
    }
  }

  @Test
  @DisplayName("whoever goes on where it was written may close the file")
  void closesThere() {
    SqliteDatabase database = open();

    Boolean isInterrupted = database
        .<Boolean>write("writing", session -> true)
        .map(written -> {
          database.close();
          return Thread.currentThread().isInterrupted();
        })
        .block(PATIENCE);

    assertThat(isInterrupted).isFalse();
    StepVerifier.create(database.write("writing", session -> true))
        .verifyError(SqliteClosedException.class);
  }

  @Test
  @DisplayName("what was written is told although the scheduler that hands it on was disposed of")
  void disposed() {
    Scheduler handing = Schedulers.newSingle("handing");
    try (SqliteDatabase database = SqliteDatabase.builder(directory.resolve("threads.db"))
        .scheduler(handing)
        .open()) {
      CountDownLatch go = held(database);
      CompletableFuture<Boolean> told =
          database.<Boolean>write("writing", session -> true).toFuture();
      handing.dispose();
      go.countDown();

      assertThat(told.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isTrue();
    }
  }

  @Test
  @DisplayName("what was written is told although no JVM thread can be had for it")
  void noThread() {
    Refusing handing = new Refusing(Schedulers.boundedElastic());
    SqliteDatabase database = SqliteDatabase.builder(directory.resolve("threads.db"))
        .scheduler(handing)
        .open();
    CountDownLatch go = held(database);
    CompletableFuture<Long> told = Flux.range(0, 8)
        .flatMap(number -> database.<Integer>write("writing", session -> number), 8)
        .count()
        .toFuture();
    handing.refuse(3);
    go.countDown();

    assertThat(told.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isEqualTo(8);
    close(database);
  }

  @Test
  @DisplayName("what was written is told on the spot if nobody else can be found")
  void nobody() {
    Refusing handing = new Refusing(Schedulers.boundedElastic());
    SqliteDatabase database = SqliteDatabase.builder(directory.resolve("threads.db"))
        .scheduler(handing)
        .open();
    Schedulers.onScheduleHook("nobody", task -> {
      if (Thread.currentThread().getName().startsWith("superstep-sqlite-writer")) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return task;
    });
    try {
      handing.refuse(1);
      assertThat(database.<Boolean>write("writing", session -> true).block(PATIENCE))
          .isTrue();
    } finally {
      Schedulers.resetOnScheduleHook("nobody");
    }
    close(database);
  }

  /** Closes, and does not wait for it for ever. */
  private static void close(SqliteDatabase database) {
    CompletableFuture.runAsync(database::close)
        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  @Test
  @DisplayName("a call whose own code throws a CancellationException fails with it")
  void cancellation() {
    try (SqliteDatabase database = open()) {
      StepVerifier.create(database.write("writing", session -> {
            throw new CancellationException("by a clock");
          }))
          .expectErrorMessage("by a clock")
          .verify(PATIENCE);
      StepVerifier.create(database.read("reading", session -> {
            throw new CancellationException("by a clock");
          }))
          .expectErrorMessage("by a clock")
          .verify(PATIENCE);
    }
  }

  @Test
  @DisplayName("no thread keeps the JVM alive after the file is closed, and its threads end")
  void endsThreads() {
    try (ChildJvm process =
        ChildJvm.start(ClosingProcess.class, directory.resolve("threads.db").toString())) {
      assertThat(process.remaining()).containsExactly("started", "open", "closed", "exits");
    }
  }

  private SqliteDatabase tellingOnTheSpot() {
    return SqliteDatabase.builder(directory.resolve("threads.db"))
        .scheduler(Schedulers.immediate())
        .open();
  }

  @Test
  @DisplayName("whoever is told on the spot may close the file")
  void closesOnTheSpot() {
    SqliteDatabase database = tellingOnTheSpot();

    assertThat(database
            .<Boolean>write("writing", session -> true)
            .doOnNext(written -> database.close())
            .block(PATIENCE))
        .isTrue();
  }

  @Test
  @DisplayName("whoever is told on the spot may close the file while another call waits")
  void closesOnTheSpotBeforeAnother() {
    SqliteDatabase database = tellingOnTheSpot();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);

    Future<Boolean> first = database
        .<Boolean>write("writing", session -> {
          begun.countDown();
          await(asked);
          return true;
        })
        .doOnNext(written -> database.close())
        .toFuture();
    await(begun);
    Future<Boolean> second = database.<Boolean>write("writing", session -> true).toFuture();
    asked.countDown();

    assertThat(first).succeedsWithin(PATIENCE).isEqualTo(true);
    assertThat(second).succeedsWithin(PATIENCE).isEqualTo(true);
  }

  @Test
  @DisplayName("whoever closes goes on when the file is closed, also if another has begun it")
  void closedByTwo() {
    for (int round = 0; round < 20; round++) {
      Path log = directory.resolve(round + ".db-wal");
      SqliteDatabase database = SqliteDatabase.open(directory.resolve(round + ".db"));
      writeMegabytes(database, 1);

      List<Boolean> isLeft = Flux.range(0, 2)
          .flatMap(closer -> Mono.fromCallable(() -> {
                database.close();
                return Files.exists(log);
              })
              .subscribeOn(Schedulers.boundedElastic()))
          .collectList()
          .block(PATIENCE);

      assertThat(isLeft).containsExactly(false, false);
    }
  }

  @Test
  @DisplayName("closing the file ends every follower, also if the scheduler rejects a wake-up")
  void closesUnwoken() throws InterruptedException {
    Refusing handing = new Refusing(Schedulers.boundedElastic());
    SqliteDatabase database = SqliteDatabase.builder(directory.resolve("threads.db"))
        .scheduler(handing)
        .open();
    SqliteEventLog log =
        SqliteEventLog.builder(database).lookEvery(Duration.ofDays(1)).build();
    List<CompletableFuture<Throwable>> ended = new ArrayList<>(); // whose callers take no lock
    for (String thread : List.of("t", "u")) {
      log.open(thread, 1).block(PATIENCE);
      CompletableFuture<Throwable> end = new CompletableFuture<>();
      ended.add(end);
      log.follow(thread, 0, Chunks.NONE, Schemas.NONE).subscribe(event -> {}, end::complete);
    }
    awaitReads(database, 4);
    awaitIdle(database);
    handing.refuse(1);

    close(database);

    assertThat(directory.resolve("threads.db-wal")).doesNotExist();
    for (CompletableFuture<Throwable> end : ended) {
      assertThat(end.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
          .isInstanceOf(SqliteClosedException.class);
    }
  }

  /** Until what was read has been handed on. */
  private static void awaitIdle(SqliteDatabase database) {
    for (int again = 0; again < 8; again++) {
      database.read("reading", session -> true).block(PATIENCE);
    }
  }

  @Test
  @DisplayName("nothing is written, and nobody told, with the interrupt of somebody else")
  void interrupted() {
    try (SqliteDatabase database = open()) {
      Mono<Boolean> writing =
          database.write("writing", session -> Thread.currentThread().isInterrupted());
      for (int round = 0; round < 50; round++) {
        CountDownLatch go = held(database); // so that we wait for it before it is told
        CompletableFuture<Boolean> next = new CompletableFuture<>();
        CompletableFuture<Boolean> first = writing
            .doOnNext(written -> {
              writing.subscribe(
                  amidst -> next.complete(amidst || Thread.currentThread().isInterrupted()));
              Thread.currentThread().interrupt();
            })
            .toFuture();
        go.countDown();

        assertThat(first.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
            .isFalse();
        assertThat(next.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
            .isFalse();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Test
  @DisplayName("what breaks is undone, and does not concern the others of its transaction")
  void isolated() {
    try (SqliteDatabase database = open()) {
      SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
      CountDownLatch go = held(database);
      CompletableFuture<Lease> first = store.acquire("first", "me", LEASE).toFuture();
      CompletableFuture<Object> broken = database
          .write("breaking", session -> {
            session.update("INSERT INTO thread (name) VALUES ('half')");
            throw new IllegalArgumentException("broken");
          })
          .toFuture();
      CompletableFuture<Lease> last = store.acquire("last", "me", LEASE).toFuture();
      go.countDown();

      assertThat(first.join().thread()).isEqualTo("first");
      assertThat(last.join().thread()).isEqualTo("last");
      assertThatThrownBy(broken::join).hasRootCauseMessage("broken");
      assertThat(database
              .<Long>read("counting", session -> session.number("SELECT count(*) FROM thread"))
              .block(PATIENCE))
          .isEqualTo(2);
    }
  }

  @Test
  @DisplayName("what fails in a way that nobody has declared is told, and concerns nobody else")
  void undeclared() {
    SqliteDatabase database = open();
    CountDownLatch go = held(database);
    CompletableFuture<Boolean> first =
        database.<Boolean>write("writing", session -> true).toFuture();
    CompletableFuture<Object> broken = database
        .write("breaking", session -> {
          throw Undeclared.thrown(new TimeoutException("broken"));
        })
        .toFuture();
    CompletableFuture<Boolean> last =
        database.<Boolean>write("writing", session -> true).toFuture();
    CompletableFuture<Boolean> read = database
        .<Boolean, Boolean>read("reading", session -> true, found -> {
          throw Undeclared.thrown(new TimeoutException("unread"));
        })
        .toFuture();
    go.countDown();

    assertThat(first.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isTrue();
    assertThat(last.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isTrue();
    assertThatThrownBy(broken.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)::join)
        .hasRootCauseMessage("broken");
    assertThatThrownBy(read.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)::join)
        .hasRootCauseMessage("unread");
    close(database);
  }

  /** What commits wait for, as SQLite has it: 1 is NORMAL, 2 is FULL. */
  private static long synchronous(Session session) throws SQLException {
    return session.number("PRAGMA synchronous");
  }

  @Test
  @DisplayName("a commit waits for the disk, but for what may be lost with the machine")
  void full() {
    try (SqliteDatabase database = open()) {
      assertThat(
              database.<Long>write("looking", SqliteDatabaseTests::synchronous).block(PATIENCE))
          .isEqualTo(2);
      assertThat(database
              .<Long>writeLightly("looking", SqliteDatabaseTests::synchronous)
              .block(PATIENCE))
          .isEqualTo(1);
      CountDownLatch go = held(database);
      CompletableFuture<Long> light = database
          .<Long>writeLightly("looking", SqliteDatabaseTests::synchronous)
          .toFuture();
      CompletableFuture<Long> heavy =
          database.<Long>write("looking", SqliteDatabaseTests::synchronous).toFuture();
      go.countDown();

      assertThat(light.join()).isEqualTo(2); // as it goes into one transaction with the other
      assertThat(heavy.join()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("with NORMAL no commit waits for the disk, also after the connection was lost")
  void normal() {
    try (SqliteDatabase database = SqliteDatabase.builder(directory.resolve("threads.db"))
        .synchronous(Synchronous.NORMAL)
        .open()) {
      assertThat(
              database.<Long>write("looking", SqliteDatabaseTests::synchronous).block(PATIENCE))
          .isEqualTo(1);
      assertThatThrownBy(() -> database
              .write("breaking", session -> {
                throw new SQLException("broken");
              })
              .block(PATIENCE))
          .isInstanceOf(SqliteFileException.class);

      assertThat(
              database.<Long>write("looking", SqliteDatabaseTests::synchronous).block(PATIENCE))
          .isEqualTo(1);
    }
  }

  @Test
  @DisplayName("what nobody wants any more is not done")
  void cancelled() {
    try (SqliteDatabase database = open()) {
      SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
      CountDownLatch go = held(database);
      StepVerifier.create(store.acquire("given up", "me", LEASE)).thenCancel().verify(PATIENCE);
      CompletableFuture<Lease> wanted = store.acquire("wanted", "me", LEASE).toFuture();
      go.countDown();

      assertThat(wanted.join().fence()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("closing waits for what was accepted, and refuses what comes later")
  void closes() {
    SqliteDatabase database = open();
    SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
    CountDownLatch go = held(database);
    CompletableFuture<List<Lease>> accepted = Flux.range(0, 50)
        .flatMap(number -> store.acquire("t" + number, "me", LEASE), 50)
        .collectList()
        .toFuture();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(database::close);
    while (!database.isClosed()) {
      Thread.onSpinWait();
    }

    assertThatThrownBy(() -> store.acquire("late", "me", LEASE).block(PATIENCE))
        .isInstanceOf(SqliteClosedException.class)
        .hasMessageContaining("SG-470");
    assertThat(closing).isNotDone();
    go.countDown();
    closing.join();

    assertThat(accepted.join()).hasSize(50);
    try (SqliteDatabase again = open()) {
      assertThat(SqliteCheckpointStore.of(again)
              .acquire("t49", "me", LEASE)
              .map(Lease::fence)
              .block(PATIENCE))
          .isLessThanOrEqualTo(50);
    }
  }

  /** Keeps all who read from going on until they are told to. */
  private static CountDownLatch heldReaders(SqliteDatabase database) throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch areHeld = new CountDownLatch(4);
    for (int number = 0; number < 4; number++) {
      database
          .read("waiting", session -> {
            session.number("SELECT count(*) FROM thread"); // from when on it sees nothing newer
            areHeld.countDown();
            await(go);
            return true;
          })
          .subscribe();
    }
    areHeld.await();
    return go;
  }

  @Test
  @DisplayName("closing waits for what waits to be read, and decoded")
  void closesReaders() throws InterruptedException {
    SqliteDatabase database = open();
    SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
    store.acquire("t", "me", LEASE).block(PATIENCE);
    CountDownLatch go = heldReaders(database);
    CompletableFuture<List<Long>> accepted = Flux.range(0, 50)
        .flatMap(
            number -> database.<Long, Long>read(
                "counting",
                session -> session.number("SELECT count(*) FROM thread"),
                count -> count + number),
            50)
        .collectList()
        .toFuture();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(database::close);
    while (!database.isClosed()) {
      Thread.onSpinWait();
    }

    assertThat(closing).isNotDone();
    go.countDown();
    closing.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();

    assertThat(accepted.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
        .hasSize(50);
    assertThatThrownBy(() -> store.load("t", Schemas.NONE).block(PATIENCE))
        .isInstanceOf(SqliteClosedException.class);
  }

  @Test
  @DisplayName("closing waits for what is read from a file that is just being made")
  void closesWhileOpening() throws SQLException {
    Path file = directory.resolve("threads.db");
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN EXCLUSIVE");
      SqliteDatabase database = open();
      CompletableFuture<Long> accepted = database
          .<Long>read("counting", session -> session.number("SELECT count(*) FROM thread"))
          .toFuture();
      CompletableFuture<Void> closing = CompletableFuture.runAsync(database::close);
      while (!database.isClosed()) {
        Thread.onSpinWait();
      }
      statement.execute("COMMIT");
      closing.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();

      assertThat(accepted.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
          .isZero();
    }
  }

  @Test
  @DisplayName("whoever follows hears that the file was closed, and so does who comes later")
  void closesFollowers() {
    SqliteDatabase database = open();
    SqliteEventLog log = SqliteEventLog.builder(database)
        .lookEvery(Duration.ofDays(1)) // so that nothing but the end of it can wake anybody
        .build();
    log.open("t", 1).block(PATIENCE);

    StepVerifier.create(log.follow("t", 0, Chunks.NONE, Schemas.NONE))
        .then(() -> awaitReads(database, 2)) // attached, and seen that there is nothing
        .then(database::close)
        .expectError(SqliteClosedException.class)
        .verify(PATIENCE);
    StepVerifier.create(log.follow("t", 0, Chunks.NONE, Schemas.NONE))
        .expectError(SqliteClosedException.class)
        .verify(PATIENCE);
  }

  private static void awaitReads(SqliteDatabase database, long count) {
    while (database.reads() < count) {
      Thread.onSpinWait();
    }
  }

  /** Throws when it is told anything, which nobody may do; its context says where that goes. */
  private static final class Rude implements CoreSubscriber<Object> {

    private final BlockingQueue<Throwable> dropped = new LinkedBlockingQueue<>();

    @Override
    public Context currentContext() {
      Consumer<Throwable> dropping = dropped::add;
      return Context.of("reactor.onErrorDropped.local", dropping);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Object value) {
      throw new IllegalStateException("rude");
    }

    @Override
    public void onError(Throwable failure) {
      throw new IllegalStateException("rude", failure);
    }

    @Override
    public void onComplete() {
      throw new IllegalStateException("rude");
    }

    @Nullable
    Throwable dropped() throws InterruptedException {
      return dropped.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("whoever throws when it is called back does not concern the others")
  void rude() throws InterruptedException {
    SqliteDatabase database = tellingOnTheSpot();
    SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
    CountDownLatch go = held(database);
    Rude writing = new Rude();
    store.acquire("first", "me", LEASE).subscribe(writing);
    CompletableFuture<Lease> polite = store.acquire("second", "me", LEASE).toFuture();
    go.countDown();

    assertThat(polite.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isNotNull();
    assertThat(store.acquire("third", "me", LEASE).block(PATIENCE)).isNotNull();
    assertThat(writing.dropped()).hasMessage("rude");
    for (int number = 0; number < 8; number++) {
      Rude reading = new Rude();
      database.read("reading", session -> true).subscribe(reading);
      assertThat(reading.dropped()).hasMessage("rude");
    }
    assertThat(database.read("reading", session -> true).block(PATIENCE)).isTrue();
    CompletableFuture.runAsync(database::close) // which waits for all of them
        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  @Test
  @DisplayName("no more is read than is asked for")
  void demand() {
    try (SqliteDatabase database = open()) {
      SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
      GraphRunner runner =
          GraphRunner.builder(Chains.chain(node -> {})).checkpoints(store).build();
      Flux.range(0, 450)
          .flatMap(number -> runner.thread("t" + number).run(Update.NOTHING), 64)
          .blockLast(PATIENCE);
      long before = database.reads();

      StepVerifier.create(store.threads(EnumSet.allOf(ThreadStatus.class)), 0)
          .thenRequest(150)
          .expectNextCount(150)
          .thenCancel()
          .verify(PATIENCE);

      assertThat(database.reads() - before).isBetween(2L, 3L);
      assertThat(store
              .threads(EnumSet.of(ThreadStatus.DONE))
              .map(ThreadSummary::thread)
              .distinct()
              .count()
              .block(PATIENCE))
          .isEqualTo(450);
    }
  }

  @Test
  @DisplayName(
      "nobody who must not block waits for the disk, and nobody is called back by the store"
          + " itself")
  void neverBlocks() {
    try (SqliteDatabase database = open()) {
      SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
      ConcurrentLinkedQueue<String> names = new ConcurrentLinkedQueue<>();
      GraphRunner runner = GraphRunner.builder(
              Chains.chain(node -> names.add(Thread.currentThread().getName())))
          .checkpoints(store)
          .events(SqliteEventLog.of(database))
          .memory(SqliteMemory.of(database))
          .build();

      Flux.range(0, 20)
          .flatMap(number -> Mono.defer(() -> runner.thread("t" + number).run(Update.NOTHING))
              .subscribeOn(Schedulers.parallel()))
          .blockLast(PATIENCE);

      assertThat(names).hasSize(60).noneMatch(name -> name.startsWith("superstep-sqlite-reader"));
    }
  }

  @Test
  @DisplayName("BlockHound would see it if somebody waited for the disk who must not")
  void wouldBeSeen() {
    Mono<Object> rude = Mono.fromCallable(
            () -> java.sql.DriverManager.getConnection("jdbc:sqlite::memory:")
                .createStatement()
                .execute("SELECT 1"))
        .cast(Object.class)
        .subscribeOn(Schedulers.parallel());

    assertThatThrownBy(() -> rude.block(PATIENCE))
        .hasRootCauseInstanceOf(BlockingOperationError.class);
  }

  @Test
  @DisplayName("room that is no longer used can be given back")
  void vacuum() throws Exception {
    Path file = directory.resolve("threads.db");
    try (SqliteDatabase database = open()) {
      SqliteCheckpointStore store = SqliteCheckpointStore.builder(database)
          .compressFrom(Integer.MAX_VALUE)
          .build();
      GraphRunner runner =
          GraphRunner.builder(Chains.chain(node -> {})).checkpoints(store).build();
      runner.thread("t").run(Update.append(Chains.LOG, "x".repeat(5_000_000))).block(PATIENCE);
      store.delete("t").block(PATIENCE);

      database.vacuum().block(PATIENCE);
    }

    assertThat(Files.size(file)).isLessThan(200_000);
  }

  private static void writeMegabytes(SqliteDatabase database, int count) {
    for (int number = 0; number < count; number++) {
      database
          .<Integer>write(
              "writing",
              session -> session.update(
                  "INSERT OR REPLACE INTO item (namespace, key, item) VALUES ('x', '1', randomblob(?))",
                  1 << 20))
          .block(PATIENCE);
    }
  }

  @Test
  @DisplayName("the log is cut when it has become too long, as soon as nobody reads from it")
  void logIsCut() throws Exception {
    Path log = directory.resolve("threads.db-wal");
    try (SqliteDatabase database = open()) {
      writeMegabytes(database, 1);
      CountDownLatch go = heldReaders(database);
      writeMegabytes(database, 40);
      assertThat(Files.size(log)).isGreaterThan(LogCut.LIMIT);

      go.countDown();
      assertThat(database.read("reading", session -> true).block(PATIENCE)).isTrue();
      for (int more = 0; more < 50 && Files.size(log) > LogCut.LIMIT; more++) {
        writeMegabytes(database, 1); // the last of them may be about to go
      }
      assertThat(Files.size(log)).isLessThanOrEqualTo(LogCut.LIMIT);
    }
  }

  @Test
  @DisplayName("what was vacuumed leaves no long log behind")
  void logOfVacuum() throws Exception {
    Path log = directory.resolve("threads.db-wal");
    try (SqliteDatabase database = open()) {
      database
          .write(
              "writing",
              session -> session.update(
                  "INSERT INTO item (namespace, key, item) VALUES ('x', '1', randomblob(?))",
                  40 << 20))
          .block(PATIENCE);

      database.vacuum().block(PATIENCE);

      assertThat(Files.size(log)).isLessThanOrEqualTo(LogCut.LIMIT);
    }
  }
}
