package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lettuce.core.Range;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
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
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Damaged data in Redis yields a typed error at once, and affects nothing else. */
class RedisDamageTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Graph CHAIN = Chains.chain(node -> {});
  private static final Schemas SCHEMAS = CHAIN.schemas();
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Namespace USERS = Namespace.of("users");

  private final String prefix = RedisServers.newPrefix();
  private final RedisSpace space =
      RedisSpace.builder(RedisServers.standalone()).prefix(prefix).build();
  private final RedisCheckpointStore store = RedisCheckpointStore.of(space);
  private final RedisEventLog log = RedisEventLog.of(space);
  private final RedisMemory memory = RedisMemory.of(space);
  private final StatefulRedisConnection<byte[], byte[]> connection =
      RedisServers.standalone().connect(ByteArrayCodec.INSTANCE);
  private final RedisCommands<byte[], byte[]> redis = connection.sync();

  @AfterEach
  void close() {
    connection.close();
    space.close();
  }

  private byte[] key(String thread, String name) {
    String meta = space.keys().thread(thread).get(0);
    return bytes(meta.substring(0, meta.length() - "meta".length()) + name);
  }

  private byte[] index(String name) {
    return bytes(prefix + ":{index}:" + name);
  }

  private byte[] memory(String name) {
    return bytes(prefix + ":{memory}:" + name);
  }

  private GraphThread thread(String name) {
    return GraphRunner.builder(CHAIN).checkpoints(store).events(log).build().thread(name);
  }

  private void run(String name) {
    thread(name).run(Update.NOTHING).block(PATIENCE);
  }

  private static <T> List<T> all(Publisher<T> publisher) {
    return Objects.requireNonNull(Flux.from(publisher).collectList().block(PATIENCE));
  }

  private static SuperstepException refusal(Publisher<?> call) {
    SuperstepException refused =
        catchThrowableOfType(SuperstepException.class, () -> Flux.from(call).blockLast(PATIENCE));
    assertThat(refused).isNotNull();
    assertThat(refused.getMessage()).hasSizeLessThan(2_000);
    return refused;
  }

  private static void assertInvalid(Publisher<?> call) {
    assertThat(refusal(call).code()).isEqualTo("SG-302");
  }

  /** Changes the line before a checkpoint. */
  private void changeLine(String thread, int sequence, UnaryOperator<String> change) {
    byte[] stored = redis.lindex(key(thread, "log"), sequence - 1);
    String content = new String(stored, StandardCharsets.ISO_8859_1);
    int end = content.indexOf('\n');
    String changed = change.apply(content.substring(0, end)) + content.substring(end);
    redis.lset(key(thread, "log"), sequence - 1, changed.getBytes(StandardCharsets.ISO_8859_1));
  }

  @ParameterizedTest(name = "its parent is the one that comes {0} places behind it")
  @ValueSource(ints = {0, 1})
  @DisplayName("a checkpoint whose parent does not precede it is refused")
  void parentLoop(int distance) {
    run("t");
    CheckpointId third =
        all(store.history("t", HistoryFilter.ALL, SCHEMAS)).get(1).id();
    assertThat(third.sequence()).isEqualTo(3);
    changeLine("t", 3, line -> {
      String[] parts = line.split(" ", -1);
      parts[1] = (third.sequence() + distance) + "-" + third.fence();
      return String.join(" ", parts);
    });

    assertInvalid(store.load("t", SCHEMAS));
    assertInvalid(store.load("t", third, SCHEMAS));
    assertInvalid(store.history("t", HistoryFilter.ALL, SCHEMAS));
    assertInvalid(store.prune("t", Retention.last(1), NOW));
    assertInvalid(store.delete("t", third, true));
  }

  @Test
  @DisplayName("a checkpoint whose parent is missing is refused, and is not an empty thread")
  void missingParent() {
    run("t");
    redis.lset(key("t", "log"), 1, bytes(""));

    assertInvalid(store.load("t", SCHEMAS));
  }

  @Test
  @DisplayName("a thread whose log is gone is refused, and is not an empty thread")
  void missingLog() {
    run("t");
    redis.del(key("t", "log"));

    assertInvalid(store.load("t", SCHEMAS));
    assertThat(all(store.threads(EnumSet.of(ThreadStatus.UNREADABLE))))
        .extracting(ThreadSummary::thread)
        .containsExactly("t");
  }

  @ParameterizedTest(name = "a length of {0} bytes")
  @ValueSource(ints = {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 3})
  @DisplayName("packed notes whose length is not that of their bytes are refused")
  void packedNotes(int length) {
    run("t");
    byte[] id = redis.lindex(key("t", "log"), 1);
    String start = text(id);
    redis.hset(
        key("t", "left"),
        bytes(start.substring(0, start.indexOf(' '))),
        ByteBuffer.allocate(6).putInt(length).array());

    assertInvalid(
        store.load("t", CheckpointId.parse(start.substring(0, start.indexOf(' '))), SCHEMAS));
  }

  @Test
  @DisplayName("events whose life is not UTF-8 are read")
  void lifeThatIsNoText() {
    run("t");
    int events = all(log.read("t", 0, SCHEMAS)).size();
    redis.hset(key("t", "told"), bytes("life"), new byte[] {(byte) 0xff, (byte) 0xc0});

    assertThat(all(log.read("t", 0, SCHEMAS))).hasSize(events);
  }

  @Test
  @DisplayName("an event that is missing at the end, or in the middle, is a gap")
  void missingEvents() {
    run("t");
    List<GraphEvent> events = all(log.read("t", 0, SCHEMAS));
    long last = events.get(events.size() - 1).sequence();

    redis.xdel(key("t", "events"), last + "-0");
    assertThat(refusal(log.read("t", 0, SCHEMAS))).isInstanceOf(EventsTrimmedException.class);

    redis.xdel(key("t", "events"), "2-0");
    assertThat(refusal(log.read("t", 0, SCHEMAS)).code()).isIn("SG-421", "SG-310");
  }

  @Test
  @DisplayName("an event under the number of another is refused")
  void eventOfAnotherNumber() {
    run("t");
    byte[] events = key("t", "events");
    Map<byte[], byte[]> second =
        redis.xrange(events, Range.create("2-0", "2-0")).get(0).getBody();
    redis.hset(key("t", "told"), bytes("last"), bytes(1_000));
    redis.xadd(events, new XAddArgs().id("1000-0"), second);

    assertInvalid(log.read("t", 0, SCHEMAS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u00ff\u00c0", "", "missing", "many"})
  @DisplayName("pruning a thread whose version is damaged ends")
  void version(String version) {
    run("t");
    byte[] meta = key("t", "meta");
    if (version.equals("missing")) {
      redis.hdel(meta, bytes("version"));
    } else {
      redis.hset(meta, bytes("version"), version.getBytes(StandardCharsets.ISO_8859_1));
    }

    assertInvalid(store.prune("t", Retention.last(1), NOW));
    assertThat(refusal(store.delete("t", new CheckpointId(1, 1), true)).code())
        .isIn("SG-302", "SG-406");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"9007199254740993", "1e300", "inf", "nan", "-1", "", "many", "99999999999999999999"
      })
  @DisplayName("a mark that is damaged reaches neither the index nor other threads")
  void mark(String mark) {
    run("t");
    redis.hset(key("t", "meta"), bytes("mark"), bytes(mark));
    byte[] number = redis.get(index("number"));

    if (!mark.equals("-1") && !mark.equals("nan")) {
      assertInvalid(store.acquire("t", "ada", PATIENCE));
      assertInvalid(store.enqueue("t", input("more"), SCHEMAS));
    } else {
      Flux.from(store.acquire("t", "ada", PATIENCE)).onErrorComplete().blockLast(PATIENCE);
    }

    assertThat(Long.parseLong(text(redis.get(index("number")))))
        .isBetween(Long.parseLong(text(number)), Long.parseLong(text(number)) + 10);
    run("other");
  }

  @ParameterizedTest(name = "the owner {0} takes it")
  @ValueSource(strings = {"ada", "bob"})
  @DisplayName("a lease without its fence is refused")
  void leaseWithoutFence(String owner) {
    store.acquire("t", "ada", PATIENCE).block(PATIENCE);
    redis.hdel(key("t", "meta"), bytes("fence"));

    assertInvalid(store.acquire("t", owner, PATIENCE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "1e300", "many"})
  @DisplayName("a mark that is damaged during a lease is refused when the lease is released")
  void markOfRelease(String mark) {
    Lease lease = store.acquire("t", "ada", PATIENCE).block(PATIENCE);
    if (mark.equals("missing")) {
      redis.hdel(key("t", "meta"), bytes("mark"));
    } else {
      redis.hset(key("t", "meta"), bytes("mark"), bytes(mark));
    }

    assertInvalid(store.release(lease, Release.SETTLED));
    assertThat(redis.zcard(index("done"))).isZero();
  }

  /** Leaves a thread whose question is answered, with a lease and the request to resume it. */
  private Lease resumeRequested() {
    approval(store).run(Update.NOTHING).block(PATIENCE);
    approval(store).answer("publish", true, "ada").block(PATIENCE);
    Lease lease = store.acquire("t", "me", PATIENCE).block(PATIENCE);
    assertThat(store.requestResume("t").block(PATIENCE)).isTrue();
    return lease;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nonsense", "{\"v\":99}"})
  @DisplayName("S2.25 a requested resume is kept when the records of the step cannot be decoded")
  void resumeOfUnreadable(String note) {
    Lease lease = resumeRequested();
    redis.lset(key("t", "notes"), 0, bytes(note));

    assertThat(store.release(lease, Release.SETTLED).block(PATIENCE)).isTrue();

    Lease next = store.acquire("t", "next", PATIENCE).block(PATIENCE);
    assertThat(next.fence()).isGreaterThan(lease.fence());
    refusal(store.load("t", SCHEMAS));
    assertThat(store.release(next, Release.SETTLED).block(PATIENCE))
        .as("nothing is requested")
        .isFalse();
    assertThat(all(store.threads(EnumSet.of(ThreadStatus.UNREADABLE))))
        .extracting(ThreadSummary::thread)
        .containsExactly("t");
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
    approval(store).run(Update.NOTHING).block(PATIENCE);
    GraphThread other = approval(store);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    CheckpointStore damaging = new StoreAround(store) {
      @Override
      public Publisher<Boolean> release(Lease lease, Release how) {
        Mono<Void> before = other
            .answer("publish", true, "bob")
            .thenMany(other.resume())
            .onErrorResume(ThreadBusyException.class, refused -> Mono.empty())
            .then(connection.reactive().lset(key("t", "notes"), 0, bytes("{")).then());
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

  private static QueuedInput input(String id) {
    return new QueuedInput(id, Update.append(Chains.LOG, id), "ada", NOW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"total", "span", "version", "check", "cut"})
  @DisplayName("a commit to a thread with a damaged field writes nothing")
  void halfACommit(String field) {
    byte[] meta = key("t", "meta");
    long[] length = new long[1];
    Graph graph = Chains.chain((node, context) -> node.equals("b")
        ? connection
            .reactive()
            .hset(meta, bytes(field), bytes("many"))
            .then(connection.reactive().llen(key("t", "log")))
            .doOnNext(now -> length[0] = now)
            .then()
        : Mono.empty());

    assertInvalid(
        GraphRunner.builder(graph).checkpoints(store).build().thread("t").run(Update.NOTHING));
    assertThat(redis.llen(key("t", "log"))).isEqualTo(length[0]);
  }

  @Test
  @DisplayName(
      "one memory item that is damaged is skipped by searches, refused by get, and repaired")
  void memoryItem() {
    for (String name : List.of("ada", "bob", "cyd", "dan")) {
      memory.write(MemoryWrite.put(USERS, name, Map.of("name", name)), NOW).block(PATIENCE);
    }
    String bob = USERS + "\0bob";
    redis.hset(memory("items"), bytes(bob), bytes("{" + "x".repeat(200_000)));
    redis.hdel(memory("items"), bytes(USERS + "\0dan"));
    redis.zadd(memory("order"), 0, bytes(USERS.toString()));

    assertThat(all(memory.search(MemoryQuery.below(USERS))).stream().map(MemoryItem::key))
        .containsExactly("ada", "cyd");
    assertInvalid(memory.get(USERS, "bob"));
    assertThat(memory.get(USERS, "ada").block(PATIENCE)).isNotNull();

    memory.write(MemoryWrite.put(USERS, "bob", Map.of("name", "bob")), NOW).block(PATIENCE);
    assertThat(memory.get(USERS, "bob").block(PATIENCE)).isNotNull();
    redis.hset(memory("items"), bytes(bob), bytes("?"));
    memory.write(MemoryWrite.remove(USERS, "bob"), NOW).block(PATIENCE);
    assertThat(memory.get(USERS, "bob").block(PATIENCE)).isNull();
  }

  @Test
  @DisplayName(
      "of 22 threads the damaged ones are listed as unreadable, and all others as they are")
  void listing() {
    List<String> names = IntStream.range(0, 22).mapToObj(each -> "t" + each).toList();
    names.forEach(this::run);
    redis.hset(key("t1", "meta"), bytes("head"), bytes("nonsense"));
    redis.hset(key("t4", "meta"), bytes("time"), bytes("yesterday"));
    redis.hset(key("t5", "meta"), bytes("state"), bytes("?"));
    redis.hset(key("t9", "meta"), bytes("lost"), new byte[] {(byte) 0xff});
    redis.del(key("t10", "meta"));
    redis.set(key("t10", "meta"), bytes("a string"));
    redis.rpush(key("t13", "notes"), bytes("{".repeat(100_000)));
    redis.set(key("t14", "notes"), bytes("a string"));
    redis.hset(key("t20", "queue"), bytes("id"), bytes("no place"));
    redis.hdel(key("t20", "meta"), bytes("head"));
    redis.hset(key("t21", "meta"), bytes("owner"), bytes("ada"));
    redis.hset(key("t21", "meta"), bytes("until"), bytes("tomorrow"));
    redis.zadd(index("done"), 1.5, new byte[] {'%', 'z', (byte) 0xff});
    List<String> damaged =
        List.of("t1", "t4", "t5", "t9", "t10", "t13", "t14", "t20", "t21", "%z\u00ff");

    List<ThreadSummary> listed = all(store.threads(EnumSet.allOf(ThreadStatus.class)));

    assertThat(listed.stream()
            .filter(each -> each.status() == ThreadStatus.UNREADABLE)
            .map(ThreadSummary::thread))
        .containsExactlyInAnyOrderElementsOf(damaged);
    assertThat(listed.stream()
            .filter(each -> each.status() == ThreadStatus.DONE)
            .map(ThreadSummary::thread))
        .containsExactlyInAnyOrderElementsOf(
            names.stream().filter(name -> !damaged.contains(name)).toList());
    assertThat(listed)
        .filteredOn(each -> each.status() == ThreadStatus.UNREADABLE)
        .allSatisfy(each -> {
          assertThat(each.problem()).isNotNull();
          assertThat(each.problem().getMessage()).hasSizeLessThan(2_000);
        });
    assertThat(all(store.threads(EnumSet.of(ThreadStatus.DONE)))).hasSize(13);
    assertThat(all(store.threads(EnumSet.of(ThreadStatus.UNREADABLE)))).hasSize(damaged.size());

    for (String name : damaged) {
      all(store.export(name));
      store.delete(name).block(PATIENCE);
      assertThat(redis.exists(key(name, "log"), key(name, "notes"), key(name, "queue")))
          .isZero();
    }
    assertThat(all(store.threads(EnumSet.allOf(ThreadStatus.class)))).hasSize(13);
  }

  @Test
  @DisplayName("a thread is exported byte by byte, whatever it holds, and an unknown one is empty")
  void export() {
    run("t");
    redis.del(key("t", "taken"));
    redis.sadd(key("t", "taken"), bytes("a set"));
    redis.hset(key("t", "meta"), bytes("head"), new byte[] {(byte) 0xff});
    for (int input = 0; input < 100; input++) {
      redis.hset(key("t", "queue"), bytes("input " + input), bytes("nonsense " + input));
    }

    List<RawRecord> records = all(store.export("t"));

    List<String> names = records.stream().map(RawRecord::name).toList();
    assertThat(names).doesNotHaveDuplicates().contains("meta/fence", "meta/head", "log/0", "log/2");
    assertThat(names).contains("taken/dump", "queue/input 0", "queue/input 99");
    assertThat(content(records, "meta/head")).containsExactly(0xff);
    assertThat(content(records, "log/1")).isEqualTo(redis.lindex(key("t", "log"), 1));
    assertThat(content(records, "queue/input 7")).isEqualTo(bytes("nonsense 7"));
    assertThat(all(store.export("unknown"))).isEmpty();

    store.delete("t").block(PATIENCE);
    assertThat(all(store.export("t"))).isEmpty();
  }

  private static byte[] content(List<RawRecord> records, String name) {
    RawRecord found =
        records.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    byte[] content = new byte[found.content().remaining()];
    found.content().duplicate().get(content);
    return content;
  }

  @Test
  @DisplayName("an export of many entries comes in pages, as it is requested")
  void exportPages() {
    for (int note = 0; note < 1_000; note++) {
      redis.rpush(key("t", "notes"), bytes("note " + note));
    }

    List<RawRecord> records = new ArrayList<>(all(store.export("t")));

    assertThat(records).hasSize(1_000);
    assertThat(records.get(999).name()).isEqualTo("notes/999");
    assertThat(store.export("t").take(3).count().block(PATIENCE)).isEqualTo(3);
  }
}
