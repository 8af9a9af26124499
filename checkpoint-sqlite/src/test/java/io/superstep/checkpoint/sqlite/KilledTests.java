package io.superstep.checkpoint.sqlite;

import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.RunResult;
import io.superstep.state.Update;
import io.superstep.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Processes that are killed, and what is in the file then. */
class KilledTests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** At random times; with those at every call of the store they are 500 and more. */
  private static final int KILLED_COMMITTING = 400;

  private static final int KILLED_RUNNING = 100;

  private static final int AT_ONCE = 2;

  /** After so many a new file is begun, so that looking at all of it takes no time. */
  private static final int ON_ONE_FILE = 20;

  @TempDir
  private static Path directory;

  private static Launcher launcher;

  @BeforeAll
  static void prepare() throws IOException {
    launcher = Launcher.in(directory);
  }

  /** The file as SQLite itself sees it, and with no code of ours. */
  private static Connection opened(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  private static void requireSound(Connection file) throws SQLException {
    try (PreparedStatement check = file.prepareStatement("PRAGMA integrity_check");
        ResultSet answer = check.executeQuery()) {
      assertThat(answer.getString(1)).isEqualTo("ok");
    }
    try (PreparedStatement check = file.prepareStatement("PRAGMA foreign_key_check");
        ResultSet answer = check.executeQuery()) {
      assertThat(answer.next()).isFalse();
    }
  }

  /** That all that was told to be safe is there. */
  private static void requireSaved(Connection file, List<String> journal) throws SQLException {
    List<String> saved =
        journal.stream().filter(line -> line.startsWith("saved ")).toList();
    if (saved.isEmpty()) {
      return; // there may be no table yet
    }
    try (PreparedStatement find =
        file.prepareStatement("SELECT count(*) FROM checkpoint JOIN thread ON thread = id"
            + " WHERE name = ? AND sequence = ? AND checkpoint.fence = ?")) {
      for (String line : saved) {
        String[] words = line.split(" ", -1);
        CheckpointId id = CheckpointId.parse(words[2]);
        find.setString(1, words[1]);
        find.setLong(2, id.sequence());
        find.setLong(3, id.fence());
        try (ResultSet found = find.executeQuery()) {
          assertThat(found.getInt(1)).as(line).isEqualTo(1);
        }
      }
    }
  }

  /** That nothing ran after it was told to have been done. */
  private static void requireNothingTwice(List<String> journal) {
    Set<String> acknowledged = new HashSet<>();
    for (String line : journal) {
      String task = line.substring(line.indexOf(' ') + 1);
      if (line.startsWith("ack ")) {
        acknowledged.add(task);
      } else if (line.startsWith("run ")) {
        assertThat(acknowledged).doesNotContain(task);
      }
    }
    assertThat(acknowledged).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"DIE_BEFORE", "DIE_AFTER"})
  @Timeout(120)
  @DisplayName("S2.9 X.23 killed at any call of the store, what was acknowledged never runs again")
  void atEveryCall(String fault) throws Exception {
    String end = "";
    for (int at = 1; !end.equals("finished"); at++) {
      Path file = directory.resolve(fault + at + ".db");
      try (ChildJvm child = launcher.start(file, 0, "die", fault, Integer.toString(at))) {
        end = child.hears("struck", "finished");
      }

      try (Connection left = opened(file)) {
        requireSound(left);
        requireSaved(left, Worker.journalOf(file));
      }
      Worker next = new Worker(file, 1);
      GraphThread thread = next.runner(next.diamond()).thread("t");
      boolean begun = thread.state().blockOptional(PATIENCE).isPresent();
      if (!end.equals("finished")) {
        RunResult.of(begun ? thread.resume() : thread.stream(Update.NOTHING)).block(PATIENCE);
      }
      assertThat(Objects.requireNonNull(thread.state().block(PATIENCE))
              .position()
              .state()
              .get(LOG))
          .as("%s at %s", fault, at)
          .containsExactly("fast", "slow", "last");
      next.close();
      List<String> journal = Worker.journalOf(file);
      if (journal.stream().anyMatch(line -> line.startsWith("ack "))) {
        requireNothingTwice(journal);
      }
      assertThat(at).isLessThan(40);
    }
  }

  @Test
  @Timeout(600)
  @DisplayName("S2.9 killed at random while many commit, all that was acknowledged is there, whole")
  void whileCommitting() {
    inLanes("commit", KILLED_COMMITTING);
  }

  @Test
  @Timeout(600)
  @DisplayName("S2.9 X.23 killed at random while many run, and taken over each time, no task that"
      + " was acknowledged runs again, and all come to their end")
  void whileRunning() throws IOException {
    for (Path file : inLanes("run", KILLED_RUNNING)) {
      finish(file);
      requireNothingTwice(Worker.journalOf(file));
    }
  }

  /** Kills two at a time, each on a file of its own. */
  private static List<Path> inLanes(String what, int kills) {
    return Flux.range(0, kills / ON_ONE_FILE)
        .flatMap(
            number -> Mono.fromCallable(
                    () -> killedOn(directory.resolve(what + number + ".db"), what, number))
                .subscribeOn(Schedulers.boundedElastic()),
            AT_ONCE)
        .collectList()
        .block();
  }

  private static Path killedOn(Path file, String what, int seed) throws IOException, SQLException {
    Random random = new Random(seed);
    int read = 0;
    for (int kill = 0; kill < ON_ONE_FILE; kill++) {
      try (ChildJvm child = launcher.start(file, kill, what)) {
        child.hears("ready");
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(40_000)));
      }
      List<String> journal = Worker.journalOf(file);
      try (Connection left = opened(file)) {
        requireSound(left);
        requireSaved(left, journal.subList(read, journal.size()));
      }
      read = journal.size();
    }
    assertThat(read).as("lines about what was done").isGreaterThan(ON_ONE_FILE);
    return file;
  }

  private static void finish(Path file) {
    Worker last = new Worker(file, ON_ONE_FILE);
    last.recover(last.chain());
    GraphRunner runner = last.runner(last.chain());
    List<ThreadSummary> all =
        last.store().threads(EnumSet.allOf(ThreadStatus.class)).collectList().block(PATIENCE);
    assertThat(all).isNotEmpty().allMatch(summary -> summary.status() == ThreadStatus.DONE);
    for (ThreadSummary summary : all) {
      assertThat(Objects.requireNonNull(runner.thread(summary.thread()).state().block(PATIENCE))
              .position()
              .state()
              .get(LOG))
          .containsExactly("in", "a", "b", "c");
    }
    last.close();
  }
}
