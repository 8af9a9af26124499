package io.superstep.checkpoint.sqlite;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.SavedThread;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunStopped;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.graph.Graph;
import io.superstep.json.ByteStage;
import io.superstep.json.InvalidJsonException;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.Recovery;
import io.superstep.reactor.RunOptions;
import io.superstep.reactor.RunResult;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The engine on threads in a file. */
class SqliteThreadTests {

  private static final Duration PATIENCE = Duration.ofSeconds(50);
  private static final Channel<Integer> COUNT =
      Channel.value("count", Integer.class).startingAt(0);

  @TempDir
  private Path directory;

  private SqliteDatabase database;
  private final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void open() {
    database = SqliteDatabase.open(file());
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Path file() {
    return directory.resolve("threads.db");
  }

  private SqliteCheckpointStore store() {
    return SqliteCheckpointStore.of(database);
  }

  private GraphThread thread(Graph graph, SqliteCheckpointStore store) {
    return GraphRunner.builder(graph)
        .defaults(RunOptions.NONE.steps(1_000_000).iterations(1_000_000))
        .checkpoints(store)
        .build()
        .thread("t");
  }

  private static List<String> log(GraphThread thread) {
    return Objects.requireNonNull(thread.state().block(PATIENCE))
        .position()
        .state()
        .get(LOG);
  }

  private long number(String sql) throws SQLException {
    try (Connection plain = DriverManager.getConnection("jdbc:sqlite:" + file())) {
      return plain.createStatement().executeQuery(sql).getLong(1);
    }
  }

  private void change(String sql) throws SQLException {
    try (Connection plain = DriverManager.getConnection("jdbc:sqlite:" + file())) {
      plain.createStatement().executeUpdate(sql);
    }
  }

  @Test
  @DisplayName("S2.9 a run, its history and its branches are there when the file is opened again")
  void runs() {
    GraphThread first = thread(Chains.chain(calls::add), store());
    first.run(Update.append(LOG, "in")).block(PATIENCE);
    database.close();
    database = SqliteDatabase.open(file());
    GraphThread second = thread(Chains.chain(calls::add), store());

    assertThat(log(second)).containsExactly("in", "a", "b", "c");
    List<Checkpoint> history = second.history().collectList().block(PATIENCE);
    assertThat(history).hasSize(4);
    RunResult.of(second.fork(history.get(2).id(), Update.append(LOG, "again"))).block(PATIENCE);
    assertThat(log(second)).containsExactly("in", "a", "again", "b", "c");
    assertThat(
            second.state(history.get(0).id()).block(PATIENCE).position().state().get(LOG))
        .containsExactly("in", "a", "b", "c");
    assertThat(calls).containsExactly("a", "b", "c", "b", "c");
  }

  @Test
  @DisplayName("S2.33 5 MB of text take less than 1 MB, and rows that are not compressed are read")
  void compression() throws IOException {
    Graph graph = Chains.chain(calls::add);
    SqliteCheckpointStore plain =
        SqliteCheckpointStore.builder(database).compressFrom(Integer.MAX_VALUE).build();
    thread(graph, plain).run(Update.append(LOG, "plain ".repeat(10_000))).block(PATIENCE);
    String large = "All work and no play makes Jack a dull boy. ".repeat(125_000);

    thread(graph, store()).run(Update.append(LOG, large)).block(PATIENCE);

    assertThat(log(thread(graph, store()))).contains(large, "plain ".repeat(10_000));
    database.close();
    assertThat(Files.size(file())).isLessThan(1 << 20);
  }

  /** Takes what was sealed with the same key only, and says so in a way that nobody declares. */
  private record Key(byte key) implements ByteStage {

    @Override
    public byte[] apply(byte[] bytes) {
      byte[] stored = Arrays.copyOf(bytes, bytes.length + 1);
      stored[bytes.length] = key;
      return stored;
    }

    @Override
    public byte[] undo(byte[] stored) {
      if (stored[stored.length - 1] != key) {
        throw Undeclared.thrown(new AEADBadTagException());
      }
      return Arrays.copyOf(stored, stored.length - 1);
    }
  }

  @Test
  @DisplayName("SG-305 a thread that is loaded with the wrong key is told")
  void wrongKey() {
    Graph graph = Chains.chain(calls::add);
    SqliteCheckpointStore right =
        SqliteCheckpointStore.builder(database).stage(new Key((byte) 1)).build();
    SqliteCheckpointStore wrong =
        SqliteCheckpointStore.builder(database).stage(new Key((byte) 2)).build();
    thread(graph, right).run(Update.append(LOG, "in")).block(PATIENCE);

    assertThatThrownBy(() -> log(thread(graph, wrong)))
        .isInstanceOfSatisfying(
            InvalidJsonException.class, told -> assertThat(told.code()).isEqualTo("SG-305"));
    assertThat(log(thread(graph, right))).containsExactly("in", "a", "b", "c");
  }

  /** Changes one of a hundred fields in each step. */
  private static Graph fields(List<Channel<String>> fields) {
    return Graph.builder("fields")
        .channels(Stream.concat(fields.stream(), Stream.of(COUNT)).toArray(Channel[]::new))
        .compute("change", state -> {
          int count = state.get(COUNT);
          return Update.of(fields.get(count % 100), count + "x".repeat(100)).and(COUNT, count + 1);
        })
        .edge(START, "change")
        .route("change", to("change", END), state -> state.get(COUNT) < 1_000 ? "change" : END)
        .build();
  }

  @Test
  @DisplayName("S2.36 S2.37 steps cost what they change, and each is read back as it was, also when"
      + " all snapshots are gone")
  void deltas() throws SQLException {
    List<Channel<String>> fields = IntStream.range(0, 100)
        .mapToObj(
            number -> Channel.value("field" + number, String.class).startingAt("x".repeat(100)))
        .toList();
    Graph graph = fields(fields);
    GraphThread thread = thread(graph, store());
    thread.run(Update.NOTHING).block(PATIENCE);

    long stored = number("SELECT sum(length(entry)) FROM checkpoint");
    assertThat(stored).isLessThan(1_000 * 100 * 100 / 10);
    List<Checkpoint> history = thread.history().collectList().block(PATIENCE);
    List<SavedThread> before = new ArrayList<>();
    for (int at = 0; at < history.size(); at += 50) {
      SavedThread saved = thread.state(history.get(at).id()).block(PATIENCE);
      assertThat(saved.position().state().get(COUNT)).isEqualTo(history.size() - 1 - at);
      before.add(saved);
    }
    assertThat(number("SELECT count(*) FROM snapshot")).isEqualTo(1);
    change("DELETE FROM snapshot");
    for (int at = 0; at < history.size(); at += 50) {
      assertThat(thread.state(history.get(at).id()).block(PATIENCE)).isEqualTo(before.get(at / 50));
    }
  }

  @Test
  @DisplayName("S2.36 a long thread is compacted by itself, and at once when it is asked for")
  void compaction() throws SQLException {
    Graph counting = Graph.builder("counting")
        .channels(COUNT)
        .compute("tick", state -> Update.of(COUNT, state.get(COUNT) + 1))
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> state.get(COUNT) % 2_000 == 0 ? END : "tick")
        .build();
    SqliteCheckpointStore store = store();
    GraphThread thread = thread(counting, store);
    thread.run(Update.NOTHING).block(PATIENCE);
    database.close(); // which lets what goes on behind come to its end
    database = SqliteDatabase.open(file());
    store = store();
    thread = thread(counting, store);

    long unread = number("SELECT sum(length(entry)) FROM checkpoint WHERE sequence >"
        + " (SELECT max(sequence) FROM snapshot)");
    assertThat(unread).isLessThan(400_000);
    assertThat(thread.state().block(PATIENCE).position().state().get(COUNT)).isEqualTo(2_000);

    store.compact("t").block(PATIENCE);

    assertThat(number("SELECT max(sequence) FROM snapshot")).isEqualTo(2_001);
    SavedThread saved = thread.state().block(PATIENCE);
    assertThat(saved.position().state().get(COUNT)).isEqualTo(2_000);
    thread.run(Update.of(COUNT, 3_999)).block(PATIENCE);
    assertThat(thread.state().block(PATIENCE).position().state().get(COUNT)).isEqualTo(4_000);
  }

