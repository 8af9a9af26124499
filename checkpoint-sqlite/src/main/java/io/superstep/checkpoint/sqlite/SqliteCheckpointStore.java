package io.superstep.checkpoint.sqlite;

import static io.superstep.checkpoint.sqlite.FluxGuard.guarded;
import static io.superstep.error.Option.once;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.RawRecord;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNote.Advanced;
import io.superstep.checkpoint.TaskNote.Ended;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.sqlite.LogTable.StoredEntry;
import io.superstep.checkpoint.sqlite.ThreadBytes.Digested;
import io.superstep.error.SuperstepException;
import io.superstep.json.ByteStage;
import io.superstep.json.Compression;
import io.superstep.json.InvalidJsonException;
import io.superstep.state.Schemas;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JacksonModule;

/**
 * Keeps threads in a file, where they are after a restart.
 *
 * <p>A commit adds one row with what changed, and waits for the disk together with all others of
 * its time; loading reads the rows of its own line. Safe for use by many threads; several processes
 * of one machine may use one file. Without options everything is kept for ever, and what has 4 KB
 * or more is compressed. {@code docs/sqlite.md} says what is safe when, and what to look after.
 */
public final class SqliteCheckpointStore implements CheckpointStore, AutoCloseable {

  /** What loading may read without anybody thinking about it. */
  private static final long MIN_SPAN = 1 << 16;

  private static final int PAGE = 100;

  private final SqliteDatabase database;
  private final ThreadBytes bytes;
  private final ThreadStatuses statuses;
  private final Pruning pruning;
  private final ThreadExport export;
  private final InstantSource clock;
  private final Retention retention;

  private SqliteCheckpointStore(Builder builder) {
    this.database = builder.database;
    this.clock = builder.clock == null ? Clock.systemUTC() : builder.clock;
    this.retention = builder.retention == null ? Retention.ALL : builder.retention;
    List<ByteStage> stages = new ArrayList<>();
    stages.add(Compression.from(builder.compressFrom == null ? 4 << 10 : builder.compressFrom));
    stages.addAll(builder.stages);
    this.bytes = new ThreadBytes(builder.modules, stages);
    this.statuses = new ThreadStatuses(bytes, database.errors());
    this.pruning = new Pruning(database, bytes, statuses, clock);
    this.export = new ThreadExport(database);
    if (retention != Retention.ALL) {
      Duration every = builder.sweepEvery == null ? Duration.ofHours(1) : builder.sweepEvery;
      database.untilClosed(Flux.interval(every, database.timer())
          .onBackpressureDrop()
          .concatMap(tick -> database.unheard(sweep()), 1));
    }
  }

  /** A store without options on a file of its own, which is made when it is first used. */
  public static SqliteCheckpointStore open(Path path) {
    return of(SqliteDatabase.open(path));
  }

  /** A store without options. */
  public static SqliteCheckpointStore of(SqliteDatabase database) {
    return builder(database).build();
  }

  public static Builder builder(SqliteDatabase database) {
    return new Builder(database);
  }

  private static String of(String doing, String thread) {
    return doing + " thread '" + thread + "'";
  }

  @Override
  public void requireStorable(Schemas schemas) {
    bytes.requireStorable(schemas);
  }

  @Override
  public Mono<Lease> acquire(String thread, String owner, Duration time) {
    return database.write(of("taking", thread), session -> {
      Instant now = clock.instant();
      ThreadRow row = ThreadTable.made(session, thread);
      boolean isLeased = row.isLeased(now);
      if (isLeased && !owner.equals(row.owner())) {
        throw new ThreadBusyException(row.lease());
      }
      long fence = isLeased ? row.fence() : ThreadTable.nextFence(session, row);
      Lease lease = new Lease(thread, owner, fence, until(now, time));
      if (isLeased) {
        ThreadTable.lease(session, row, lease, row.lost());
      } else {
        ThreadTable.newLease(session, row, lease, row.lost(now));
      }
      return lease;
    });
  }

  private static Instant until(Instant now, Duration time) {
    return Instant.ofEpochMilli(now.plus(time).toEpochMilli());
  }

  /** As in {@link CheckpointStore}; if the machine goes down, nobody is left to hold the lease. */
  @Override
  public Mono<Lease> renew(Lease lease, Duration time) {
    return database.writeLightly(of("keeping", lease.thread()), session -> {
      ThreadRow row = ThreadTable.held(session, lease);
      Lease longer =
          new Lease(lease.thread(), lease.owner(), lease.fence(), until(clock.instant(), time));
      ThreadTable.lease(session, row, longer, row.lost());
      return longer;
    });
  }

