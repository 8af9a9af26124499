package io.superstep.reactor;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.RawRecord;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.state.Schemas;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps threads in the memory of this process: for tests, and for threads that may go with it.
 *
 * <p>States share what did not change between them, so that a thread costs what its steps changed.
 * Threads that are done are forgotten when there are too many of them, or they are too old; those
 * that run or wait never are. Without options nothing is forgotten.
 */
public final class InMemoryCheckpointStore implements CheckpointStore {

  private final InstantSource clock;
  private final Retention retention;

  /** Fences are never used again, not even for a thread that was forgotten. */
  private final AtomicLong fences = new AtomicLong();

  /** Threads that have something left to do. A thread is worked on inside {@code compute}. */
  private final ConcurrentMap<String, ThreadLog> live = new ConcurrentHashMap<>();

  /** Threads that are done; looked at and changed inside {@code compute} of {@link #live}. */
  private final Cache<String, ThreadLog> done;

  /** A store without options. */
  public InMemoryCheckpointStore() {
    this(new Builder());
  }

  private InMemoryCheckpointStore(Builder builder) {
    this.clock = builder.clock;
    this.retention = builder.retention;
    this.done = builder.cache();
  }

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Mono<Lease> acquire(String thread, String owner, Duration time) {
    return Mono.fromCallable(() -> {
      Instant now = clock.instant();
      return within(
          thread, true, log -> log.acquire(owner, fences::incrementAndGet, now, now.plus(time)));
    });
  }

  @Override
  public Mono<Lease> renew(Lease lease, Duration time) {
    return Mono.fromCallable(() ->
        within(lease.thread(), true, log -> log.renew(lease, clock.instant().plus(time))));
  }

  @Override
  public Mono<Boolean> release(Lease lease, Release how) {
    return Mono.fromCallable(
        () -> Boolean.TRUE.equals(within(lease.thread(), false, log -> log.release(lease, how))));
  }

  @Override
  public Mono<Boolean> requestResume(String thread) {
    return Mono.fromCallable(() ->
        Boolean.TRUE.equals(within(thread, false, log -> log.requestResume(clock.instant()))));
  }

  @Override
  public Mono<SavedThread> load(String thread, Schemas schemas) {
    return Mono.fromCallable(() -> as(schemas, within(thread, false, ThreadLog::load)));
  }

  @Override
  public Mono<SavedThread> load(String thread, CheckpointId id, Schemas schemas) {
    return Mono.fromCallable(() -> as(schemas, within(thread, false, log -> log.load(id))));
  }

  /** What a graph gets to see; its start values are asked for here, where nobody waits for it. */
  private static @Nullable SavedThread as(Schemas schemas, @Nullable SavedThread saved) {
    return saved == null ? null : saved.as(schemas.schema());
  }

  @Override
  public Mono<Void> commit(Lease lease, Commit commit, Schemas schemas) {
    return Mono.fromRunnable(() -> within(lease.thread(), true, log -> {
      log.commit(lease, commit);
      if (retention != Retention.ALL) {
        log.pruneNowAndThen(retention, commit.time());
      }
      return null;
    }));
  }

  @Override
  public Mono<Void> record(Lease lease, CheckpointId head, List<TaskNote> notes, Schemas schemas) {
    return Mono.fromRunnable(() -> within(lease.thread(), true, log -> {
      log.record(lease, head, notes);
      return null;
    }));
  }

  @Override
  public Mono<Void> answer(
      String thread, CheckpointId head, TaskNote.Answered answer, Schemas schemas) {
    return Mono.fromRunnable(() -> {
      boolean isThere = Boolean.TRUE.equals(within(thread, false, log -> {
        log.answer(head, answer);
        return true;
      }));
      if (!isThere) {
        throw CheckpointConflictException.movedHead(thread, head, null);
      }
    });
  }

  @Override
  public Mono<Void> enqueue(String thread, QueuedInput input, Schemas schemas) {
    return Mono.fromRunnable(() -> within(thread, true, log -> {
      log.enqueue(input);
      return null;
    }));
  }

  @Override
  public Flux<QueuedInput> queue(String thread, Schemas schemas) {
    return Flux.defer(() -> {
      List<QueuedInput> waiting = within(thread, false, ThreadLog::queue);
      return waiting == null ? Flux.empty() : Flux.fromIterable(waiting);
    });
  }

  @Override
  public Flux<Checkpoint> history(String thread, HistoryFilter filter, Schemas schemas) {
    return Flux.defer(() -> {
      List<Checkpoint> found = within(thread, false, log -> log.history(filter));
      return found == null ? Flux.empty() : Flux.fromIterable(found);
    });
  }

  @Override
  public Flux<ThreadSummary> threads(Set<ThreadStatus> statuses) {
    return Flux.defer(() -> {
      List<String> names = new ArrayList<>(live.keySet());
      names.addAll(done.asMap().keySet());
      return Flux.fromIterable(names)
          .distinct()
          .mapNotNull(name -> within(name, false, log -> log.summary(clock.instant())))
          .filter(summary -> statuses.contains(summary.status()));
    });
  }

