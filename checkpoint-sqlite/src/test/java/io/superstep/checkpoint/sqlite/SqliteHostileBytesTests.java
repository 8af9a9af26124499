package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.error.SuperstepException;
import io.superstep.event.Chunks;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Outbox;
import io.superstep.reactor.GraphRunner;
import io.superstep.state.Schemas;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Every call on a file with damaged rows ends in time, with a value or a typed error.
 *
 * <p>{@code -Dsuperstep.hostile.mutations=100000} applies more mutations than the default of 2,000,
 * and {@code -Dsuperstep.hostile.seed=7} others.
 */
class SqliteHostileBytesTests {

  private static final int MUTATIONS = Integer.getInteger("superstep.hostile.mutations", 2_000);
  private static final long SEED = Long.getLong("superstep.hostile.seed", 1);
  private static final int PER_FILE = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Stored values that no error may quote. */
  private static final String PRIVATE = "Tolstoy";

  private static final List<String> THREADS = List.of("done", "forked", "paused", "long", "queued");
  private static final Namespace NAMES = Namespace.of("names");
  private static final Schemas SCHEMAS = Schemas.of(StateSchema.of(Chains.LOG));

  @TempDir
  private Path directory;

  private String mutations = "";

  /** A file of which every table has rows, and no column has a constraint. */
  private Path valid() throws SQLException {
    Path file = directory.resolve("valid.db");
    try (SqliteDatabase database = SqliteDatabase.open(file)) {
      SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
      SqliteMemory memory = SqliteMemory.of(database);
      GraphRunner chain = GraphRunner.builder(Chains.chain(node -> {}))
          .checkpoints(store)
          .events(SqliteEventLog.of(database))
          .build();
      GraphRunner approval = GraphRunner.builder(Chains.approval(node -> {}))
          .checkpoints(store)
          .events(SqliteEventLog.of(database))
          .build();
      Update input = Update.append(Chains.LOG, PRIVATE);
      for (String thread : List.of("done", "forked", "long")) {
        chain.thread(thread).run(input).block(PATIENCE);
      }
      chain.thread("forked").fork(new CheckpointId(2, 2), input).blockLast(PATIENCE);
      for (int turn = 0; turn < 4; turn++) {
        chain.thread("long").run(input).block(PATIENCE);
      }
      store.compact("long").block(PATIENCE);
      approval.thread("paused").run(input).block(PATIENCE);
      for (String id : List.of("first", "second")) {
        QueuedInput queued = new QueuedInput(id, input, "ada", Instant.EPOCH);
        store.enqueue("queued", queued, SCHEMAS).block(PATIENCE);
      }
      for (int number = 0; number < 12; number++) {
        memory.write(item("k" + number), Instant.EPOCH).block(PATIENCE);
      }
      memory.apply(outbox(1)).block(PATIENCE);
    }
    try (Connection plain = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = plain.createStatement()) {
      statement.execute("PRAGMA journal_mode = DELETE");
      statement.execute("PRAGMA writable_schema = ON");
      statement.execute(
          "UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'");
    }
    return file;
  }

  private static MemoryWrite item(String key) {
    return MemoryWrite.put(NAMES, key, Map.of("author", PRIVATE));
  }