  @Override
  public Mono<Boolean> release(Lease lease, Release how) {
    return database.write(of("giving back", lease.thread()), session -> {
      ThreadRow row = ThreadTable.find(session, lease.thread());
      if (row != null && how == Release.HANDED_OVER && row.wasReleasedBy(lease)) {
        ThreadTable.handOver(session, row, how.lostAfter(row.lost()));
      }
      if (row == null || !row.isHeldBy(lease)) {
        return false;
      }
      ThreadTable.release(session, row, how.lostAfter(row.lost()));
      return row.isIdle() ? row.waiting() > 0 : isToBeResumed(session, row);
    });
  }

  private boolean isToBeResumed(Session session, ThreadRow row) throws SQLException {
    CheckpointId head = row.head();
    return head != null
        && ThreadTable.isResumeRequested(session, row)
        && mayBeAnswered(session, row, head);
  }

  /**
   * Returns whether all questions are answered, and true if their records cannot be decoded: an
   * error would roll the release back, and the run that loads the thread reports it.
   */
  private boolean mayBeAnswered(Session session, ThreadRow row, CheckpointId head)
      throws SQLException {
    try {
      return notes(session, row, head, Schemas.NONE).areAnswered();
    } catch (SuperstepException unreadable) {
      return true;
    }
  }

  @Override
  public Mono<Boolean> requestResume(String thread) {
    return database.write(of("requesting a resume of", thread), session -> {
      ThreadRow row = ThreadTable.find(session, thread);
      if (row == null || !row.isLeased(clock.instant())) {
        return false;
      }
      ThreadTable.requestResume(session, row);
      return true;
    });
  }

  @Override
  public Mono<SavedThread> load(String thread, Schemas schemas) {
    return loaded(thread, null, schemas);
  }

  @Override
  public Mono<SavedThread> load(String thread, CheckpointId id, Schemas schemas) {
    return loaded(thread, id, schemas);
  }

  /** @param id null for the head */
  private Mono<SavedThread> loaded(String thread, @Nullable CheckpointId id, Schemas schemas) {
    return database.read(
        of("loading", thread),
        session -> {
          ThreadRow row = ThreadTable.find(session, thread);
          CheckpointId at = row == null || id != null ? id : row.head();
          return row == null || at == null ? null : LogTable.line(session, row, at);
        },
        line -> bytes.thread(thread, line, schemas));
  }

  /** What a commit leaves to be done while nobody waits for it. */
  private record Committed(boolean isLong, long span, boolean isOld) {}

  @Override
  public Mono<Void> commit(Lease lease, Commit commit, Schemas schemas) {
    return SqliteDatabase.deferred(() -> {
      Digested entry = bytes.entry(commit, schemas);
      List<byte[]> notes = bytes.wholeNotes(commit.notes(), schemas);
      return database
          .<Committed>write(
              of("writing to", lease.thread()),
              session -> commit(session, lease, commit, entry, notes, schemas))
          .doOnNext(left -> tidy(lease.thread(), commit, schemas, left))
          .then();
    });
  }

  private @Nullable Committed commit(
      Session session,
      Lease lease,
      Commit commit,
      Digested entry,
      List<byte[]> notes,
      Schemas schemas)
      throws SQLException {
    ThreadRow row = ThreadTable.held(session, lease);
    ThreadRow.Tip tip = row.tip();
    if (commit.id().equals(row.head())
        && Arrays.equals(entry.digest(), LogTable.digest(session, row.id(), commit.id()))) {
      return null; // the reply was lost
    }
    CheckpointId head = row.head();
    row.requireHead(commit.seen());
    requireNotes(session, row, commit, schemas);
    long stem = LogTable.stem(session, row, commit);
    if (!commit.id().equals(CheckpointId.after(head, lease.fence()))) {
      throw CheckpointConflictException.movedHead(lease.thread(), commit.seen(), head);
    }

    if (tip != null && tip.hasNotes() && commit.cause().kind() != Cause.Kind.FORK) {
      LogTable.dropNotes(session, row.id(), tip.id()); // the step is done, or given up
    }
    InputTable.take(session, row, commit.taken());
    boolean goesOn = Objects.equals(commit.parent(), head);
    long before = goesOn || commit.parent() == null
        ? row.span()
        : LogTable.span(session, row, commit.parent());
    long span = before + entry.bytes().length;
    LogTable.add(session, row, commit, stem, row.skipped() + span, entry);
    LogTable.addNotes(session, row.id(), commit.id(), notes);
    if (!goesOn) {
      ThreadTable.reshaped(session, row);
    }
    ThreadTable.turned(
        session, row, isIdle(commit.position()), commit.cause().isFromOutside() ? row.lost() : 0);
    boolean isLong = span > row.look();
    if (isLong) {
      ThreadTable.looked(session, row, span * 2);
    }
    return new Committed(isLong, span, isOld(session, row, commit));
  }

