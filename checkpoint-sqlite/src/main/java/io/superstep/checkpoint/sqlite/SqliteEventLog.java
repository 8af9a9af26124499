package io.superstep.checkpoint.sqlite;

import static io.superstep.checkpoint.sqlite.FluxGuard.guarded;
import static io.superstep.error.Option.once;
import static io.superstep.error.Option.positive;

import io.superstep.checkpoint.sqlite.EventTable.LogRow;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.EventLogConflictException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.Voices;
import io.superstep.json.ByteStage;
import io.superstep.json.Compression;
import io.superstep.json.EncodedEvent;
import io.superstep.json.EventCodec;
import io.superstep.json.Footing;
import io.superstep.json.Footings;
import io.superstep.state.Schemas;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps the events of threads in a file.
 *
 * <p>Facts and what rides beside them are rows. Whoever follows reads them in pages, as far as
 * events are asked for, and is woken when there is more. Facts are as safe as commits are; what
 * rides beside them survives the process, and not the machine. Safe for use by many threads.
 * Without options no fact is forgotten, 4,096 provisional events are kept of a thread, and what
 * other processes have appended is seen within 100 milliseconds.
 */
public final class SqliteEventLog implements EventLog, AutoCloseable {

  private final SqliteDatabase database;
  private final EventCodec codec;
  private final Footings footings = new Footings();
  private final Bells bells;
  private final Lookout lookout;
  private final long maxFacts;
  private final int maxProvisional;

  private SqliteEventLog(Builder builder) {
    this.database = builder.database;
    EventCodec.Builder stages = EventCodec.builder();
    stages.stage(Compression.from(builder.compressFrom == null ? 4 << 10 : builder.compressFrom));
    builder.stages.forEach(stages::stage);
    this.codec = stages.build();
    this.bells = database.bells();
    this.lookout = new Lookout(
        database, builder.lookEvery == null ? Duration.ofMillis(100) : builder.lookEvery);
    this.maxFacts = builder.maxFacts == null ? Long.MAX_VALUE : builder.maxFacts;
    this.maxProvisional = builder.maxProvisional == null ? 4_096 : builder.maxProvisional;
  }

  /** A log without options on a file of its own, which is made when it is first used. */
  public static SqliteEventLog open(Path path) {
    return of(SqliteDatabase.open(path));
  }

  /** A log without options. */
  public static SqliteEventLog of(SqliteDatabase database) {
    return builder(database).build();
  }

  public static Builder builder(SqliteDatabase database) {
    return new Builder(database);
  }

  private static String doing(String thread) {
    return "the events of thread '" + thread + "'";
  }

  @Override
  public Mono<Long> open(String thread, long fence) {
    return database.write(doing(thread), session -> {
      LogRow row = EventTable.find(session, thread);
      requireRight(thread, row, fence);
      EventTable.take(session, EventTable.made(session, thread, row), fence);
      return row.last();
    });
  }

  private static void requireRight(String thread, LogRow row, long fence) {
    if (row.isClosedTo(fence)) {
      throw EventLogConflictException.fenced(thread, fence, row.fence());
    }
  }

  @Override
  public Mono<Void> append(String thread, long fence, List<GraphEvent> events, Schemas schemas) {
    List<GraphEvent> copy = List.copyOf(events);
    return SqliteDatabase.deferred(() -> {
      Footing footing = footings.before(thread, fence, copy);
      List<EncodedEvent> encoded = new ArrayList<>(copy.size());
      for (GraphEvent event : copy) {
        EncodedEvent next = codec.encode(event, footing, schemas);
        encoded.add(next);
        footing = next.footing();
      }
      Footing left = footing;
      boolean isLight = copy.stream().allMatch(Provisional.class::isInstance);
      Session.Work<@Nullable Void> work = session -> {
        append(session, thread, fence, copy, encoded);
        session.afterwards(() -> bells.ring(thread)); // also if whoever appends is gone by then
        return null;
      };
      Mono<Void> appending = isLight
          ? database.writeLightly(doing(thread), work)
          : database.write(doing(thread), work);
      return appending
          .doOnSuccess(done -> footings.keep(thread, fence, left))
          .doOnError(failure -> footings.forget(thread));
    });
  }

  private void append(
      Session session,
      String thread,
      long fence,
      List<GraphEvent> events,
      List<EncodedEvent> encoded)
      throws SQLException {
    LogRow found = EventTable.find(session, thread);
    requireRight(thread, found, fence);
    long next = found.last() + 1;
    long start = start(events, next);
    requireNumbers(thread, events, start);
    if (start > next || start < found.own(fence)) {
      throw EventLogConflictException.gap(thread, start, next);
    }

    LogRow row = EventTable.made(session, thread, found);
    EventTable.take(session, row, fence);
    long last = row.last();
    long riding = row.riding();
    boolean isKnown = start < next;
    for (int at = 0; at < events.size(); at++) {
      GraphEvent event = events.get(at);
      boolean isFact = !(event instanceof Provisional);
      byte[] bytes = encoded.get(at).bytes();
      isKnown = isKnown && (!isFact || event.sequence() < next);
      if (isKnown) {
        continue;
      }
      if (isFact) {
        last = event.sequence();
        riding = 0;
        EventTable.addFact(session, row, last, encoded.get(at).isKeyFrame(), bytes);
        end(session, row, Voices.of(event));
      } else {
        EventTable.addRider(session, row, last, ++riding, Voices.of(event), bytes);
      }
    }
    EventTable.told(session, row, last, riding);
    EventTable.cap(session, row, maxProvisional);
    if (last - row.first() >= maxFacts) {
      EventTable.trim(session, row, last - maxFacts + 1);
    }
  }