  @Override
  public Flux<RawRecord> export(String thread) {
    return Flux.empty();
  }

  @Override
  public Mono<Boolean> delete(String thread, CheckpointId id, boolean cascade) {
    return Mono.fromCallable(
        () -> Boolean.TRUE.equals(within(thread, false, log -> log.delete(id, cascade))));
  }

  @Override
  public Mono<Long> delete(String thread) {
    return Mono.fromCallable(() -> {
      long[] removed = new long[1];
      live.compute(thread, (name, running) -> {
        ThreadLog log = running == null ? done.getIfPresent(thread) : running;
        if (log != null) {
          log.requireIdle(clock.instant());
          removed[0] = log.size();
          done.invalidate(thread);
        }
        return null;
      });
      return removed[0];
    });
  }

  @Override
  public Mono<Long> prune(String thread, Retention what, Instant now) {
    return Mono.fromCallable(() -> {
      Long removed =
          within(thread, false, log -> log.prune(what, now, log.status(clock.instant())));
      return removed == null ? 0L : removed;
    });
  }

  /**
   * Works on the log of a thread while nobody else does.
   *
   * @param make whether to begin one if there is none; else the answer is null
   */
  private <T> @Nullable T within(
      String thread, boolean make, Function<ThreadLog, @Nullable T> work) {
    Visit<T> visit = new Visit<>(make, work);
    live.compute(thread, visit);
    return visit.answer();
  }

  /** Puts a log where it belongs; gives it back if it must not be forgotten. */
  private @Nullable ThreadLog settled(ThreadLog log, boolean wasLive) {
    boolean staysLive = !log.mayBeForgotten(clock);
    if (!wasLive && (staysLive || log.isEmpty())) {
      done.invalidate(log.thread());
    }
    if (staysLive) {
      return log;
    }
    if (wasLive && !log.isEmpty()) {
      done.put(log.thread(), log);
    }
    return null;
  }

  /** Somebody who works on a log; what came of it is thrown only when the log has been put back. */
  private final class Visit<T>
      implements BiFunction<String, @Nullable ThreadLog, @Nullable ThreadLog> {

    private final boolean make;
    private final Function<ThreadLog, @Nullable T> work;
    private @Nullable T value;
    private @Nullable RuntimeException refusal;

    Visit(boolean make, Function<ThreadLog, @Nullable T> work) {
      this.make = make;
      this.work = work;
    }

    /** @param running null if the thread is done, or there is none */
    @Override
    public @Nullable ThreadLog apply(String thread, @Nullable ThreadLog running) {
      ThreadLog log = running == null ? done.getIfPresent(thread) : running;
      if (log == null && make) {
        log = new ThreadLog(thread);
      }
      if (log == null) {
        return null;
      }
      try {
        value = work.apply(log);
      } catch (RuntimeException refused) {
        refusal = refused;
      }
      return settled(log, running != null);
    }

    @Nullable
    T answer() {
      if (refusal != null) {
        throw refusal;
      }
      return value;
    }
  }

  /** Collects what a store is told. */
  public static final class Builder {

    private InstantSource clock = Clock.systemUTC();
    private @Nullable Long threads;
    private @Nullable Long checkpoints;
    private @Nullable Duration ttl;
    private Retention retention = Retention.ALL;

    private Builder() {}

    /** How many threads that are done are kept. */
    public Builder maxDone(long most) {
      threads = most;
      return this;
    }

    /**
     * How many checkpoints the threads that are done may have together. A checkpoint takes about
     * 200 bytes and what its step has changed, and that of a step with several tasks up to a
     * kilobyte. Either this or {@link #maxDone} can be said.
     */
    public Builder maxDoneCheckpoints(long most) {
      checkpoints = most;
      return this;
    }

    private Cache<String, ThreadLog> cache() {
      Ticker ticker = () -> TimeUnit.MILLISECONDS.toNanos(clock.millis());
      if (checkpoints == null) {
        return BoundedCache.of(threads == null ? Long.MAX_VALUE : threads, ttl, ticker);
      }
      if (threads != null) {
        throw new IllegalStateException(
            "Completed threads are limited either by their number or by the number of their"
                + " checkpoints: use maxDone(...) or maxDoneCheckpoints(...), not both.");
      }
      return BoundedCache.weighed(
          checkpoints, (thread, log) -> (int) Math.min(log.size(), Integer.MAX_VALUE), ttl, ticker);
    }

    /** How long a thread is kept after it was done. */
    public Builder ttl(Duration time) {
      ttl = time;
      return this;
    }

    /**
     * What is kept of every thread without anybody having to ask. Threads are pruned as they are
     * written to, now and then, so that there may be twice as many checkpoints as have to be kept;
     * how long threads are kept that are done is the {@link #ttl}.
     */
    public Builder retention(Retention kept) {
      retention = kept;
      ttl = kept.done() == null ? ttl : kept.done();
      return this;
    }

    /** Where the time comes from by which leases and threads run out. */
    public Builder clock(InstantSource source) {
      clock = source;
      return this;
    }

    public InMemoryCheckpointStore build() {
      return new InMemoryCheckpointStore(this);
    }
  }
}