  private static boolean isIdle(Position position) {
    return position.isFinished() && position.pause().isEmpty();
  }

  /** Somebody may have answered meanwhile. */
  private void requireNotes(Session session, ThreadRow row, Commit commit, Schemas schemas)
      throws SQLException {
    CheckpointId head = row.head();
    if (commit.notesSeen() != null
        && head != null
        && notes(session, row, head, schemas).inOrder().size() != commit.notesSeen()) {
      throw CheckpointConflictException.touched(row.name(), head);
    }
  }

  private TaskNotes notes(Session session, ThreadRow row, CheckpointId at, Schemas schemas)
      throws SQLException {
    return bytes.notes(LogTable.notes(session, row.id(), at), schemas);
  }

  /** Whether there are twice as many checkpoints as have to be kept. */
  private boolean isOld(Session session, ThreadRow row, Commit commit) throws SQLException {
    Integer last = retention.last();
    Duration young = retention.young();
    LogTable.Known first = last == null && young == null ? null : LogTable.first(session, row.id());
    return first != null
        && (last == null || commit.id().sequence() - first.id().sequence() >= 2L * last)
        && (young == null
            || Duration.between(first.time(), commit.time()).compareTo(young.multipliedBy(2)) > 0);
  }

  private void tidy(String thread, Commit commit, Schemas schemas, Committed left) {
    if (left.isLong()) {
      database.behind(
          snapshot(thread, commit, schemas, left.span()).subscribeOn(database.scheduler()));
    }
    if (left.isOld()) {
      database.behind(pruning.prune(thread, retention, commit.time()));
    }
  }

  /** Writes down the whole state where loading would otherwise read more than twice as much. */
  private Mono<Void> snapshot(String thread, Commit commit, Schemas schemas, long span) {
    return SqliteDatabase.deferred(() -> {
      byte[] state = bytes.snapshot(commit.position().state(), schemas);
      return state.length * 2L < span
          ? snapshot(thread, commit.id(), state, span)
          : Mono.<Void>empty();
    });
  }

  private Mono<Void> snapshot(String thread, CheckpointId at, byte[] state, long span) {
    return database.<Void>write(of("compacting", thread), session -> {
      ThreadRow row = ThreadTable.find(session, thread);
      if (row != null
          && LogTable.entry(session, row.id(), at) != null
          && LogTable.snapshot(session, row.id(), at, state)) {
        ThreadTable.skipped(
            session, row, row.skipped() + Math.min(row.span(), span), state.length * 2L + MIN_SPAN);
      }
      return null;
    });
  }

  /**
   * Writes down the whole state of a thread, so that loading it reads that and no more. That is
   * done without being asked for where it pays.
   */
  public Mono<Void> compact(String thread) {
    return load(thread, Schemas.NONE)
        .flatMap(saved -> SqliteDatabase.deferred(() -> snapshot(
            thread,
            saved.checkpoint().id(),
            bytes.snapshot(saved.position().state(), Schemas.NONE),
            Long.MAX_VALUE)));
  }

  @Override
  public Mono<Void> record(Lease lease, CheckpointId head, List<TaskNote> notes, Schemas schemas) {
    return SqliteDatabase.deferred(() -> {
      List<byte[]> encoded = bytes.newNotes(notes, schemas);
      boolean isDone =
          notes.stream().anyMatch(note -> note instanceof Ended || note instanceof Advanced);
      return database.<Void>write(of("writing to", lease.thread()), session -> {
        ThreadRow row = ThreadTable.held(session, lease);
        row.requireHead(head);
        LogTable.addNotes(session, row.id(), head, encoded);
        if (isDone && row.lost() > 0) {
          ThreadTable.found(session, row);
        }
        return null;
      });
    });
  }

