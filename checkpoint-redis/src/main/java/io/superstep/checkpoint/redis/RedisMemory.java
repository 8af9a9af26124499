package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.DeliveryGuard.guarded;
import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;
import static io.superstep.error.Option.once;

import io.superstep.error.SuperstepException;
import io.superstep.json.ByteStage;
import io.superstep.json.MemoryCodec;
import io.superstep.memory.Address;
import io.superstep.memory.InvalidMemoryException;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryStore;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Outbox;
import io.superstep.memory.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Keeps what threads remember together in Redis.
 *
 * <p>An outbox is applied by one script, with the marker of its thread; so all of memory lies on
 * one node of a cluster. Items that have expired are never returned, and go when {@link #prune} is
 * called. Safe for use by many threads. Without options it goes by the clock of the system, and
 * takes values of about 1 MB.
 */
public final class RedisMemory implements MemoryStore {

  private static final RedisScript REMEMBER = RedisScript.of("memory", "remember");
  private static final RedisScript RECALL = RedisScript.of("memory", "recall");
  private static final RedisScript MARKED = RedisScript.of("memory", "marked");
  private static final RedisScript SEARCH = RedisScript.of("memory", "search");
  private static final RedisScript EXPIRE = RedisScript.of("memory", "expire");

  private static final String DOING = "memory";
  private static final Frames FRAMES = new Frames(DOING);
  private static final Logger LOGGER = Loggers.getLogger("io.superstep.store");
  private static final int PAGE = 100;

  private static final Duration ALMOST_A_MILLI = Duration.ofNanos(999_999);

  private final RedisSpace space;
  private final MemoryCodec codec;
  private final InstantSource clock;
  private final long maxValueSize;

  private RedisMemory(Builder builder) {
    this.space = builder.space;
    this.codec = MemoryCodec.of(builder.stages.toArray(ByteStage[]::new));
    this.clock = builder.clock == null ? Clock.systemUTC() : builder.clock;
    this.maxValueSize = builder.maxValueSize == null ? MAX_VALUE_SIZE : builder.maxValueSize;
  }

  /** Memory without options. */
  public static RedisMemory of(RedisSpace space) {
    return builder(space).build();
  }

  public static Builder builder(RedisSpace space) {
    return new Builder(space);
  }

  private Mono<List<Object>> call(RedisScript script, byte[]... arguments) {
    return space.call(script, space.keys().memory(), DOING, arguments);
  }

  /** An address as a member of the sorted set: its order is that of the bytes. */
  private static byte[] member(Address address) {
    return bytes(address.namespace() + "\0" + address.key());
  }

  @Override
  public long maxValueSize() {
    return maxValueSize;
  }

  @Override
  public Mono<MemoryItem> get(Namespace namespace, String key) {
    return guarded(Mono.defer(() -> {
      byte[] address = member(new Address(namespace, key));
      return call(RECALL, address).mapNotNull(reply -> {
        Stored stored = new Stored(address, FRAMES.bytes(reply.get(0), "an item"));
        return stored.item.length == 0 ? null : alive(stored, clock.instant());
      });
    }));
  }

  /** An item as it is stored, and its address. */
  private static final class Stored {

    private final byte[] address;
    private final byte[] item;

    Stored(byte[] address, byte[] item) {
      this.address = address;
      this.item = item;
    }

    /** The address for messages, of which a damaged one may have any bytes. */
    String shown() {
      return ThreadNames.shown(new String(address, StandardCharsets.UTF_8).replace('\0', ':'));
    }
  }

  private @Nullable MemoryItem alive(Stored stored, Instant now) {
    String place = DOING + ", item '" + stored.shown() + "'";
    MemoryItem item = Coding.decoded(place, () -> codec.decode(stored.item));
    if (!Arrays.equals(member(new Address(item.namespace(), item.key())), stored.address)) {
      throw InvalidRecordException.frame(place, "its content belongs to another item");
    }
    return item.isAliveAt(now) ? item : null;
  }

  /** As {@link #alive}; an item that is damaged is reported, and does not end the search. */
  private @Nullable MemoryItem found(Stored stored, Instant now) {
    try {
      if (stored.item.length == 0) {
        throw InvalidRecordException.frame(DOING, "an address has no item");
      }
      return alive(stored, now);
    } catch (SuperstepException damaged) {
      LOGGER.warn(
          "A search skips the memory item '{}', which cannot be read ({}). Overwrite or delete it.",
          stored.shown(),
          damaged.code());
      return null;
    }
  }

  @Override
  public Flux<MemoryItem> search(MemoryQuery query) {
    return guarded(Flux.defer(() -> {
      Instant now = clock.instant();
      Search search = new Search(query);
      return Mono.defer(() -> call(SEARCH, search.arguments()))
          .map(search::page)
          .repeat(() -> search.more)
          .concatMapIterable(page -> page, 1)
          .mapNotNull(stored -> found(stored, now))
          .filter(query::accepts)
          .take(query.limit());
    }));
  }

  /** How far a search has come; used by one JVM thread at a time. */
  private static final class Search {

    private final MemoryQuery query;
    private byte[] from;
    private boolean included;
    private boolean more = true;

    Search(MemoryQuery query) {
      this.query = query;
      Address after = query.after();
      boolean isInside = after != null && after.namespace().compareTo(query.namespace()) >= 0;
      this.from =
          after != null && isInside ? member(after) : bytes(query.namespace().toString());
      this.included = !isInside;
    }

    byte[][] arguments() {
      return new byte[][] {
        from,
        bytes(included ? "1" : "0"),
        bytes(query.namespace().toString()),
        bytes(query.keyPrefix()),
        bytes(PAGE)
      };
    }

    List<Stored> page(List<Object> reply) {
      byte[] next = FRAMES.bytes(reply.get(0), "an address");
      more = next.length > 0;
      if (more) {
        included = next[0] == '[';
        from = Arrays.copyOfRange(next, 1, next.length);
      }
      List<byte[]> found = FRAMES.allBytes(reply.get(1), "items");
      List<Stored> page = new ArrayList<>(found.size() / 2);
      for (int at = 0; at + 1 < found.size(); at += 2) {
        page.add(new Stored(found.get(at), found.get(at + 1)));
      }
      return page;
    }
  }

  @Override
  public Mono<Void> write(MemoryWrite write, Instant now) {
    return guarded(Mono.defer(() -> {
      write.requireSize(maxValueSize);
      List<byte[]> arguments = new ArrayList<>(List.of(bytes(""), bytes(0), bytes(0)));
      add(write.address(), write.item(now, null), arguments);
      return call(REMEMBER, arguments.toArray(byte[][]::new)).then();
    }));
  }

  @Override
  public Mono<Boolean> apply(Outbox outbox) {
    return guarded(Mono.defer(() -> {
      try {
        outbox.requireSize(maxValueSize);
      } catch (InvalidMemoryException tooLarge) {
        return isApplied(outbox)
            .flatMap(applied -> applied ? Mono.just(false) : Mono.error(tooLarge));
      }
      Writer writer = outbox.writer();
      List<byte[]> arguments = new ArrayList<>(List.of(
          bytes("." + ThreadNames.escaped(writer.thread())),
          bytes(writer.fence()),
          bytes(writer.sequence())));
      outbox.items().forEach((address, item) -> add(address, item, arguments));
      return call(REMEMBER, arguments.toArray(byte[][]::new))
          .map(reply -> text(reply.get(0)).equals("1"));
    }));
  }

  /** Whether it was applied before, when it was allowed to be so large. */
  private Mono<Boolean> isApplied(Outbox outbox) {
    Writer writer = outbox.writer();
    return call(MARKED, bytes("." + ThreadNames.escaped(writer.thread()))).map(reply -> {
      if (FRAMES.bytes(reply.get(0), "marker").length == 0) {
        return false;
      }
      long[] marker = Frames.ofThread(writer.thread()).marker(reply.get(0));
      return !writer.isAfter(new Writer(writer.thread(), marker[1], marker[0]));
    });
  }

  private void add(Address address, @Nullable MemoryItem item, List<byte[]> arguments) {
    arguments.add(member(address));
    Instant expires = item == null ? null : item.expires();
    arguments.add(bytes(expires == null ? "" : Long.toString(ceiling(expires))));
    arguments.add(item == null ? new byte[0] : Coding.encoded(DOING, () -> codec.encode(item)));
  }

  /** In milliseconds, so that nothing goes too early. */
  private static long ceiling(Instant time) {
    try {
      return time.plus(ALMOST_A_MILLI).toEpochMilli();
    } catch (ArithmeticException | DateTimeException farAway) {
      return 1L << 52;
    }
  }

  /** In milliseconds, so that nothing goes too early; as far as a script can count. */
  private static long floor(Instant time) {
    try {
      return Math.max(-(1L << 52), Math.min(1L << 52, time.toEpochMilli()));
    } catch (ArithmeticException farAway) {
      return time.isAfter(Instant.EPOCH) ? 1L << 52 : -(1L << 52);
    }
  }

  @Override
  public Mono<Long> prune(Instant now) {
    return guarded(Mono.defer(() -> call(EXPIRE, bytes(floor(now))))
        .map(reply -> FRAMES.number(reply.get(0), "expiry"))
        .flatMap(removed ->
            removed < 1_000 ? Mono.just(removed) : prune(now).map(more -> more + removed)));
  }

  /** Collects what a memory is told; each option can be set once. */
  public static final class Builder {

    private final RedisSpace space;
    private final List<ByteStage> stages = new ArrayList<>();
    private @Nullable InstantSource clock;
    private @Nullable Long maxValueSize;

    private Builder(RedisSpace space) {
      this.space = space;
    }

    /** Where the time comes from by which items are still remembered when they are asked for. */
    public Builder clock(InstantSource source) {
      clock = once("clock", clock, source);
      return this;
    }

    /** About how many bytes of storage a value may take. */
    public Builder maxValueSize(long most) {
      if (most < 1) {
        throw new IllegalArgumentException(
            "maxValueSize must be at least 1, and was " + most + ".");
      }
      maxValueSize = once("maxValueSize", maxValueSize, most);
      return this;
    }

    /** Adds a stage over the bytes behind those before it, such as compression or encryption. */
    public Builder stage(ByteStage stage) {
      stages.add(stage);
      return this;
    }

    public RedisMemory build() {
      return new RedisMemory(this);
    }
  }
}
