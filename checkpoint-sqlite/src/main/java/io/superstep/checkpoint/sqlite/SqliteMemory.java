package io.superstep.checkpoint.sqlite;

import static io.superstep.checkpoint.sqlite.FluxGuard.guarded;
import static io.superstep.error.Option.once;

import io.superstep.error.SuperstepException;
import io.superstep.json.ByteStage;
import io.superstep.json.Compression;
import io.superstep.json.MemoryCodec;
import io.superstep.memory.Address;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryStore;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Outbox;
import io.superstep.memory.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
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
 * Keeps what threads remember together in a file.
 *
 * <p>An outbox is applied in one transaction, with the marker of its thread. Items that have
 * expired are never returned, and go when {@link #prune} is called. Safe for use by many threads.
 * Without options it goes by the clock of the system, and takes values of about 1 MB.
 */
public final class SqliteMemory implements MemoryStore, AutoCloseable {

  private static final String DOING = "memory";
  private static final int PAGE = 100;

  /** Behind all characters that the text of a namespace has. */
  private static final char END = '\u007f';

  private static final Logger LOG = Loggers.getLogger("io.superstep.store");

  private static final String SEARCH =
      "SELECT namespace, key, item, typeof(key) FROM item WHERE (namespace, key) > ";
  private static final String IN_RANGE =
      " AND namespace >= ? AND namespace < ? ORDER BY namespace, key LIMIT ?";

  private final SqliteDatabase database;
  private final MemoryCodec codec;
  private final InstantSource clock;
  private final long maxValueSize;

  private SqliteMemory(Builder builder) {
    this.database = builder.database;
    List<ByteStage> stages = new ArrayList<>();
    stages.add(Compression.from(builder.compressFrom == null ? 4 << 10 : builder.compressFrom));
    stages.addAll(builder.stages);
    this.codec = MemoryCodec.of(stages.toArray(ByteStage[]::new));
    this.clock = builder.clock == null ? Clock.systemUTC() : builder.clock;
    this.maxValueSize = builder.maxValueSize == null ? MAX_VALUE_SIZE : builder.maxValueSize;
  }

  /** Memory without options in a file of its own, which is made when it is first used. */
  public static SqliteMemory open(Path path) {
    return of(SqliteDatabase.open(path));
  }

  /** Memory without options. */
  public static SqliteMemory of(SqliteDatabase database) {
    return builder(database).build();
  }

  public static Builder builder(SqliteDatabase database) {
    return new Builder(database);
  }

  @Override
  public long maxValueSize() {
    return maxValueSize;
  }

  @Override
  public Mono<MemoryItem> get(Namespace namespace, String key) {
    return SqliteDatabase.deferred(() -> {
      Address address = new Address(namespace, key);
      return database
          .<StoredItem, MemoryItem>read(
              DOING,
              session -> {
                return session.one(
                    "SELECT namespace, key, item, typeof(key) FROM item WHERE namespace = ? AND key = ?",
                    StoredItem::new,
                    address.namespace().toString(),
                    address.key());
              },
              this::decoded)
          .filter(item -> item.isAliveAt(clock.instant()));
    });
  }

  /** @throws SuperstepException if the row cannot be decoded, or has the item of another address */
  private MemoryItem decoded(StoredItem stored) {
    MemoryItem item = Decoding.decoded(() -> codec.decode(stored.item()));
    if (!stored.isAt(item.address())) {
      throw SqliteRowException.invalid(
          "The stored item belongs to another address.", stored.place());
    }
    return item;
  }

  /** Reports an item that cannot be decoded, and returns null. */
  private @Nullable MemoryItem decodedOrSkipped(StoredItem stored) {
    try {
      return decoded(stored);
    } catch (SuperstepException unreadable) {
      LOG.warn("Skipping an unreadable item, {}: {}", stored.place(), unreadable.code());
      return null;
    }
  }

  /**
   * As in {@link MemoryStore}. An item that cannot be decoded is skipped and logged as a warning by
   * the logger {@code io.superstep.store}; {@link #get} of the item signals the error.
   */
  @Override
  public Flux<MemoryItem> search(MemoryQuery query) {
    return guarded(Flux.defer(() -> {
      Instant now = clock.instant();
      return database
          .<StoredItem>pages(DOING, PAGE, (last, session) -> page(query, last, session))
          .mapNotNull(this::decodedOrSkipped)
          .filter(item -> item.isAliveAt(now) && query.accepts(item))
          .take(query.limit());
    }));
  }

  private static List<StoredItem> page(
      MemoryQuery query, @Nullable StoredItem last, Session session) throws SQLException {
    String below = query.namespace().toString();
    Address after = query.after();
    boolean isInside = after != null && after.namespace().compareTo(query.namespace()) >= 0;
    String namespace = after != null && isInside ? after.namespace().toString() : below;
    String key = after != null && isInside ? after.key() : "";
    if (last == null) {
      return session.all(
          SEARCH + "(?, ?)" + IN_RANGE, StoredItem::new, namespace, key, below, below + END, PAGE);
    }
    // by the stored bytes: text that is not UTF-8 would not compare as the driver decodes it
    return session.all(
        SEARCH
            + (last.hasBinaryKey ? "(CAST(? AS TEXT), ?)" : "(CAST(? AS TEXT), CAST(? AS TEXT))")
            + IN_RANGE,
        StoredItem::new,
        last.namespace,
        last.key,
        below,
        below + END,
        PAGE);
  }

  /** An item as it is stored. */
  private static final class StoredItem {

    private final byte[] namespace;
    private final byte[] key;
    private final boolean hasBinaryKey;
    private final byte @Nullable [] item;

    private StoredItem(ResultSet rows) throws SQLException {
      this.namespace = Columns.bytes(rows, 1);
      this.key = Columns.bytes(rows, 2);
      this.item = rows.getBytes(3);
      this.hasBinaryKey = !"text".equals(rows.getString(4));
    }

    byte[] item() {
      if (item == null) {
        throw SqliteRowException.invalid("Column 'item' has no value.", place());
      }
      return item;
    }

    boolean isAt(Address address) {
      return !hasBinaryKey
          && Arrays.equals(key, address.key().getBytes(StandardCharsets.UTF_8))
          && Arrays.equals(
              namespace, address.namespace().toString().getBytes(StandardCharsets.UTF_8));
    }

    String place() {
      return "table 'item', namespace "
          + SqliteRowException.quoted(new String(namespace, StandardCharsets.UTF_8))
          + ", key "
          + SqliteRowException.quoted(new String(key, StandardCharsets.UTF_8));
    }
  }

  @Override
  public Mono<Void> write(MemoryWrite write, Instant now) {
    return SqliteDatabase.deferred(() -> {
      write.requireSize(maxValueSize);
      Prepared item = new Prepared(write.address(), write.item(now, null));
      return database.<Void>write(DOING, session -> {
        item.set(session);
        return null;
      });
    });
  }

  @Override
  public Mono<Boolean> apply(Outbox outbox) {
    return SqliteDatabase.deferred(() -> {
      List<Prepared> items = new ArrayList<>();
      outbox.items().forEach((address, item) -> items.add(new Prepared(address, item)));
      return database.<Boolean>write(DOING, session -> {
        Writer writer = outbox.writer();
        String thread = Names.stored(writer.thread());
        Writer marker = session.one(
            "SELECT sequence, fence FROM marker WHERE thread = ?",
            rows -> new Writer(writer.thread(), Columns.whole(rows, 1), Columns.whole(rows, 2)),
            thread);
        if (!writer.isAfter(marker)) {
          return false;
        }
        outbox.requireSize(maxValueSize);
        for (Prepared item : items) {
          item.set(session);
        }
        session.update(
            "INSERT OR REPLACE INTO marker (thread, fence, sequence) VALUES (?, ?, ?)",
            thread,
            writer.fence(),
            writer.sequence());
        return true;
      });
    });
  }

  /** What is to stand at an address, encoded before it is the turn of whoever writes. */
  private final class Prepared {

    private final Address address;
    private final @Nullable Long expires;
    private final byte @Nullable [] item;

    Prepared(Address address, @Nullable MemoryItem item) {
      this.address = address;
      Instant expires = item == null ? null : item.expires();
      this.expires = expires == null ? null : ceiling(expires);
      this.item = item == null ? null : codec.encode(item);
    }

    void set(Session session) throws SQLException {
      String namespace = address.namespace().toString();
      if (item == null) {
        session.update(
            "DELETE FROM item WHERE namespace = ? AND key = ?", namespace, address.key());
      } else {
        session.update(
            "INSERT OR REPLACE INTO item (namespace, key, expires, item) VALUES (?, ?, ?, ?)",
            namespace,
            address.key(),
            expires,
            item);
      }
    }

    /** In milliseconds, so that nothing goes too early. */
    private static long ceiling(Instant time) {
      try {
        long millis = time.toEpochMilli();
        return Instant.ofEpochMilli(millis).equals(time) ? millis : millis + 1;
      } catch (ArithmeticException farAway) {
        return Long.MAX_VALUE;
      }
    }
  }

  @Override
  public Mono<Long> prune(Instant now) {
    return database.write(DOING, session ->
        (long) session.update("DELETE FROM item WHERE expires <= ?", now.toEpochMilli()));
  }

  /** As {@link SqliteDatabase#close} of its file, which is then closed for all that use it. */
  @Override
  public void close() {
    database.close();
  }

  /** Collects what a memory is told; each option can be set once. */
  public static final class Builder {

    private final SqliteDatabase database;
    private final List<ByteStage> stages = new ArrayList<>();
    private @Nullable InstantSource clock;
    private @Nullable Long maxValueSize;
    private @Nullable Integer compressFrom;

    private Builder(SqliteDatabase database) {
      this.database = database;
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

    /** From how many bytes on a row is compressed; rows that are not stay readable. */
    public Builder compressFrom(int least) {
      compressFrom = once("compressFrom", compressFrom, least);
      return this;
    }

    /** Adds a stage over the bytes behind compression and those before it, such as encryption. */
    public Builder stage(ByteStage stage) {
      stages.add(stage);
      return this;
    }

    public SqliteMemory build() {
      return new SqliteMemory(this);
    }
  }
}
