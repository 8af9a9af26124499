package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RestoreArgs;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.error.SuperstepException;
import io.superstep.event.Chunks;
import io.superstep.graph.Graph;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Outbox;
import io.superstep.memory.Writer;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Channel;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import redis.embedded.RedisServer;

/**
 * Whatever bytes Redis holds, each call ends in time with a value or a {@link SuperstepException}
 * whose message is bounded. No message along its causes quotes a stored value.
 *
 * <p>The system property {@code superstep.hostile.mutations} configures the number of mutations. An
 * eighth is written to Redis and read by all calls; the rest is parsed without Redis. A failure
 * names its seed.
 */
class RedisHostileBytesTests {

  private static final int MUTATIONS = Integer.getInteger("superstep.hostile.mutations", 2_000);
  private static final long SEED = Long.getLong("superstep.hostile.seed", 20_261_118);
  private static final int MAX_MESSAGE = 2_000;
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Namespace USERS = Namespace.of("users");
  private static final String PREFIX = "hostile";

  /** A part of every stored value. */
  private static final String PRIVATE = "Tolstoy";

  private static final List<String> EVIL = List.of(
      "",
      " ",
      "-",
      "--",
      "-1",
      "0",
      "0-0",
      "1-1",
      "1-1 1-1 0.0 -",
      "nan",
      "inf",
      "-inf",
      "1e300",
      "1e999999999",
      "0x10",
      "1.5",
      "9007199254740993",
      "9223372036854775807",
      "99999999999999999999",
      "\u0661",
      "{",
      "[]",
      "null",
      "{\"v\":1}",
      "\u0000\u0000",
      "%",
      "%u",
      "%zz",
      "\n",
      "\ud800");

  private @Nullable RedisServer server;
  private @Nullable RedisClient client;
  private @Nullable RedisSpace space;

  @BeforeEach
  void start() {
    server = RedisServers.started(RedisServers.newServer(RedisServers.freePort()));
    client = RedisClient.create(RedisServers.uri(RedisServers.portOf(server)));
    space = RedisSpace.builder(client).prefix(PREFIX).build();
  }