  private GraphRunner runner(Graph graph) {
    return GraphRunner.builder(graph)
        .checkpoints(store())
        .events(SqliteEventLog.of(database))
        .build();
  }

  @Test
  @DisplayName("E22 X.19 a thread and its follower move to another runner when the first is closed")
  void closes() {
    Sinks.Empty<Void> gate = Sinks.empty();
    Graph graph = Chains.chain((node, context) -> gate.asMono());
    GraphRunner first = runner(graph);
    first.thread("t").start(Update.NOTHING).block(PATIENCE);
    first.thread("t").attach(0).filter(TaskStarted.class::isInstance).blockFirst(PATIENCE);
    Mono<List<GraphEvent>> followed =
        first.thread("t").attach(0, Chunks.NONE).collectList().cache();
    followed.subscribe();
    Mono<List<String>> closed = first.close(PATIENCE).collectList().cache();
    closed.subscribe();
    gate.tryEmitEmpty();

    assertThat(closed.block(PATIENCE)).isEmpty();
    List<GraphEvent> facts = new ArrayList<>(followed.block(PATIENCE));
    assertThat(facts).last().isInstanceOf(RunStopped.class);
    database.close();
    database = SqliteDatabase.open(file());
    GraphRunner second = runner(graph);
    assertThat(second.recover().map(Recovery::thread).collectList().block(PATIENCE))
        .containsExactly("t");
    second
        .thread("t")
        .attach(facts.get(facts.size() - 1).sequence(), Chunks.NONE)
        .takeUntil(RunCompleted.class::isInstance)
        .doOnNext(facts::add)
        .blockLast(PATIENCE);

    assertThat(facts)
        .extracting(GraphEvent::sequence)
        .containsExactlyElementsOf(
            LongStream.rangeClosed(1, facts.size()).boxed().toList());
    assertThat(facts)
        .filteredOn(StepCommitted.class::isInstance)
        .extracting(GraphEvent::step)
        .containsExactly(1, 2, 3);
    assertThat(log(second.thread("t"))).containsExactly("a", "b", "c");
    second.close(PATIENCE).blockLast(PATIENCE);
  }