  @Override
  public Mono<Void> answer(
      String thread, CheckpointId head, TaskNote.Answered answer, Schemas schemas) {
    return SqliteDatabase.deferred(() -> {
      List<byte[]> encoded = bytes.newNotes(List.of(answer), schemas);
      return database.<Void>write(of("answering", thread), session -> {
        ThreadRow row = ThreadTable.find(session, thread);
        if (row == null) {
          throw CheckpointConflictException.movedHead(thread, head, null);
        }
        row.requireHead(head);
        TaskNotes known = notes(session, row, head, schemas);
        int before = known.inOrder().size();
        known.answer(thread, answer);
        if (known.inOrder().size() > before) { // or it was given before, and the reply was lost
          LogTable.addNotes(session, row.id(), head, encoded);
        }
        return null;
      });
    });
  }

  @Override
  public Mono<Void> enqueue(String thread, QueuedInput input, Schemas schemas) {
    return SqliteDatabase.deferred(() -> {
      byte[] encoded = bytes.input(input, schemas);
      return database.<Void>write(of("leaving an input for", thread), session -> {
        InputTable.add(session, ThreadTable.made(session, thread), input.id(), encoded);
        return null;
      });
    });
  }

  @Override
  public Flux<QueuedInput> queue(String thread, Schemas schemas) {
    return guarded(database
        .<List<byte[]>, List<QueuedInput>>read(
            of("looking at", thread),
            session -> {
              ThreadRow row = ThreadTable.find(session, thread);
              return row == null ? null : InputTable.waiting(session, row);
            },
            waiting -> waiting.stream().map(each -> bytes.input(each, schemas)).toList())
        .flatMapIterable(waiting -> waiting));
  }

  @Override
  public Flux<Checkpoint> history(String thread, HistoryFilter filter, Schemas schemas) {
    CheckpointId before = filter.before();
    long end = before == null ? Long.MAX_VALUE : before.sequence() + 1;
    return guarded(database
        .<StoredEntry>pages(
            of("the history of", thread),
            PAGE,
            (last, session) ->
                LogTable.before(session, thread, last == null ? end : last.sequence(), PAGE))
        .map(stored -> checkpoint(thread, stored, schemas))
        .filter(filter::accepts)
        .take(filter.limit()));
  }

  private Checkpoint checkpoint(String thread, StoredEntry stored, Schemas schemas) {
    LogEntry entry = bytes.entry(stored.entry(), schemas);
    if (entry.id().sequence() != stored.sequence()) {
      throw SqliteRowException.invalidCheckpoint(
          thread, stored.sequence(), "The stored entry belongs to another checkpoint.");
    }
    return entry.in(thread);
  }

  /** A thread of a page, and its summary. */
  private record Summarized(long id, @Nullable ThreadSummary summary) {}

  /**
   * As in {@link CheckpointStore}. A thread whose stored name is damaged is listed as
   * {@code %row-<id>}, which {@link #export} and {@link #delete(String)} accept.
   */
  @Override
  public Flux<ThreadSummary> threads(Set<ThreadStatus> wanted) {
    boolean onlyLive = !ThreadStatus.readsDone(wanted);
    return guarded(database
        .<Summarized>pages("listing threads", PAGE, (last, session) -> {
          List<Summarized> page = new ArrayList<>();
          for (ThreadTable.Listed each :
              ThreadTable.behind(session, last == null ? 0 : last.id(), PAGE, onlyLive)) {
            page.add(new Summarized(each.id(), statuses.of(session, each, clock.instant())));
          }
          return page;
        })
        .mapNotNull(Summarized::summary)
        .filter(summary -> wanted.contains(summary.status())));
  }

  /**
   * As in {@link CheckpointStore}. The records are {@code thread/columns} and, for each row of the
   * thread, {@code checkpoint/<sequence>-<fence>}, {@code snapshot/<sequence>},
   * {@code note/<sequence>/<place>} and {@code input/<place>} with the stored document, each
   * followed by the same name with {@code /columns}: the other columns as SQL literals, one per
   * line.
   */
  @Override
  public Flux<RawRecord> export(String thread) {
    return guarded(export.export(thread));
  }

  @Override
  public Mono<Boolean> delete(String thread, CheckpointId id, boolean cascade) {
    return pruning.remove(thread, id, cascade);
  }

