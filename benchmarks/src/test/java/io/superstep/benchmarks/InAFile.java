package io.superstep.benchmarks;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.sqlite.SqliteCheckpointStore;
import io.superstep.checkpoint.sqlite.SqliteDatabase;
import io.superstep.checkpoint.sqlite.Synchronous;
import io.superstep.json.ThreadCodec;
import io.superstep.message.Message;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.ListChannel;
import io.superstep.state.Schemas;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Threads in a file of SQLite: to commit to one, to many at once, and to load one. */
@State(Scope.Benchmark)
public class InAFile {

  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  private static final Schemas SCHEMAS = Schemas.of(StateSchema.of(MESSAGES));
  private static final Words WORDS = Words.NEW;
  private static final ThreadCodec CODEC = ThreadCodec.create();

  /** How many threads commit at once. */
  @Param("1")
  int threads;

  /** How often each of them does. */
  @Param("16")
  int commits;

  /** How many messages the thread has that is loaded; none if none is. */
  @Param("0")
  int messages;

  private Path directory;
  private SqliteDatabase database;
  private SqliteCheckpointStore store;
  private Connection plain;
  private PreparedStatement insert;
  private PreparedStatement select;
  private byte[] bytes;
  private final List<Writer> writers = new ArrayList<>();

  @Setup
  public void build() throws IOException, SQLException {
    directory = Files.createTempDirectory("superstep-sqlite");
    Path file = directory.resolve("threads.db");
    if (messages > 0) {
      try (SqliteDatabase made =
          SqliteDatabase.builder(file).synchronous(Synchronous.NORMAL).open()) {
        new Writer(SqliteCheckpointStore.of(made), "long").commit(messages).block();
      }
    }
    database = SqliteDatabase.open(file);
    store = SqliteCheckpointStore.of(database);
    for (int number = 0; number < threads; number++) {
      writers.add(new Writer(store, "thread-" + number));
    }
    bytes = CODEC.encode(writers.get(0).next(), SCHEMAS);
    plain = DriverManager.getConnection("jdbc:sqlite:" + file);
    plain.createStatement().execute("PRAGMA synchronous = FULL");
    plain
        .createStatement()
        .execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)");
    insert = plain.prepareStatement("INSERT INTO bare (bytes) VALUES (?)");
    select = plain.prepareStatement(
        "SELECT entry FROM checkpoint WHERE thread = (SELECT id FROM thread WHERE name = 'long')"
            + " ORDER BY sequence");
  }

  @TearDown
  public void close() throws IOException, SQLException {
    plain.close();
    database.close();
    try (Stream<Path> files = Files.list(directory)) {
      files.forEach(InAFile::delete);
    }
    Files.delete(directory);
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** No store: the same bytes by JDBC, each in a transaction of its own. */
  @Benchmark
  public int bareInsert() throws SQLException {
    int inserted = 0;
    for (int number = 0; number < threads * commits; number++) {
      insert.setBytes(1, bytes);
      inserted += insert.executeUpdate();
    }
    return inserted;
  }

  @Benchmark
  public int commit() {
    return Objects.requireNonNull(Flux.fromIterable(writers)
        .flatMap(writer -> writer.commit(commits), threads)
        .reduce(0, Integer::sum)
        .block());
  }

  /** No store: the rows of the thread by JDBC, each decoded. */
  @Benchmark
  public int bareLoad() throws SQLException {
    int effects = 0;
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        LogEntry entry = CODEC.decodeEntry(rows.getBytes(1), SCHEMAS);
        effects += entry.changes().effects().size();
      }
    }
    return effects;
  }

  @Benchmark
  public int load() {
    return Objects.requireNonNull(store.load("long", SCHEMAS).block())
        .position()
        .state()
        .get(MESSAGES)
        .size();
  }

  /** Writes to a thread as a run does. */
  private static final class Writer {

    private final SqliteCheckpointStore store;
    private final Lease lease;
    private @Nullable CheckpointId head;
    private int said;
    private Position position = new Position(
        "t/1-1",
        0,
        SCHEMAS.schema().start(),
        List.of(Due.by("say")),
        List.of(),
        Map.of(),
        Map.of(),
        Pause.NONE);

    Writer(SqliteCheckpointStore store, String thread) {
      this.store = store;
      this.lease = Objects.requireNonNull(
          store.acquire(thread, thread, Duration.ofDays(1)).block());
    }

    Commit next() {
      Update said =
          Update.append(MESSAGES, Message.ai(WORDS.at(this.said)).withId("m" + this.said));
      Transition step = position.state().fold(List.of(new Contribution("say", said)));
      return new Commit(
          CheckpointId.after(head, lease.fence()),
          head,
          head,
          Cause.STEP,
          Instant.EPOCH,
          "fingerprint",
          step.changes(),
          position.with(step.state()),
          List.of(),
          List.of(),
          null,
          null,
          List.of());
    }

    /** Commits so often, one after the other, and says how often. */
    Mono<Integer> commit(int times) {
      return Mono.defer(() -> {
            Commit commit = next();
            return store.commit(lease, commit, SCHEMAS).then(Mono.fromRunnable(() -> {
              head = commit.id();
              position = commit.position();
              said++;
            }));
          })
          .repeat(times - 1L)
          .then(Mono.just(times));
    }
  }
}
