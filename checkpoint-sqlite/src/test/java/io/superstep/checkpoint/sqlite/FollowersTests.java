package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.state.Schemas;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.test.StepVerifier;

/** Whoever follows is woken by what is appended, and by nothing else: nobody looks by himself. */
class FollowersTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Moment MOMENT = new Moment("", 1, Instant.parse("2026-01-02T03:04:05Z"));

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

  private SqliteEventLog log() {
    return SqliteEventLog.builder(database).lookEvery(Duration.ofDays(1)).build();
  }

  private static List<GraphEvent> fact(long number) {
    return List.of(new GraphEvent.CheckpointSaved(MOMENT, number, new CheckpointId(number, 1)));
  }

  /** Follows {@code log}, and does something when it waits for the first event. */
  private StepVerifier.FirstStep<Long> following(SqliteEventLog log) {
    return StepVerifier.create(
        log.follow("t", 0, Chunks.NONE, Schemas.NONE).map(GraphEvent::sequence));
  }

  /** Until it has found where to begin, and that there is nothing. */
  private void awaitLooks() {
    while (database.reads() < 2) {
      Thread.onSpinWait();
    }
  }

  /** Asks for something that is under way until it is told to go on. */
  private CountDownLatch held(CountDownLatch isUnderWay) {
    CountDownLatch go = new CountDownLatch(1);
    database
        .write("waiting", session -> {
          isUnderWay.countDown();
          await(go);
          return true;
        })
        .subscribe();
    return go;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** Whoever appends gives up when it is its turn, and before it hears that it is done. */
  private void appendAndGiveUp(SqliteEventLog log) {
    CountDownLatch isFirst = new CountDownLatch(1);
    CountDownLatch first = held(isFirst);
    await(isFirst);
    CountDownLatch isSecond = new CountDownLatch(1);
    CountDownLatch second = held(isSecond);
    Disposable appending = log.append("t", 1, fact(1), Schemas.NONE).subscribe();
    first.countDown();
    await(isSecond); // which goes into one transaction with what is appended
    appending.dispose();
    second.countDown();
  }

  @Test
  @DisplayName("a follower hears what was appended by somebody who did not wait for the end")
  void givenUp() {
    SqliteEventLog log = log();
    log.open("t", 1).block(PATIENCE);

    following(log)
        .then(this::awaitLooks)
        .then(() -> appendAndGiveUp(log))
        .expectNext(1L)
        .thenCancel()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("a follower hears what is appended by another log of the same file")
  void anotherLog() {
    SqliteEventLog log = log();
    log.open("t", 1).block(PATIENCE);

    following(log)
        .then(this::awaitLooks)
        .then(() -> log().append("t", 1, fact(1), Schemas.NONE).block(PATIENCE))
        .expectNext(1L)
        .thenCancel()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("when a connection was lost, all look whether they have missed something meanwhile")
  void anotherConnection() {
    Session.Seen before = database.changes().block(PATIENCE);
    assertThat(database.changes().block(PATIENCE)).isEqualTo(before);
    CompletableFuture<Object> broken = database
        .write("breaking", session -> {
          throw new SQLException("broken");
        })
        .toFuture();
    assertThatThrownBy(broken::join).hasRootCauseMessage("broken");

    assertThat(database.changes().block(PATIENCE)).isNotEqualTo(before);
  }
}