  @Override
  public Mono<Long> delete(String thread) {
    return database.write(of("removing", thread), session -> {
      Long id = ThreadTable.id(session, thread);
      if (id == null) {
        return 0L;
      }
      Lease lease = ThreadTable.lease(session, id, thread);
      if (lease != null && clock.instant().isBefore(lease.until())) {
        throw new ThreadBusyException(lease);
      }
      long count = LogTable.count(session, id);
      ThreadTable.delete(session, id);
      return count;
    });
  }

  @Override
  public Mono<Long> prune(String thread, Retention what, Instant now) {
    return pruning.prune(thread, what, now);
  }

  /**
   * Prunes all threads as the retention of this store says, gives room that is no longer used back
   * to the disk, and says how many checkpoints went. That is done without being asked for, too. A
   * thread that cannot be read does not keep the others from it, and is told at the end.
   */
  public Mono<Long> sweep() {
    return Mono.defer(() -> {
      AtomicReference<@Nullable Throwable> unreadable = new AtomicReference<>();
      return database
          .<ThreadTable.Listed>pages(
              "listing threads",
              PAGE,
              (last, session) ->
                  ThreadTable.behind(session, last == null ? 0 : last.id(), PAGE, false))
          .concatMap(row -> swept(row.name(), unreadable), 1)
          .reduce(0L, Long::sum)
          .flatMap(removed -> database.shrink().thenReturn(removed))
          .flatMap(removed -> {
            Throwable first = unreadable.get();
            return first == null ? Mono.just(removed) : Mono.error(first);
          });
    });
  }

  private Mono<Long> swept(String thread, AtomicReference<@Nullable Throwable> unreadable) {
    return pruning
        .prune(thread, retention, clock.instant())
        .onErrorResume(SqliteCheckpointStore::isOfOneThread, failure -> {
          unreadable.compareAndSet(null, failure);
          return Mono.just(0L);
        });
  }

  /** Whether what is stored is wrong, and not what it is stored in. */
  private static boolean isOfOneThread(Throwable failure) {
    return failure instanceof InvalidJsonException
        || failure instanceof SqliteRowException
        || (failure instanceof SqliteFileException damage && damage.code().equals("SG-466"));
  }

  /** As {@link SqliteDatabase#close} of its file, which is then closed for all that use it. */
  @Override
  public void close() {
    database.close();
  }

  /** Collects what a store is told; each option can be set once. */
  public static final class Builder {

    private final SqliteDatabase database;
    private final List<ByteStage> stages = new ArrayList<>();
    private final List<JacksonModule> modules = new ArrayList<>();
    private @Nullable Retention retention;
    private @Nullable Duration sweepEvery;
    private @Nullable Integer compressFrom;
    private @Nullable InstantSource clock;

    private Builder(SqliteDatabase database) {
      this.database = database;
    }

    /**
     * What is kept of every thread without anybody having to ask. Threads are pruned as they are
     * written to, now and then, so that there may be twice as many checkpoints as have to be kept;
     * and all of them whenever the store {@linkplain #sweepEvery sweeps}.
     */
    public Builder retention(Retention kept) {
      retention = once("retention", retention, kept);
      return this;
    }

    /** How often all threads are looked at, if there is a retention; every hour by default. */
    public Builder sweepEvery(Duration time) {
      if (time.isZero() || time.isNegative()) {
        throw new IllegalArgumentException("sweepEvery must be positive, and was " + time + ".");
      }
      sweepEvery = once("sweepEvery", sweepEvery, time);
      return this;
    }

    /** From how many bytes on a row is compressed; rows that are not stay readable. */
    public Builder compressFrom(int least) {
      compressFrom = once("compressFrom", compressFrom, least);
      return this;
    }

    /**
     * Adds a stage over the bytes behind compression and those before it, such as encryption; what
     * was written before a stage was introduced stays readable if the stage can tell.
     */
    public Builder stage(ByteStage stage) {
      stages.add(stage);
      return this;
    }

    /** Adds types that Jackson does not know by itself. */
    public Builder module(JacksonModule module) {
      modules.add(module);
      return this;
    }

    /** By which leases run out, in place of the clock of the system. */
    public Builder clock(InstantSource source) {
      clock = once("clock", clock, source);
      return this;
    }

    public SqliteCheckpointStore build() {
      return new SqliteCheckpointStore(this);
    }
  }
}
