package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.DeliveryGuard.guarded;
import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;
import static io.superstep.error.Option.once;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Lease;
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
import io.superstep.checkpoint.UnknownCheckpointException;
import io.superstep.checkpoint.redis.ThreadBytes.Digested;
import io.superstep.json.ByteStage;
import io.superstep.state.Schemas;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;
import tools.jackson.databind.JacksonModule;

/**
 * Keeps threads in Redis, from where any process can go on with them.
 *
 * <p>A thread takes up to seven keys, whatever it has done. A commit is one call, and so is a note:
 * a script that looks at the lease and the head first and then writes all or nothing. Loading takes
 * as many calls as the state has pages. Leases run out by the clock of Redis.
 *
 * <p>Safe for use by many threads. Without options everything is kept for ever, and one piece may
 * take 64 MB. {@code docs/redis.md} has the layout of the keys, the limits and what to look after.
 */
public final class RedisCheckpointStore implements CheckpointStore {

  /** What loading may read without anybody thinking about it. */
  private static final long MIN_SPAN = 1 << 16;

  private static final Logger LOGGER = Loggers.getLogger("io.superstep.store");

  private final RedisSpace space;
  private final ThreadBytes bytes;
  private final ThreadIndex index;
  private final ThreadReader reader;
  private final ThreadPruning pruning;
  private final ThreadStatuses statuses;
  private final ThreadExport exports;
  private final @Nullable InstantSource clock;
  private final Retention retention;
  private final String ttl;
  private final String idleTtl;

  /** Then only the thread itself knows when it goes. */
  private final boolean refreshesOnRead;

  /** Names calls that only this store can repeat; the lease says whose they are. */
  private final AtomicLong calls = new AtomicLong();

  private RedisCheckpointStore(Builder builder) {
    ThreadScripts.load();
    this.space = builder.space;
    this.clock = builder.clock;
    this.retention = builder.retention == null ? Retention.ALL : builder.retention;
    Duration done = builder.ttl == null ? retention.done() : builder.ttl;
    this.ttl = millis(done);
    this.idleTtl = millis(builder.idleTtl);
    this.refreshesOnRead = builder.refreshOnRead;
    this.bytes = new ThreadBytes(
        builder.modules,
        builder.stages,
        builder.maxEntrySize == null ? 64L << 20 : builder.maxEntrySize);
    this.index = new ThreadIndex(space);
    this.reader = new ThreadReader(space, bytes, builder.refreshOnRead ? ttl : "");
    this.pruning = new ThreadPruning(space, reader, bytes);
    this.statuses = new ThreadStatuses(space, bytes, index, this::clock);
    this.exports = new ThreadExport(space);
  }

  private static String millis(@Nullable Duration time) {
    return time == null ? "" : Long.toString(Math.max(1, time.toMillis()));
  }

  /** A store without options. */
  public static RedisCheckpointStore of(RedisSpace space) {
    return builder(space).build();
  }

  public static Builder builder(RedisSpace space) {
    return new Builder(space);
  }

  /** The time for a script; empty if it is to look at the clock of Redis. */
  private byte[] clock() {
    return bytes(clock == null ? "" : Long.toString(clock.millis()));
  }

  /** How long Redis remembers what would make a late call harmful. */
  private byte[] grace() {
    return bytes(space.timeout().toMillis() * 2);
  }

  private Mono<List<Object>> call(
      RedisScript script, String thread, String doing, byte[]... arguments) {
    return space.call(script, space.keys().thread(thread), of(thread, doing), arguments);
  }

  private static String of(String thread, String doing) {
    return doing + " thread '" + ThreadNames.shown(thread) + "'";
  }

  @Override
  public void requireStorable(Schemas schemas) {
    bytes.requireStorable(schemas);
  }

  @Override
  public Mono<Lease> acquire(String thread, String owner, Duration time) {
    return guarded(Mono.defer(() -> acquire(thread, owner, time, "0")));
  }