  @Test
  @DisplayName("S2.36 loading a thread looks at no row of another")
  void index() throws SQLException {
    thread(Chains.chain(calls::add), store()).run(Update.NOTHING).block(PATIENCE);
    List<String> plans = new ArrayList<>();
    try (Connection plain = DriverManager.getConnection("jdbc:sqlite:" + file())) {
      for (String sql : List.of(
          "SELECT id FROM thread WHERE name = 't'",
          "SELECT entry FROM checkpoint WHERE thread = 1 AND sequence BETWEEN 1 AND 9"
              + " ORDER BY sequence",
          "SELECT note FROM note WHERE thread = 1 AND sequence = 1 ORDER BY place",
          "SELECT id FROM thread WHERE (is_idle = 0 OR owner IS NOT NULL OR lost > 0"
              + " OR waiting > 0) AND id > 1 ORDER BY id LIMIT 9",
          "SELECT number FROM event WHERE log = 1 AND (number, riding) > (1, 1)"
              + " ORDER BY number, riding LIMIT 9",
          "SELECT item FROM item WHERE (namespace, key) > ('a', 'b') AND namespace >= 'a'"
              + " AND namespace < 'b' ORDER BY namespace, key LIMIT 9")) {
        plans.add(
            plain.createStatement().executeQuery("EXPLAIN QUERY PLAN " + sql).getString("detail"));
      }
    }

    assertThat(plans).allMatch(plan -> plan.startsWith("SEARCH") || plan.contains("INDEX live"));
  }
}