  private static Outbox outbox(long sequence) {
    return new Outbox(
        new io.superstep.memory.Writer("done", sequence, 1), Instant.EPOCH, List.of(item("k1")));
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  @DisplayName("every call on damaged rows ends in time, with a value or a typed error")
  void mutations() throws IOException, SQLException {
    Path valid = valid();
    for (int round = 0; round * PER_FILE < MUTATIONS; round++) {
      Path file = directory.resolve("damaged.db");
      Files.copy(valid, file, StandardCopyOption.REPLACE_EXISTING);
      long seed = SEED * 1_000_003 + round;
      List<String> done = new ArrayList<>();
      try (RowMutator mutator = new RowMutator(file, seed)) {
        for (int count = 0; count < PER_FILE; count++) {
          done.add(mutator.mutate());
        }
      }
      mutations = "seed " + seed + ", " + done;
      try (SqliteDatabase database =
          SqliteDatabase.builder(file).synchronous(Synchronous.NORMAL).open()) {
        use(database);
      }
      Files.delete(file);
    }
  }

  private void use(SqliteDatabase database) {
    SqliteCheckpointStore store = SqliteCheckpointStore.builder(database)
        .retention(Retention.last(3).andDoneFor(Duration.ofDays(1)))
        .sweepEvery(Duration.ofDays(1))
        .build();
    SqliteEventLog events = SqliteEventLog.of(database);
    SqliteMemory memory = SqliteMemory.of(database);

    ends("list", store.threads(EnumSet.allOf(ThreadStatus.class)));
    ends("list live", store.threads(EnumSet.of(ThreadStatus.ORPHANED)));
    THREADS.forEach(thread -> read(store, events, thread));
    ends("search", memory.search(MemoryQuery.ALL));
    for (int number = 0; number < 12; number++) {
      ends("get", memory.get(NAMES, "k" + number));
    }
    ends("write", memory.write(item("k3"), Instant.EPOCH));
    ends("apply", memory.apply(outbox(2)));
    ends("forget", memory.prune(Instant.now()));
    ends("sweep", store.sweep());
    THREADS.forEach(thread -> change(store, events, thread));
    ends(
        "list",
        store
            .threads(EnumSet.allOf(ThreadStatus.class))
            .map(summary -> summary.thread())
            .concatMap(store::delete));
  }

  private void read(SqliteCheckpointStore store, SqliteEventLog events, String thread) {
    ends("load", store.load(thread, Schemas.NONE));
    ends("load typed", store.load(thread, SCHEMAS));
    for (int sequence = 1; sequence < 6; sequence++) {
      ends("load at", store.load(thread, new CheckpointId(sequence, 2), SCHEMAS));
    }
    ends("history", store.history(thread, HistoryFilter.ALL, SCHEMAS));
    ends("queue", store.queue(thread, SCHEMAS));
    ends("export", store.export(thread));
    ends("read", events.read(thread, 0, SCHEMAS));
    ends("read behind", events.read(thread, 7, SCHEMAS));
    Consumer<Object> late = event -> {}; // an event may arrive when the time is over
    ends(
        "follow",
        events
            .follow(thread, 2, Chunks.SO_FAR, SCHEMAS)
            .take(Duration.ofMillis(2))
            .contextWrite(context -> context.put("reactor.onNextDropped.local", late)));
  }

  private void change(SqliteCheckpointStore store, SqliteEventLog events, String thread) {
    ends("prune", store.prune(thread, Retention.last(2), Instant.now()));
    ends("compact", store.compact(thread));
    ends(
        "acquire",
        store
            .acquire(thread, "me", Duration.ofSeconds(30))
            .flatMap(lease -> store.release(lease, Release.SETTLED)));
    ends("remove", store.delete(thread, new CheckpointId(3, 2), true));
    ends("trim", events.trim(thread, 4));
    ends("open", events.open(thread, 99));
    ends("delete events", events.delete(thread));
    ends("delete", store.delete(thread));
  }

  private void ends(String call, Publisher<?> publisher) {
    try {
      assertThat(Flux.from(publisher).take(10_000).count().block(PATIENCE)).isLessThan(10_000);
    } catch (Throwable thrown) {
      Throwable error = Exceptions.unwrap(thrown);
      if (!(error instanceof SuperstepException) || thrown instanceof AssertionError) {
        fail(call + " with " + mutations, error);
      }
      for (Throwable each = error; each != null; each = each.getCause()) {
        String message = String.valueOf(each.getMessage());
        assertThat(message).as(call + " with " + mutations).doesNotContain(PRIVATE);
        assertThat(message.length()).as(call + " with " + mutations).isLessThan(3_000);
      }
    }
  }

  @Test
  @DisplayName("the file from which the mutations start is valid")
  void startsValid() throws SQLException {
    Path file = valid();
    try (SqliteDatabase database = SqliteDatabase.open(file)) {
      SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
      for (String thread : THREADS.subList(0, 4)) {
        assertThat(Mono.from(store.load(thread, SCHEMAS)).block(PATIENCE)).isNotNull();
      }
      assertThat(store.threads(EnumSet.allOf(ThreadStatus.class)).count().block(PATIENCE))
          .isEqualTo(5);
      assertThat(store.threads(EnumSet.of(ThreadStatus.UNREADABLE)).count().block(PATIENCE))
          .isZero();
      assertThat(SqliteMemory.of(database).search(MemoryQuery.ALL).count().block(PATIENCE))
          .isEqualTo(12);
    }
  }
}