  private Mono<Lease> acquire(String thread, String owner, Duration time, String mark) {
    return index
        .enter(thread, mark)
        .flatMap(number -> call(
            ThreadScripts.ACQUIRE,
            thread,
            "taking",
            bytes(owner),
            bytes(number),
            clock(),
            bytes(time.toMillis())))
        .flatMap(reply -> switch (text(reply.get(0))) {
          case "OK" -> Mono.just(lease(thread, owner, reply.get(1), reply.get(2)));
          case "BUSY" -> Mono.error(busy(thread, reply));
          default -> acquire(thread, owner, time, mark(thread, reply));
        });
  }

  /**
   * The number that a thread wants to be exceeded. The index counts on from there, so a damaged one
   * must not reach it.
   */
  private static String mark(String thread, List<Object> reply) {
    return Long.toString(Frames.ofThread(thread).number(reply.get(1), "field mark"));
  }

  private static ThreadBusyException busy(String thread, List<Object> reply) {
    return new ThreadBusyException(lease(thread, text(reply.get(1)), reply.get(2), reply.get(3)));
  }

  private static Lease lease(String thread, String owner, Object fence, Object until) {
    Frames frames = Frames.ofThread(thread);
    return new Lease(
        thread, owner, frames.number(fence, "field fence"), frames.millis(until, "field until"));
  }

  @Override
  public Mono<Lease> renew(Lease lease, Duration time) {
    return guarded(Mono.defer(() -> call(
            ThreadScripts.RENEW,
            lease.thread(),
            "keeping",
            bytes(lease.fence()),
            bytes(lease.owner()),
            clock(),
            bytes(time.toMillis()))
        .map(reply -> {
          if (!text(reply.get(0)).equals("OK")) {
            throw lost(lease, null, reply);
          }
          return lease(lease.thread(), lease.owner(), bytes(lease.fence()), reply.get(1));
        })));
  }

  @Override
  public Mono<Boolean> release(Lease lease, Release how) {
    return guarded(Mono.defer(() -> call(
            ThreadScripts.RELEASE,
            lease.thread(),
            "giving back",
            bytes(lease.fence()),
            bytes(lease.owner()),
            bytes(how.name()),
            bytes(ttl),
            bytes(idleTtl),
            grace(),
            bytes(Long.toHexString(calls.incrementAndGet())))
        .flatMap(reply -> released(lease.thread(), reply))));
  }

  private Mono<Boolean> released(String thread, List<Object> reply) {
    String kind = text(reply.get(0));
    return switch (kind) {
      case "LEASE" -> Mono.just(false);
      case "LIVE" ->
        text(reply.get(2)).equals("2")
            ? mayBeAnswered(thread)
            : Mono.just(text(reply.get(2)).equals("1"));
      default -> left(thread, mark(thread, reply), kind).thenReturn(false);
    };
  }

  /**
   * Emits whether all questions at the head are answered, which no script can decode, and true if
   * that cannot be read: the lease is released already, and the run that loads the thread reports
   * the error.
   */
  private Mono<Boolean> mayBeAnswered(String thread) {
    return notes(thread)
        .map(there -> bytes.notes(thread, there.notes(), Schemas.NONE).areAnswered())
        .onErrorReturn(true);
  }

  @Override
  public Mono<Boolean> requestResume(String thread) {
    return guarded(
        Mono.defer(() -> call(ThreadScripts.REQUEST, thread, "requesting a resume of", clock())
            .map(reply -> text(reply.get(0)).equals("HELD"))));
  }

  private Mono<Void> left(String thread, String mark, String kind) {
    boolean goes = kind.equals("DONE") && !ttl.isEmpty() && !refreshesOnRead;
    return index.leave(thread, mark, kind, goes ? Long.valueOf(ttl) : null);
  }

  @Override
  public Mono<SavedThread> load(String thread, Schemas schemas) {
    return guarded(space.timed(RedisCall.LOAD, reader.load(thread, null, schemas)));
  }

  @Override
  public Mono<SavedThread> load(String thread, CheckpointId id, Schemas schemas) {
    return guarded(space.timed(RedisCall.LOAD, reader.load(thread, id, schemas)));
  }

