package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.RawRecord;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.error.SuperstepException;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.reactor.Ending;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.RunnerEvent;
import io.superstep.reactor.Stage;
import io.superstep.reactor.Watch;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import io.superstep.testkit.StoreAround;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** Stored rows that are damaged, or were written by a later version. */
class SqliteDamageTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Namespace NAMES = Namespace.of("names");
  private static final String ROW = "thread = (SELECT id FROM thread WHERE name = ?)";

  @TempDir
  private Path directory;

  private SqliteDatabase database;
  private SqliteCheckpointStore store;
  private SqliteEventLog events;
  private SqliteMemory memory;

  @BeforeEach
  void open() {
    database = SqliteDatabase.open(file());
    store = SqliteCheckpointStore.of(database);
    events = SqliteEventLog.of(database);
    memory = SqliteMemory.of(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Path file() {
    return directory.resolve("threads.db");
  }

  /** Damages the file as something else than the store would. */
  private interface Damage {
    void apply(PlainFile file) throws SQLException;
  }

  private void damage(Damage damage) throws SQLException {
    database.close();
    try (PlainFile plain = PlainFile.of(file())) {
      damage.apply(plain);
    }
    open();
  }

  private void run(String thread) {
    GraphRunner.builder(Chains.chain(node -> {}))
        .checkpoints(store)
        .events(events)
        .build()
        .thread(thread)
        .run(Update.NOTHING)
        .block(PATIENCE);
  }

  private void runApproval(String thread) {
    GraphRunner.builder(Chains.approval(node -> {}))
        .checkpoints(store)
        .events(events)
        .build()
        .thread(thread)
        .run(Update.NOTHING)
        .block(PATIENCE);
  }

  private Map<String, ThreadSummary> listed(Set<ThreadStatus> statuses) {
    Map<String, ThreadSummary> listed = new TreeMap<>();
    for (ThreadSummary summary : store.threads(statuses).collectList().block(PATIENCE)) {
      assertThat(listed.put(summary.thread(), summary)).isNull();
    }
    return listed;
  }

  private static void assertUnreadable(Mono<?> call, String code) {
    assertThatThrownBy(() -> call.block(PATIENCE))
        .isInstanceOfSatisfying(SuperstepException.class, error -> {
          assertThat(error.code()).isEqualTo(code);
          assertThat(error.getMessage()).hasSizeLessThan(2_000);
        });
  }

  private Mono<?> load(String thread) {
    return store.load(thread, Schemas.NONE);
  }

  @Test
  @DisplayName("of 22 threads, 11 damaged in different ways, each is listed with its own status")
  void lists() throws SQLException {
    for (int number = 0; number < 22; number++) {
      run(String.format("t%02d", number));
    }
    String head = ROW + " AND sequence = 4";
    damage(plain -> plain
        .change("UPDATE checkpoint SET entry = substr(entry, 1, 30) WHERE " + head, "t00")
        .change("UPDATE checkpoint SET entry = CAST('{\"v\":99}' AS BLOB) WHERE " + head, "t02")
        .change("UPDATE checkpoint SET entry = randomblob(300) WHERE " + head, "t04")
        .change("UPDATE checkpoint SET entry = x'' WHERE " + head, "t06")
        .change("UPDATE checkpoint SET entry = NULL WHERE " + head, "t08")
        .change("UPDATE checkpoint SET fence = 'one' WHERE " + head, "t10")
        .change("UPDATE checkpoint SET sequence = 'last' WHERE " + head, "t12")
        .change("UPDATE thread SET lost = 'often' WHERE name = ?", "t14")
        .change("UPDATE thread SET name = '%zz' WHERE name = ?", "t16")
        .change("UPDATE thread SET name = x'ff00fe' WHERE name = ?", "t18")
        .change("UPDATE thread SET name = CAST(x'74ff' AS TEXT) WHERE name = ?", "t20"));

    Map<String, ThreadSummary> listed = listed(EnumSet.allOf(ThreadStatus.class));

    List<String> damaged = List.of(
        "t00", "t02", "t04", "t06", "t08", "t10", "t12", "t14", "%row-17", "%row-19", "%row-21");
    assertThat(listed).hasSize(22).containsKeys(damaged.toArray(String[]::new));
    listed.forEach((name, summary) -> {
      boolean isDamaged = damaged.contains(name);
      assertThat(summary.status())
          .as(name)
          .isEqualTo(isDamaged ? ThreadStatus.UNREADABLE : ThreadStatus.DONE);
      assertThat(summary.problem() != null).as(name).isEqualTo(isDamaged);
    });
    assertThat(listed(EnumSet.of(ThreadStatus.UNREADABLE)))
        .hasSize(11)
        .hasEntrySatisfying("t02", newer -> assertThat(newer.problem().code()).isEqualTo("SG-303"));
    assertThat(listed(EnumSet.of(ThreadStatus.DONE))).hasSize(11);
  }

  @Test
  @DisplayName("a damaged thread can be exported and deleted, also if its name is damaged")
  void exportsAndDeletes() throws SQLException {
    for (String thread : List.of("a", "b", "c", "sound")) {
      runApproval(thread);
    }
    damage(plain -> plain
        .change("UPDATE checkpoint SET entry = CAST('broken' AS BLOB) WHERE " + ROW, "a")
        .change(
            "UPDATE checkpoint SET sequence = NULL, fence = NULL WHERE sequence = 2 AND " + ROW,
            "b")
        .change("UPDATE thread SET owner = x'00', until = 'for ever' WHERE name = ?", "b")
        .change("UPDATE thread SET name = NULL WHERE name = ?", "c"));

    for (String thread : List.of("a", "b", "%row-3")) {
      List<RawRecord> records = store.export(thread).collectList().block(PATIENCE);
      assertThat(records).extracting(RawRecord::name).contains("thread/columns");
      assertThat(records)
          .filteredOn(record -> record.name().matches("checkpoint/[^/]+"))
          .hasSize(2);
      assertThat(store.delete(thread).block(PATIENCE)).isEqualTo(2);
      assertThat(store.export(thread).collectList().block(PATIENCE)).isEmpty();
    }
    assertThat(listed(EnumSet.allOf(ThreadStatus.class))).containsOnlyKeys("sound");
    assertThat(database
            .<Long>read(
                "counting",
                session ->
                    session.number("SELECT (SELECT count(*) FROM checkpoint WHERE thread <> 4)"
                        + " + (SELECT count(*) FROM note WHERE thread <> 4)"
                        + " + (SELECT count(*) FROM snapshot) + (SELECT count(*) FROM input)"))
            .block(PATIENCE))
        .isZero();
  }

  @Test
  @DisplayName("an export has every stored row of the thread, byte by byte")
  void exports() throws SQLException {
    runApproval("t");
    store.compact("t").block(PATIENCE);
    store
        .enqueue("t", new QueuedInput("next", Update.NOTHING, "ada", Instant.EPOCH), Schemas.NONE)
        .block(PATIENCE);
    runApproval("other");

    List<RawRecord> records = store.export("t").collectList().block(PATIENCE);

    List<String> names = records.stream().map(RawRecord::name).toList();
    assertThat(names)
        .doesNotHaveDuplicates()
        .contains("thread/columns", "snapshot/2", "note/2/1", "input/1", "input/1/columns")
        .filteredOn(name -> name.matches("checkpoint/\\d-\\d"))
        .containsExactly("checkpoint/1-1", "checkpoint/2-1");
    RawRecord last = records.get(names.indexOf("checkpoint/2-1"));
    byte[] content = new byte[last.content().remaining()];
    last.content().get(content);
    assertThat(content)
        .isEqualTo(database
            .<byte[]>read(
                "reading",
                session -> session.one(
                    "SELECT entry FROM checkpoint WHERE thread = 1 AND sequence = 2",
                    rows -> rows.getBytes(1)))
            .block(PATIENCE));
    RawRecord columns = records.get(names.indexOf("checkpoint/2-1/columns"));
    assertThat(StandardCharsets.UTF_8.decode(columns.content()).toString())
        .contains("sequence=2\n", "fence=1\n", "parent=1\n", "entry=blob\n");
    assertThat(store.export("unknown").collectList().block(PATIENCE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "thread, thread/columns",
    "checkpoint, checkpoint/2-1/columns",
    "snapshot, snapshot/2/columns",
    "note, note/2/1/columns",
    "input, input/1/columns"
  })
  @DisplayName("an export has every column of a row")
  void exportsColumns(String table, String record) {
    runApproval("t");
    store.compact("t").block(PATIENCE);
    store
        .enqueue("t", new QueuedInput("next", Update.NOTHING, "ada", Instant.EPOCH), Schemas.NONE)
        .block(PATIENCE);
    List<String> columns = database
        .<List<String>>read(
            "reading",
            session -> session.all(
                "SELECT name FROM pragma_table_info(?) WHERE name <> 'thread'",
                rows -> rows.getString(1),
                table))
        .block(PATIENCE);

    RawRecord exported =
        store.export("t").filter(each -> each.name().equals(record)).blockFirst(PATIENCE);

    assertThat(StandardCharsets.UTF_8.decode(exported.content()).toString().lines())
        .extracting(line -> line.substring(0, line.indexOf('=')))
        .containsExactlyInAnyOrderElementsOf(columns);
  }

  @Test
  @DisplayName("an export reads pages as records are requested")
  void exportsOnDemand() {
    SqliteCheckpointStore all = store;
    for (int turn = 0; turn < 30; turn++) {
      run("t");
    }
    long before = database.reads();

    StepVerifier.create(all.export("t"), 0)
        .thenRequest(20)
        .expectNextCount(20)
        .thenCancel()
        .verify(PATIENCE);

    assertThat(database.reads() - before).isBetween(2L, 5L);
    assertThat(all.export("t")
            .map(RawRecord::name)
            .filter(name -> name.matches("checkpoint/\\d+-\\d+"))
            .distinct()
            .count()
            .block(PATIENCE))
        .isEqualTo(120);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stem = 4, parent = 4",
        "stem = 4, parent = 99",
        "stem = 4, parent = -3",
        "stem = 99",
        "stem = 0",
        "stem = 'x'",
        "stem = NULL"
      })
  @DisplayName("a checkpoint whose parent does not precede it is refused at once")
  void parents(String change) throws SQLException {
    run("t");
    run("sound");
    damage(plain ->
        plain.change("UPDATE checkpoint SET " + change + " WHERE sequence = 4 AND " + ROW, "t"));

    for (int again = 0; again < 8; again++) { // more than there are readers
      assertUnreadable(load("t"), "SG-302");
    }
    assertThat(load("sound").block(PATIENCE)).isNotNull();
  }

  @Test
  @DisplayName("two checkpoints that are the parents of each other are refused at once")
  void cycle() throws SQLException {
    run("t");
    damage(plain -> plain
        .change("UPDATE checkpoint SET stem = 4, parent = 3 WHERE sequence = 4 AND " + ROW, "t")
        .change("UPDATE checkpoint SET stem = 3, parent = 4 WHERE sequence = 3 AND " + ROW, "t"));

    assertUnreadable(load("t"), "SG-302");
    assertUnreadable(store.prune("t", Retention.last(1), Instant.now()), "SG-302");
    assertUnreadable(store.delete("t", new CheckpointId(2, 1), true), "SG-302");
    assertThat(store.delete("t").block(PATIENCE)).isEqualTo(4);
  }

  @Test
  @DisplayName("a checkpoint that is missing in the middle of a line is reported")
  void missingCheckpoint() throws SQLException {
    run("t");
    damage(plain -> plain.change("DELETE FROM checkpoint WHERE sequence = 2 AND " + ROW, "t"));

    assertUnreadable(load("t"), "SG-302");
    assertThat(store.load("t", new CheckpointId(1, 1), Schemas.NONE).block(PATIENCE))
        .isNotNull();
  }

  @Test
  @DisplayName("an entry in the place of another is reported")
  void swappedEntries() throws SQLException {
    run("t");
    damage(plain -> plain.change(
        "UPDATE checkpoint SET entry = (SELECT c.entry FROM checkpoint c WHERE c.thread ="
            + " checkpoint.thread AND c.sequence = 3) WHERE sequence = 4 AND " + ROW,
        "t"));

    assertUnreadable(load("t"), "SG-302");
    assertUnreadable(store.history("t", HistoryFilter.ALL, Schemas.NONE).collectList(), "SG-302");
    assertThat(listed(EnumSet.allOf(ThreadStatus.class)).get("t").status())
        .isEqualTo(ThreadStatus.UNREADABLE);
  }

  @Test
  @DisplayName("pruning ends although the rows of a plan are not found")
  void prunesNever() throws SQLException {
    run("t");
    damage(plain ->
        plain.change("UPDATE checkpoint SET entry = NULL WHERE sequence = 3 AND " + ROW, "t"));

    assertUnreadable(store.prune("t", Retention.last(2), Instant.now()), "SG-302");
  }

  @Test
  @DisplayName("a missing last event ends a read and a follower with an error")
  void missingLastEvent() throws SQLException {
    run("t");
    long last = events.open("t", 99).block(PATIENCE);
    damage(plain -> plain.change("DELETE FROM event WHERE number = ?", last));

    Flux<GraphEvent> read = events.read("t", 0, Schemas.NONE);
    StepVerifier.create(events.read("t", 0, Schemas.NONE).ignoreElements())
        .expectErrorSatisfies(error -> assertThat(error)
            .isInstanceOf(SqliteRowException.class)
            .hasMessageContaining("SG-310")
            .hasMessageContaining("Event " + last + " is missing"))
        .verify(PATIENCE);
    assertUnreadable(read.collectList(), "SG-310");
    assertUnreadable(events.follow("t", 0, Chunks.NONE, Schemas.NONE).collectList(), "SG-310");
    assertUnreadable(
        events.follow("t", last - 1, Chunks.SO_FAR, Schemas.NONE).collectList(), "SG-310");
    assertThat(events.read("t", last, Schemas.NONE).collectList().block(PATIENCE))
        .isEmpty();
  }

  @Test
  @DisplayName("Promise 11: a run over a log without its last event ends and releases its thread")
  void runOverMissingEvent() throws SQLException {
    run("t");
    long last = events.read("t", 0, Schemas.NONE).blockLast(PATIENCE).sequence();
    damage(plain -> plain.change("DELETE FROM event WHERE number = ?", last));

    assertUnreadable(
        GraphRunner.builder(Chains.chain(node -> {}))
            .checkpoints(store)
            .events(events)
            .build()
            .thread("t")
            .run(Update.NOTHING),
        "SG-310");

    assertThat(listed(EnumSet.of(ThreadStatus.RUNNING))).isEmpty();
    run("sound");
  }

  @Test
  @DisplayName("a missing event in the middle, or all of them, is an error")
  void missingEvents() throws SQLException {
    run("t");
    run("u");
    damage(plain -> plain
        .change(
            "DELETE FROM event WHERE number = 5 AND log = (SELECT id FROM log WHERE thread = ?)",
            "t")
        .change("DELETE FROM event WHERE log = (SELECT id FROM log WHERE thread = ?)", "u"));

    assertUnreadable(events.read("t", 0, Schemas.NONE).collectList(), "SG-310");
    assertUnreadable(events.read("u", 0, Schemas.NONE).collectList(), "SG-310");
  }

  @Test
  @DisplayName("a trimmed log is read from its first event, without an error")
  void trimmed() {
    run("t");
    run("t");
    long last = events.open("t", 99).block(PATIENCE);
    events.trim("t", 10).block(PATIENCE);

    assertThat(events.read("t", 9, Schemas.NONE).count().block(PATIENCE)).isEqualTo(last - 9);
    events.trim("t", last + 1).block(PATIENCE);
    assertThat(events.read("t", last, Schemas.NONE).count().block(PATIENCE)).isZero();
  }

  @Test
  @DisplayName("a log whose numbers contradict each other is reported, and can be deleted")
  void damagedLog() throws SQLException {
    run("t");
    damage(plain -> plain.change("UPDATE log SET last = NULL WHERE thread = ?", "t"));

    assertUnreadable(events.read("t", 0, Schemas.NONE).collectList(), "SG-302");
    assertUnreadable(events.open("t", 99), "SG-302");
    events.delete("t").block(PATIENCE);
    assertThat(events.open("t", 99).block(PATIENCE)).isZero();
  }

  private List<String> found() {
    return memory.search(MemoryQuery.ALL).map(MemoryItem::key).collectList().block(PATIENCE);
  }

  @Test
  @DisplayName("a search skips damaged items; get reports them, and a write replaces them")
  void memory() throws SQLException {
    for (String key : List.of("a", "b", "c", "d", "e", "f")) {
      memory
          .write(MemoryWrite.put(NAMES, key, Map.of("name", key)), Instant.EPOCH)
          .block(PATIENCE);
    }
    damage(
        plain -> plain
            .change("UPDATE item SET item = substr(item, 1, 10) WHERE key = 'b'")
            .change("UPDATE item SET item = NULL WHERE key = 'c'")
            .change(
                "UPDATE item SET item = (SELECT i.item FROM item i WHERE i.key = 'f') WHERE key = 'e'"));

    assertThat(found()).containsExactly("a", "d", "f");
    for (String key : List.of("b", "c", "e")) {
      assertUnreadable(memory.get(NAMES, key), "SG-302");
    }
    memory
        .write(MemoryWrite.put(NAMES, "b", Map.of("name", "b")), Instant.EPOCH)
        .block(PATIENCE);
    memory.write(MemoryWrite.remove(NAMES, "c"), Instant.EPOCH).block(PATIENCE);
    assertThat(found()).containsExactly("a", "b", "d", "f");
    assertThat(memory.get(NAMES, "c").block(PATIENCE)).isNull();
  }

  @Test
  @DisplayName("a search ends although keys are not text, or no UTF-8")
  void damagedKeys() throws SQLException {
    IntStream.range(0, 250)
        .forEach(number -> memory
            .write(MemoryWrite.put(NAMES, "k" + number, Map.of()), Instant.EPOCH)
            .block(PATIENCE));
    damage(plain -> plain
        .change("UPDATE item SET key = CAST(key AS BLOB) WHERE key LIKE 'k1%'")
        .change(
            "UPDATE item SET key = CAST(CAST(x'ff' || key AS BLOB) AS TEXT) WHERE key LIKE 'k2%'"));

    assertThat(found()).hasSize(Objects.requireNonNull(found()).size()).doesNotHaveDuplicates();
    assertThat(found()).contains("k3", "k99").doesNotContain("k1", "k20");
  }

  /** Leaves a thread whose question is answered, with a lease and the request to resume it. */
  private Lease resumeRequested() {
    runApproval("t");
    approval(store).answer("publish", true, "ada").block(PATIENCE);
    Lease lease = store.acquire("t", "me", Duration.ofMinutes(1)).block(PATIENCE);
    assertThat(store.requestResume("t").block(PATIENCE)).isTrue();
    return lease;
  }

  @ParameterizedTest
  @ValueSource(strings = {"substr(note, 1, 10)", "x''", "NULL", "'{\"v\":99}'", "7"})
  @DisplayName("S2.25 a requested resume is kept when the records of the step cannot be decoded")
  void resumeOfUnreadable(String note) throws SQLException {
    Lease lease = resumeRequested();
    damage(plain -> plain.change("UPDATE note SET note = " + note + " WHERE place = 1"));

    assertThat(store.release(lease, Release.SETTLED).block(PATIENCE)).isTrue();

    Lease next = store.acquire("t", "next", Duration.ofMinutes(1)).block(PATIENCE);
    assertThat(next.fence()).isGreaterThan(lease.fence());
    assertThatThrownBy(() -> load("t").block(PATIENCE)).isInstanceOf(SuperstepException.class);
    assertThat(store.release(next, Release.SETTLED).block(PATIENCE))
        .as("nothing is requested")
        .isFalse();
    assertThat(listed(EnumSet.allOf(ThreadStatus.class)).get("t").status())
        .isEqualTo(ThreadStatus.UNREADABLE);
  }

  private static GraphThread approval(CheckpointStore over) {
    return GraphRunner.builder(Chains.approval(node -> {}))
        .checkpoints(over)
        .build()
        .thread("t");
  }

  @Test
  @DisplayName("S2.25 a runner that resumes an unreadable thread for another caller reports it")
  void reportsUnreadable() {
    runApproval("t");
    GraphThread other = approval(store);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    CheckpointStore damaging = new StoreAround(store) {
      @Override
      public Publisher<Boolean> release(Lease lease, Release how) {
        Mono<Void> before = other
            .answer("publish", true, "bob")
            .thenMany(other.resume())
            .onErrorResume(ThreadBusyException.class, refused -> Mono.empty())
            .then(database.<Void>write("damaging", session -> {
              session.update("UPDATE note SET note = x'7b'");
              return null;
            }));
        return Mono.defer(() -> isFirst.getAndSet(false) ? before : Mono.empty())
            .then(Mono.from(store.release(lease, how)));
      }
    };
    Sinks.One<Throwable> reported = Sinks.one();

    GraphRunner.builder(Chains.approval(node -> {}))
        .checkpoints(damaging)
        .observedBy(new Reporting(reported))
        .build()
        .thread("t")
        .resume()
        .blockLast(PATIENCE);

    assertThat(reported.asMono().block(PATIENCE))
        .isInstanceOf(SuperstepException.class)
        .hasMessageContaining("SG-302");
  }

  /** Emits the error of the first detached run that fails. */
  private record Reporting(Sinks.One<Throwable> errors) implements Watch {

    @Override
    public Watch begin(Stage stage) {
      return this;
    }

    @Override
    public void end(Ending ending, @Nullable Throwable error) {}

    @Override
    public void onEvent(RunnerEvent event) {
      if (event instanceof RunnerEvent.DetachedRunFailed) {
        errors.tryEmitValue(event.error());
      }
    }
  }

  @Test
  @DisplayName("a fence that could come again is refused")
  void fences() throws SQLException {
    run("t");
    damage(plain -> plain.change("UPDATE fence SET last = 'none'"));

    assertUnreadable(store.acquire("t", "me", Duration.ofSeconds(1)), "SG-302");
  }

  @Test
  @DisplayName("a sweep reports a damaged thread and prunes the others")
  void sweeps() throws SQLException {
    run("damaged");
    run("sound");
    damage(plain -> plain.change("UPDATE checkpoint SET entry = NULL WHERE " + ROW, "damaged"));
    SqliteCheckpointStore sweeping = SqliteCheckpointStore.builder(database)
        .retention(Retention.last(1))
        .sweepEvery(Duration.ofDays(1))
        .build();

    assertUnreadable(sweeping.sweep(), "SG-302");
    assertThat(store.history("sound", HistoryFilter.ALL, Schemas.NONE).count().block(PATIENCE))
        .isEqualTo(1);
  }
}
