package io.superstep.reactor;

import static io.superstep.error.Option.once;

import io.superstep.memory.Address;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryStore;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Outbox;
import io.superstep.memory.Writer;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps what threads remember together in the memory of this process: for tests, and for what may
 * go with it.
 *
 * <p>Thread-safe. A search brings the items as they stood together when it was subscribed to.
 * Without options it goes by the clock of the system, keeps everything until it is pruned, and
 * takes values of about 1 MB.
 */
public final class InMemoryMemoryStore implements MemoryStore {

  private final InstantSource clock;
  private final long maxValueSize;

  /** Guarded by itself, together with {@link #markers}. */
  private final SortedItems items;

  /** By thread, who wrote the outbox that was applied last; never forgotten. */
  private final Map<String, Writer> markers = new HashMap<>();

  /** A store without options. */
  public InMemoryMemoryStore() {
    this(new Builder());
  }

  private InMemoryMemoryStore(Builder builder) {
    this.clock = Objects.requireNonNullElseGet(builder.clock, Clock::systemUTC);
    this.items = new SortedItems(Objects.requireNonNullElse(builder.maxItems, Long.MAX_VALUE));
    this.maxValueSize = Objects.requireNonNullElse(builder.maxValueSize, MAX_VALUE_SIZE);
  }

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public long maxValueSize() {
    return maxValueSize;
  }

  @Override
  public Mono<MemoryItem> get(Namespace namespace, String key) {
    return Mono.fromCallable(() -> {
      Address address = new Address(namespace, key);
      Instant now = clock.instant();
      synchronized (items) {
        return items.get(address, now);
      }
    });
  }

  @Override
  public Flux<MemoryItem> search(MemoryQuery query) {
    return Flux.defer(() -> Flux.fromIterable(found(query, clock.instant())));
  }

  private List<MemoryItem> found(MemoryQuery query, Instant now) {
    synchronized (items) {
      return items.find(query, now);
    }
  }

  @Override
  public Mono<Void> write(MemoryWrite write, Instant now) {
    return Mono.fromRunnable(() -> {
      write.requireSize(maxValueSize);
      MemoryItem item = write.item(now, null);
      synchronized (items) {
        items.set(write.address(), item);
      }
    });
  }

  @Override
  public Mono<Boolean> apply(Outbox outbox) {
    return Mono.fromCallable(() -> {
      synchronized (items) {
        if (!outbox.writer().isAfter(markers.get(outbox.thread()))) {
          return false;
        }
        outbox.requireSize(maxValueSize);
        outbox.items().forEach(items::set);
        markers.put(outbox.thread(), outbox.writer());
        return true;
      }
    });
  }

  @Override
  public Mono<Long> prune(Instant now) {
    return Mono.fromCallable(() -> {
      synchronized (items) {
        return items.prune(now);
      }
    });
  }

  /** Collects what a store is told; each option can be set once. */
  public static final class Builder {

    private @Nullable InstantSource clock;
    private @Nullable Long maxItems;
    private @Nullable Long maxValueSize;

    private Builder() {}

    /** Where the time comes from by which items are still remembered when they are asked for. */
    public Builder clock(InstantSource source) {
      clock = once("clock", clock, source);
      return this;
    }

    /**
     * How many items are kept. Of more, those go that were neither written nor got for longest; to
     * be found by a search does not count.
     */
    public Builder maxItems(long most) {
      maxItems = once("maxItems", maxItems, positive("maxItems", most));
      return this;
    }

    /** About how many bytes of storage a value may take. */
    public Builder maxValueSize(long bytes) {
      maxValueSize = once("maxValueSize", maxValueSize, positive("maxValueSize", bytes));
      return this;
    }

    private static long positive(String option, long value) {
      if (value < 1) {
        throw new IllegalArgumentException(option + " must be at least 1, and was " + value + ".");
      }
      return value;
    }

    public InMemoryMemoryStore build() {
      return new InMemoryMemoryStore(this);
    }
  }
}