  @AfterEach
  void stop() {
    Objects.requireNonNull(space).close();
    Objects.requireNonNull(client).shutdown(Duration.ZERO, Duration.ofSeconds(1));
    RedisServers.stop(Objects.requireNonNull(server));
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  @DisplayName("mutated keys yield values or typed errors, from every call, in time")
  void mutatedKeys() {
    Stored stored = new Stored(Objects.requireNonNull(space));
    try (StatefulRedisConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE)) {
      Mutator mutator = new Mutator(connection.sync());
      List<Mutator.Dumped> dump = mutator.dump();
      for (int mutation = 0; mutation < Math.max(1, MUTATIONS / 8); mutation++) {
        long seed = SEED + mutation;
        String key = mutator.mutate(new Random(seed));
        stored.callAll("seed " + seed + ", key " + key, key, mutation);
        mutator.restore(connection, dump);
      }
    }
    stored.callIntact();
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  @DisplayName("mutated frames are parsed or refused, without Redis")
  void mutatedFrames() {
    Frames frames = new Frames("thread 't'");
    Map<String, Consumer<byte[]>> parsers = new LinkedHashMap<>();
    parsers.put("17", frame -> frames.number(frame, "part"));
    parsers.put("12-3", frame -> frames.id(frame, "part"));
    parsers.put("12-4", frame -> frames.idOrNone(frame, "part"));
    parsers.put("-1767225600.123456789", frame -> frames.time(frame, "part"));
    parsers.put("5-1 4-1 1767225600.1 3-1\n{\"v\":1}", frame -> frames.entry(frame, 5));
    parsers.put("5-1 4-1 1767225600.1 -\n", frame -> frames.entry(frame, 5));
    parsers.put("99 5-1 4-1 1767225600.1 -", frame -> frames.known(frame, 5));
    parsers.put("\0\0\0\2ab\0\0\0\1c", frame -> frames.notes(frame, "part"));
    parsers.put("3 {\"v\":1}", frame -> frames.queue(List.of(frame, frame)));
    parsers.put("3 4", frames::marker);
    parsers.put("7-0", frames::streamId);
    parsers.put("7-1", frame -> frames.streamEntry(List.of(frame, List.of(bytes("c"), frame))));
    parsers.put("order%207b%ud800", ThreadNames::read);
    List<String> valid = List.copyOf(parsers.keySet());
    for (int mutation = 0; mutation < MUTATIONS; mutation++) {
      Random random = new Random(SEED + mutation);
      String frame = valid.get(random.nextInt(valid.size()));
      byte[] mutated = Mutator.mutated(frame.getBytes(StandardCharsets.ISO_8859_1), random);
      try {
        Objects.requireNonNull(parsers.get(frame)).accept(mutated);
      } catch (InvalidRecordException refused) {
        assertThat(refused.getMessage()).hasSizeLessThan(MAX_MESSAGE);
      }
    }
  }

  /** Everything that the stores can hold, and all calls that read it. */
  private static final class Stored {

    private static final Channel<String> TEXT = Channel.value("text", String.class);

    private final Graph chain = Chains.chain(node -> {});
    private final Graph approval = Chains.approval(node -> {});
    private final Graph writer = Graph.builder("writer")
        .channels(TEXT)
        .node("first", state -> Mono.just(large(1)))
        .node("second", state -> Mono.just(large(2)))
        .node("third", state -> Mono.just(large(3)))
        .sequence(START, "first", "second", "third", END)
        .build();
    private final Map<String, Graph> graphs =
        new TreeMap<>(Map.of("done", chain, "asks", approval, "forked", approval, "large", writer));
    private final RedisCheckpointStore store;
    private final RedisEventLog log;
    private final RedisMemory memory;
    private final Map<String, List<CheckpointId>> ids = new TreeMap<>();

    Stored(RedisSpace space) {
      this.store = RedisCheckpointStore.of(space);
      this.log = RedisEventLog.of(space);
      this.memory = RedisMemory.of(space);
      graphs.forEach((name, graph) -> thread(name, graph)
          .run(graph == writer ? Update.NOTHING : Update.append(Chains.LOG, PRIVATE))
          .block(LIMIT));
      CheckpointId first = store
          .history("forked", HistoryFilter.ALL, approval.schemas())
          .map(Checkpoint::id)
          .blockLast(LIMIT);
      thread("forked", approval)
          .fork(Objects.requireNonNull(first), Update.NOTHING)
          .blockLast(LIMIT);
      store.enqueue("queued", input("one"), chain.schemas()).block(LIMIT);
      store.enqueue("queued", input("two"), chain.schemas()).block(LIMIT);
      for (int item = 0; item < 5; item++) {
        memory
            .write(
                MemoryWrite.put(USERS, "item" + item, Map.of("author", PRIVATE))
                    .lasting(Duration.ofDays(item + 1)),
                NOW)
            .block(LIMIT);
      }
      memory.apply(outbox()).block(LIMIT);
      graphs.forEach((name, graph) -> ids.put(
          name,
          Objects.requireNonNull(store
              .history(name, HistoryFilter.ALL, graph.schemas())
              .map(Checkpoint::id)
              .collectList()
              .block(LIMIT))));
    }

    private static Update large(int number) {
      return Update.of(TEXT, (PRIVATE + " " + number + " ").repeat(9_000));
    }

    private static QueuedInput input(String id) {
      return new QueuedInput(id, Update.append(Chains.LOG, PRIVATE), "ada", NOW);
    }

    private static Outbox outbox() {
      return new Outbox(
          new Writer("done", 1, 1),
          NOW,
          List.of(MemoryWrite.put(USERS, "outbox", Map.of("author", PRIVATE))));
    }

    private GraphThread thread(String name, Graph graph) {
      return GraphRunner.builder(graph).checkpoints(store).events(log).build().thread(name);
    }

    /** Makes all calls that read {@code key}. */
    void callAll(String what, String key, int round) {
      call(what + ": list", store.threads(EnumSet.allOf(ThreadStatus.class)));
      graphs.forEach((name, graph) -> {
        if (key.contains("{t:" + name + "}") || key.contains("{index}")) {
          callThread(what + ": " + name, name, graph.schemas(), round);
        }
      });
      if (key.contains("{t:queued}")) {
        callQueue(what);
      }
      if (key.contains("{memory}")) {
        callMemory(what, round);
      }
    }

    private void callQueue(String what) {
      call(what + ": queue", store.queue("queued", chain.schemas()));
      call(what + ": export", store.export("queued"));
      call(what + ": enqueue", store.enqueue("queued", input("more"), chain.schemas()));
      call(what + ": delete", store.delete("queued"));
    }

    private void callMemory(String what, int round) {
      call(what + ": search", memory.search(MemoryQuery.below(USERS)));
      call(what + ": search by prefix", memory.search(MemoryQuery.ALL.keyPrefix("item3")));
      call(what + ": get", memory.get(USERS, "item" + round % 5));
      call(what + ": apply", memory.apply(outbox()));
      call(what + ": expire", memory.prune(NOW.plus(Duration.ofDays(3))));
    }

    private void callThread(String what, String name, Schemas schemas, int round) {
      List<CheckpointId> known = Objects.requireNonNull(ids.get(name));
      CheckpointId one = known.get(round % known.size());
      call(what + ": load", store.load(name, schemas));
      call(what + ": load at " + one, store.load(name, one, schemas));
      call(what + ": history", store.history(name, HistoryFilter.ALL, schemas));
      call(what + ": read", log.read(name, 0, schemas));
      call(what + ": read on", log.read(name, 2, schemas));
      call(
          what + ": follow",
          log.follow(name, 0, Chunks.SO_FAR, schemas)
              .take(3)
              .takeUntilOther(Mono.delay(Duration.ofMillis(200)))
              .contextWrite(context -> context.put("reactor.onNextDropped.local", (Consumer<Object>)
                  RedisHostileBytesTests::ignore)));
      call(what + ": export", store.export(name));
      call(
          what + ": acquire",
          store
              .acquire(name, "ada", LIMIT)
              .flatMap(lease -> store.renew(lease, LIMIT))
              .flatMap(lease -> store.release(lease, Release.SETTLED)));
      call(what + ": prune", store.prune(name, Retention.last(2), NOW));
      call(what + ": delete at " + one, store.delete(name, one, true));
      call(what + ": open", log.open(name, 1_000));
      call(what + ": trim", log.trim(name, 3));
      call(what + ": delete events", log.delete(name));
      call(what + ": delete", store.delete(name));
    }

    private static void call(String what, Publisher<?> call) {
      try {
        Flux.from(call).blockLast(LIMIT);
      } catch (SuperstepException typed) {
        assertThat(typed.getMessage()).as(what).hasSizeLessThan(MAX_MESSAGE);
        assertThat(typed.problems())
            .as(what)
            .allSatisfy(problem -> assertThat(problem.code()).isNotIn("SG-451", "SG-452"));
        for (Throwable each = typed; each != null; each = each.getCause()) {
          assertThat(String.valueOf(each.getMessage())).as(what).doesNotContain(PRIVATE);
        }
      } catch (RuntimeException | Error untyped) {
        throw new AssertionError(what + " ends with " + untyped.getClass(), untyped);
      }
    }

    /** Nothing of all that has an effect on data that is intact. */
    void callIntact() {
      graphs.forEach((name, graph) ->
          assertThat(store.load(name, graph.schemas()).block(LIMIT)).isNotNull());
      assertThat(memory.search(MemoryQuery.below(USERS)).count().block(LIMIT)).isPositive();
    }
  }

  /** Changes one element of one key. */
  private static final class Mutator {

    private final RedisCommands<byte[], byte[]> redis;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Dumped(byte[] key, byte[] value) {}

    Mutator(RedisCommands<byte[], byte[]> redis) {
      this.redis = redis;
    }

    private List<byte[]> keys() {
      List<byte[]> keys = new ArrayList<>(redis
          .scan(KeyScanArgs.Builder.limit(10_000).match(bytes(PREFIX + "*")))
          .getKeys());
      keys.sort(Arrays::compare);
      return keys;
    }

    List<Dumped> dump() {
      return keys().stream().map(key -> new Dumped(key, redis.dump(key))).toList();
    }

    void restore(StatefulRedisConnection<byte[], byte[]> connection, List<Dumped> dump) {
      redis.flushall();
      List<RedisFuture<?>> restored = new ArrayList<>();
      dump.forEach(each -> restored.add(
          connection.async().restore(each.key(), each.value(), RestoreArgs.Builder.ttl(0))));
      LettuceFutures.awaitAll(LIMIT, restored.toArray(RedisFuture[]::new));
    }

    /** Returns the key. */
    String mutate(Random random) {
      List<byte[]> keys = keys();
      byte[] key = keys.get(random.nextInt(keys.size()));
      String name = new String(key, StandardCharsets.UTF_8);
      int choice = random.nextInt(20);
      if (choice == 0) {
        redis.del(key);
        return name;
      }
      if (choice == 1) {
        redis.del(key);
        redis.set(key, bytes("a string"));
        return name;
      }
      String type = redis.type(key);
      switch (type) {
        case "string" -> redis.set(key, mutated(redis.get(key), random));
        case "hash" -> mutateHash(key, random);
        case "list" -> mutateList(key, random);
        case "zset" -> mutateSortedSet(key, random);
        default -> mutateStream(key, random);
      }
      return name;
    }

    private void mutateHash(byte[] key, Random random) {
      List<byte[]> fields = new ArrayList<>(redis.hkeys(key));
      fields.sort(Arrays::compare);
      byte[] field = fields.get(random.nextInt(fields.size()));
      byte[] value = redis.hget(key, field);
      switch (random.nextInt(8)) {
        case 0 -> redis.hdel(key, field);
        case 1 -> {
          redis.hdel(key, field);
          redis.hset(key, mutated(field, random), value);
        }
        default -> redis.hset(key, field, mutated(value, random));
      }
    }

    private void mutateList(byte[] key, Random random) {
      int length = Math.toIntExact(redis.llen(key));
      int at = random.nextInt(length);
      switch (random.nextInt(10)) {
        case 0 -> redis.rpop(key);
        case 1 -> redis.lpop(key);
        case 2 -> redis.rpush(key, mutated(redis.lindex(key, at), random));
        case 3 -> redis.lset(key, at, redis.lindex(key, random.nextInt(length)));
        default -> redis.lset(key, at, mutated(redis.lindex(key, at), random));
      }
    }

    private void mutateSortedSet(byte[] key, Random random) {
      List<byte[]> members = redis.zrange(key, 0, -1);
      byte[] member = members.get(random.nextInt(members.size()));
      double score = redis.zscore(key, member);
      switch (random.nextInt(4)) {
        case 0 -> redis.zrem(key, member);
        case 1 -> redis.zadd(key, Double.POSITIVE_INFINITY, member);
        case 2 -> redis.zadd(key, random.nextInt(100) - 50.5, member);
        default -> {
          redis.zrem(key, member);
          redis.zadd(key, score, mutated(member, random));
        }
      }
    }

    private void mutateStream(byte[] key, Random random) {
      List<StreamMessage<byte[], byte[]>> entries = redis.xrange(key, Range.unbounded());
      int changed = random.nextInt(entries.size());
      if (random.nextInt(4) == 0) {
        redis.xdel(key, entries.get(changed).getId());
        return;
      }
      redis.del(key);
      for (int at = 0; at < entries.size(); at++) {
        boolean isChanged = at == changed;
        List<Object> body = new ArrayList<>();
        entries.get(at).getBody().forEach((kind, event) -> {
          boolean isKind = random.nextInt(5) == 0;
          body.add(isChanged && isKind ? mutated(kind, random) : kind);
          body.add(isChanged && !isKind ? mutated(event, random) : event);
        });
        redis.xadd(key, new XAddArgs().id(entries.get(at).getId()), body.toArray());
      }
    }

    static byte[] mutated(byte[] value, Random random) {
      byte[] copy = value.clone();
      int at = copy.length == 0 ? 0 : random.nextInt(copy.length);
      switch (copy.length == 0 ? 5 : random.nextInt(9)) {
        case 0 -> copy[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> copy[at] = (byte) random.nextInt(256);
        case 2 -> copy[at] = (byte) ('0' + random.nextInt(10));
        case 3 -> copy = Arrays.copyOf(copy, at);
        case 4 -> copy = Arrays.copyOfRange(copy, at, copy.length);
        case 5 -> copy = EVIL.get(random.nextInt(EVIL.size())).getBytes(StandardCharsets.UTF_8);
        case 6 -> copy = joined(copy, EVIL.get(random.nextInt(EVIL.size())));
        case 7 -> Arrays.fill(copy, at, copy.length, (byte) random.nextInt(256));
        default -> {
          byte[] longer = Arrays.copyOf(copy, copy.length + 200_000);
          Arrays.fill(longer, copy.length, longer.length, (byte) 'x');
          copy = longer;
        }
      }
      return copy;
    }

    private static byte[] joined(byte[] start, String end) {
      byte[] more = end.getBytes(StandardCharsets.UTF_8);
      byte[] joined = Arrays.copyOf(start, start.length + more.length);
      System.arraycopy(more, 0, joined, start.length, more.length);
      return joined;
    }
  }

  /** Ignores an event that arrives when the time of a follower is over. */
  private static void ignore(Object late) {}
}