  @Override
  public Mono<Void> commit(Lease lease, Commit commit, Schemas schemas) {
    return guarded(space.timed(
        RedisCall.COMMIT,
        Mono.defer(() -> notesSeen(lease.thread(), commit, schemas)
            .flatMap(seen -> space.callSafely(
                ThreadScripts.COMMIT,
                space.keys().thread(lease.thread()),
                of(lease.thread(), "writing to"),
                arguments(lease, commit, seen, schemas)))
            .flatMap(reply -> committed(lease, commit, schemas, reply)))));
  }

  /**
   * How many notes the store has at the head that the writer saw, if they come to those it knows.
   */
  private Mono<String> notesSeen(String thread, Commit commit, Schemas schemas) {
    Integer known = commit.notesSeen();
    if (known == null) {
      return Mono.just("");
    }
    return notes(thread)
        .map(there -> there.isAt(commit.seen())
                && bytes.notes(thread, there.notes(), schemas).inOrder().size() == known
            ? Integer.toString(there.notes().size())
            : "-1");
  }

  private byte[][] arguments(Lease lease, Commit commit, String notesSeen, Schemas schemas) {
    Digested entry = bytes.entry(commit, lease.thread(), schemas);
    List<byte[]> arguments = new ArrayList<>(14 + commit.notes().size());
    arguments.add(bytes(lease.fence()));
    arguments.add(bytes(lease.owner()));
    arguments.add(bytes(commit.id().toString()));
    arguments.add(id(commit.seen()));
    arguments.add(id(commit.parent()));
    arguments.add(bytes(entry.digest()));
    arguments.add(bytes(state(commit.position())));
    arguments.add(bytes(Line.text(commit.time())));
    arguments.add(flag(commit.cause().isFromOutside()));
    arguments.add(flag(commit.cause().kind() == Cause.Kind.FORK));
    arguments.add(flag(commit.cause().kind() == Cause.Kind.MERGE));
    arguments.add(bytes(notesSeen));
    arguments.add(bytes(commit.taken() == null ? "" : commit.taken()));
    arguments.add(entry.bytes());
    bytes.notes(commit.notes(), true, lease.thread(), schemas, arguments);
    return arguments.toArray(byte[][]::new);
  }

  private static byte[] id(@Nullable CheckpointId id) {
    return bytes(id == null ? "" : id.toString());
  }

  private static byte[] flag(boolean is) {
    return bytes(is ? "1" : "0");
  }

  /** Finished, paused, or with work to do. */
  private static String state(Position position) {
    return !position.pause().isEmpty() ? "P" : position.isFinished() ? "F" : "W";
  }

  private Mono<Void> committed(Lease lease, Commit commit, Schemas schemas, List<Object> reply) {
    String thread = lease.thread();
    return switch (text(reply.get(0))) {
      case "OK" -> tidied(lease, commit, schemas, reply);
      case "LEASE" -> Mono.error(lost(lease, commit.seen(), reply));
      case "HEAD" -> Mono.error(moved(thread, commit.seen(), reply.get(1)));
      case "NOTES" ->
        Mono.error(
            CheckpointConflictException.touched(thread, Objects.requireNonNull(commit.seen())));
      default ->
        Mono.error(new UnknownCheckpointException(thread, Objects.requireNonNull(commit.parent())));
    };
  }

  /**
   * Compacts and prunes a thread after a commit, if that is due. The commit is written, so an error
   * of this work is logged and does not fail it; the next commit finds the same work due.
   */
  private Mono<Void> tidied(Lease lease, Commit commit, Schemas schemas, List<Object> reply) {
    String thread = lease.thread();
    Mono<Void> compacting = text(reply.get(1)).equals("0")
        ? Mono.empty()
        : contained(thread, "compacted", () -> snapshot(lease, commit, schemas, reply));
    return retention.last() == null && retention.young() == null
        ? compacting
        : compacting.then(contained(thread, "pruned", () -> pruned(thread, commit, reply)));
  }