  private static void end(Session session, LogRow row, String task) throws SQLException {
    if (!task.isEmpty()) {
      EventTable.end(session, row, task);
    }
  }

  /** The number of the first fact of a list; if it has none, of the fact that would come next. */
  private static long start(List<GraphEvent> events, long next) {
    return events.stream()
        .filter(event -> !(event instanceof Provisional))
        .findFirst()
        .map(GraphEvent::sequence)
        .orElse(next);
  }

  private static void requireNumbers(String thread, List<GraphEvent> events, long start) {
    long last = start - 1;
    for (GraphEvent event : events) {
      last += event instanceof Provisional ? 0 : 1;
      if (event.sequence() != last) {
        throw EventLogConflictException.gap(thread, event.sequence(), last);
      }
    }
  }

  @Override
  public Flux<GraphEvent> read(String thread, long after, Schemas schemas) {
    return guarded(Flux.defer(() -> {
      EventReader reader = reader(thread, after, Chunks.NONE, schemas);
      return reader
          .attach()
          .thenMany(Flux.defer(() -> reader.isAtTheEnd()
              ? Flux.empty()
              : Mono.defer(reader::page)
                  .repeat(() -> !reader.isAtTheEnd())
                  .concatMapIterable(page -> page, 1)
                  .filter(event -> event.sequence() <= reader.last())));
    }));
  }

  private EventReader reader(String thread, long after, Chunks chunks, Schemas schemas) {
    return new EventReader(database, codec, thread, after, chunks, schemas);
  }

  @Override
  public Flux<GraphEvent> follow(String thread, long after, Chunks chunks, Schemas schemas) {
    return guarded(Flux.using(
        () -> join(thread),
        bell -> {
          EventReader reader = reader(thread, after, chunks, schemas);
          return reader
              .attach()
              .flatMapIterable(before -> before)
              .concatWith(
                  Mono.defer(() -> next(reader, bell)).repeat().concatMapIterable(page -> page, 1));
        },
        bell -> leave(thread)));
  }

  private Bells.Bell join(String thread) {
    lookout.join();
    return bells.join(thread);
  }

  private void leave(String thread) {
    bells.leave(thread);
    lookout.leave();
  }

  private static Mono<List<GraphEvent>> next(EventReader reader, Bells.Bell bell) {
    long heard = bell.rung();
    return reader
        .page()
        .flatMap(page -> page.isEmpty() && !reader.hasRead()
            ? bell.after(heard).thenReturn(page)
            : Mono.just(page));
  }

  @Override
  public Mono<Long> trim(String thread, long before) {
    return database.write(doing(thread), session -> {
      LogRow row = EventTable.find(session, thread);
      long first = Math.min(before, row.last() + 1);
      if (first <= row.first()) {
        return 0L;
      }
      EventTable.trim(session, row, first);
      session.afterwards(() -> bells.ring(thread));
      return first - row.first();
    });
  }

  @Override
  public Mono<Void> delete(String thread) {
    return database
        .<Void>write(doing(thread), session -> {
          if (EventTable.delete(session, thread)) {
            session.afterwards(() -> bells.ring(thread));
          }
          return null;
        })
        .doOnSuccess(done -> footings.forget(thread));
  }

  /** As {@link SqliteDatabase#close} of its file, which is then closed for all that use it. */
  @Override
  public void close() {
    database.close();
  }

  /** Collects what a log is told; each option can be set once. */
  public static final class Builder {

    private final SqliteDatabase database;
    private final List<ByteStage> stages = new ArrayList<>();
    private @Nullable Long maxFacts;
    private @Nullable Integer maxProvisional;
    private @Nullable Integer compressFrom;
    private @Nullable Duration lookEvery;

    private Builder(SqliteDatabase database) {
      this.database = database;
    }

    /** How many facts of a thread are kept; a follower that is further behind is told so. */
    public Builder maxFacts(long most) {
      maxFacts = once("maxFacts", maxFacts, positive("maxFacts", most));
      return this;
    }

    /** How many provisional events of running tasks are kept of a thread. */
    public Builder maxProvisional(int most) {
      positive("maxProvisional", most);
      maxProvisional = once("maxProvisional", maxProvisional, most);
      return this;
    }

    /** How often somebody who follows looks for what other processes have appended. */
    public Builder lookEvery(Duration time) {
      positive("lookEvery", time.toMillis());
      lookEvery = once("lookEvery", lookEvery, time);
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

    public SqliteEventLog build() {
      return new SqliteEventLog(this);
    }
  }
}