  private static Mono<Void> contained(String thread, String what, Supplier<Mono<Void>> work) {
    return Mono.defer(work).onErrorResume(failure -> {
      LOGGER.warn(
          "Thread '" + ThreadNames.shown(thread) + "' was not " + what + " after a commit, which is"
              + " written. The next commit tries again.",
          failure);
      return Mono.empty();
    });
  }

  /**
   * The error of a writer whose lease Redis does not know. Fences rise, and a thread that is
   * deleted keeps its fence for a while, so a lower one, or none, means that Redis has lost data.
   */
  private static RuntimeException lost(
      Lease lease, @Nullable CheckpointId seen, List<Object> reply) {
    Frames frames = Frames.ofThread(lease.thread());
    return frames.number(reply.get(1), "field fence") < lease.fence()
        ? new HeadWentBackException(
            lease.thread(), seen, frames.idOrNone(reply.get(2), "field head"))
        : CheckpointConflictException.lostLease(lease);
  }

  private static RuntimeException moved(String thread, @Nullable CheckpointId seen, Object there) {
    CheckpointId head = head(thread, there);
    boolean wentBack = seen != null && (head == null || head.sequence() < seen.sequence());
    return wentBack
        ? new HeadWentBackException(thread, seen, head)
        : CheckpointConflictException.movedHead(thread, seen, head);
  }

  private static @Nullable CheckpointId head(String thread, Object reply) {
    return Frames.ofThread(thread).idOrNone(reply, "field head");
  }

  /**
   * Writes down the whole state where loading would otherwise have to read more than twice as much.
   *
   * @param reply that of the commit, with how many bytes loading has to read
   */
  private Mono<Void> snapshot(Lease lease, Commit commit, Schemas schemas, List<Object> reply) {
    long span = Frames.ofThread(lease.thread()).number(reply.get(1), "field span");
    byte[] state = bytes.snapshot(lease.thread(), commit.position().state(), schemas);
    boolean isWorthIt = state != null && state.length * 2L < span;
    long check = state != null && isWorthIt ? state.length * 2L + MIN_SPAN : span * 2;
    return call(
            ThreadScripts.SNAPSHOT,
            lease.thread(),
            "writing to",
            bytes(lease.fence()),
            bytes(lease.owner()),
            bytes(commit.id().toString()),
            bytes(check),
            state != null && isWorthIt ? state : new byte[0])
        .then();
  }

  /** Prunes when there are twice as many checkpoints as have to be kept. */
  private Mono<Void> pruned(String thread, Commit commit, List<Object> reply) {
    Integer last = retention.last();
    Duration young = retention.young();
    Frames frames = Frames.ofThread(thread);
    long count = frames.number(reply.get(2), "log");
    Instant first = frames.time(reply.get(3), "field first");
    boolean isDue = (last == null || count > 2L * last)
        && (young == null
            || Duration.between(first, commit.time()).compareTo(young.multipliedBy(2)) > 0);
    return isDue ? pruning.prune(thread, retention, commit.time()).then() : Mono.empty();
  }

  @Override
  public Mono<Void> record(Lease lease, CheckpointId head, List<TaskNote> notes, Schemas schemas) {
    return guarded(space.timed(RedisCall.RECORD, Mono.defer(() -> {
      List<byte[]> arguments = new ArrayList<>(5 + notes.size());
      List<byte[]> encoded = new ArrayList<>(notes.size());
      String digest = bytes.notes(notes, false, lease.thread(), schemas, encoded);
      arguments.add(bytes(lease.fence()));
      arguments.add(bytes(lease.owner()));
      arguments.add(bytes(head.toString()));
      arguments.add(bytes(digest));
      arguments.add(
          flag(notes.stream().anyMatch(note -> note instanceof Ended || note instanceof Advanced)));
      arguments.addAll(encoded);
      return space
          .callSafely(
              ThreadScripts.RECORD,
              space.keys().thread(lease.thread()),
              of(lease.thread(), "writing to"),
              arguments.toArray(byte[][]::new))
          .flatMap(reply -> switch (text(reply.get(0))) {
            case "OK" -> Mono.<Void>empty();
            case "LEASE" -> Mono.error(lost(lease, head, reply));
            default -> Mono.error(moved(lease.thread(), head, reply.get(1)));
          });
    })));
  }

  /** What is known of tasks where a thread stands, as it is stored. */
  private record Noted(@Nullable CheckpointId head, List<byte[]> notes) {

    boolean isAt(@Nullable CheckpointId id) {
      return Objects.equals(head, id);
    }
  }

  private Mono<Noted> notes(String thread) {
    return call(ThreadScripts.NOTES, thread, "looking at")
        .map(reply -> new Noted(
            head(thread, reply.get(0)), Frames.ofThread(thread).allBytes(reply.get(1), "notes")));
  }

  @Override
  public Mono<Void> answer(
      String thread, CheckpointId head, TaskNote.Answered answer, Schemas schemas) {
    return guarded(Mono.defer(() -> notes(thread).flatMap(there -> {
      if (!there.isAt(head)) {
        return Mono.error(CheckpointConflictException.movedHead(thread, head, there.head()));
      }
      TaskNotes known = bytes.notes(thread, there.notes(), schemas);
      int before = known.inOrder().size();
      known.answer(thread, answer);
      List<byte[]> encoded = new ArrayList<>(1);
      if (known.inOrder().size() == before) {
        encoded.add(new byte[0]); // it was given before, and the reply was lost
      } else {
        bytes.notes(List.of(answer), false, thread, schemas, encoded);
      }
      return space
          .callSafely(
              ThreadScripts.ANSWER,
              space.keys().thread(thread),
              of(thread, "answering"),
              bytes(head.toString()),
              bytes(there.notes().size()),
              encoded.get(0))
          .flatMap(reply -> switch (text(reply.get(0))) {
            case "OK" -> Mono.<Void>empty();
            case "AGAIN" -> answer(thread, head, answer, schemas);
            default ->
              Mono.error(
                  CheckpointConflictException.movedHead(thread, head, head(thread, reply.get(1))));
          });
    })));
  }

  @Override
  public Mono<Void> enqueue(String thread, QueuedInput input, Schemas schemas) {
    return guarded(
        Mono.defer(() -> enqueue(thread, input, bytes.input(input, thread, schemas), "0")));
  }

  private Mono<Void> enqueue(String thread, QueuedInput input, byte[] encoded, String mark) {
    return index
        .enter(thread, mark)
        .flatMap(number -> space.callSafely(
            ThreadScripts.ENQUEUE,
            space.keys().thread(thread),
            of(thread, "leaving an input for"),
            bytes(input.id()),
            bytes(number),
            encoded))
        .flatMap(reply -> text(reply.get(0)).equals("OK")
            ? Mono.empty()
            : enqueue(thread, input, encoded, mark(thread, reply)));
  }

  @Override
  public Flux<QueuedInput> queue(String thread, Schemas schemas) {
    return guarded(Mono.defer(() -> call(ThreadScripts.WAITING, thread, "looking at"))
        .flatMapIterable(reply -> Frames.ofThread(thread).queue(reply).stream()
            .map(each -> bytes.input(thread, each, schemas))
            .toList()));
  }

  @Override
  public Flux<Checkpoint> history(String thread, HistoryFilter filter, Schemas schemas) {
    return guarded(reader
        .backwards(thread, filter.before())
        .map(entry -> bytes.checkpoint(thread, entry, schemas))
        .filter(filter::accepts)
        .take(filter.limit()));
  }

  @Override
  public Flux<ThreadSummary> threads(Set<ThreadStatus> wanted) {
    return guarded(statuses.threads(wanted));
  }

  @Override
  public Flux<RawRecord> export(String thread) {
    return guarded(exports.of(thread));
  }

  @Override
  public Mono<Boolean> delete(String thread, CheckpointId id, boolean cascade) {
    return guarded(pruning.remove(thread, id, cascade));
  }

  @Override
  public Mono<Long> delete(String thread) {
    return guarded(Mono.defer(() -> forget(thread, "")));
  }

  /** @param head where it must stand, with nothing to do; empty if anywhere */
  private Mono<Long> forget(String thread, String head) {
    return call(ThreadScripts.FORGET, thread, "removing", clock(), grace(), bytes(head))
        .flatMap(reply -> switch (text(reply.get(0))) {
          case "OK" ->
            left(thread, text(reply.get(2)), "GONE")
                .then(index.discard(thread))
                .thenReturn(Frames.ofThread(thread).number(reply.get(1), "log"));
          case "BUSY" -> Mono.error(busy(thread, reply));
          default -> Mono.empty();
        });
  }

  @Override
  public Mono<Long> prune(String thread, Retention what, Instant now) {
    return guarded(Mono.defer(() -> what.done() == null
        ? pruning.prune(thread, what, now)
        : forgottenIfDone(thread, what, now)
            .switchIfEmpty(Mono.defer(() -> pruning.prune(thread, what, now)))));
  }

  private Mono<Long> forgottenIfDone(String thread, Retention what, Instant now) {
    return statuses
        .of(thread)
        .filter(summary ->
            summary.head() != null && what.forgets(summary.status(), summary.time(), now))
        .flatMap(summary -> forget(thread, Objects.toString(summary.head()))
            .onErrorResume(ThreadBusyException.class, busy -> Mono.empty()));
  }

  /** Collects what a store is told; each option can be set once. */
  public static final class Builder {

    private final RedisSpace space;
    private final List<ByteStage> stages = new ArrayList<>();
    private final List<JacksonModule> modules = new ArrayList<>();
    private @Nullable Duration ttl;
    private @Nullable Duration idleTtl;
    private @Nullable Retention retention;
    private @Nullable Long maxEntrySize;
    private @Nullable InstantSource clock;
    private boolean refreshOnRead;

    private Builder(RedisSpace space) {
      this.space = space;
    }

    /**
     * How long a thread is kept after it was done; for ever by default. A thread that runs, waits,
     * has failed or has work to do is kept.
     */
    public Builder ttl(Duration time) {
      ttl = once("ttl", ttl, positive("ttl", time));
      return this;
    }

    /**
     * How long a thread is kept that is not done, after it was last left: one that waits for an
     * answer, has failed or was stopped. For ever by default, and for ever if whoever was at it has
     * vanished.
     */
    public Builder idleTtl(Duration time) {
      idleTtl = once("idleTtl", idleTtl, positive("idleTtl", time));
      return this;
    }

    /** Counts the {@link #ttl} of a thread that is done from when it was last loaded. */
    public Builder refreshOnRead() {
      refreshOnRead = true;
      return this;
    }

    /**
     * What is kept of every thread without anybody having to ask. Threads are pruned as they are
     * written to, now and then, so that there may be twice as many checkpoints as have to be kept.
     */
    public Builder retention(Retention kept) {
      retention = once("retention", retention, kept);
      return this;
    }

    /**
     * Adds a stage over the bytes behind those before it, such as compression or encryption; what
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

    /** How many bytes a checkpoint, a note or an input may take; at most 512 MB. */
    public Builder maxEntrySize(long most) {
      if (most < 1 || most > 512L << 20) {
        throw new IllegalArgumentException(
            "maxEntrySize must be between 1 and 512 MB, and was " + most + ".");
      }
      maxEntrySize = once("maxEntrySize", maxEntrySize, most);
      return this;
    }

    /** By which leases run out, in place of the clock of Redis: for tests. */
    public Builder clock(InstantSource source) {
      clock = once("clock", clock, source);
      return this;
    }

    private static Duration positive(String option, Duration time) {
      if (time.isZero() || time.isNegative()) {
        throw new IllegalArgumentException(option + " must be positive, and was " + time + ".");
      }
      return time;
    }

    public RedisCheckpointStore build() {
      return new RedisCheckpointStore(this);
    }
  }
}
