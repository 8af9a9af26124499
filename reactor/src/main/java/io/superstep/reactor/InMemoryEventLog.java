package io.superstep.reactor;

import static io.superstep.error.Option.once;
import static io.superstep.error.Option.positive;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.UnknownCursorException;
import io.superstep.state.Schemas;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Scheduler;

/**
 * Keeps the events of threads in the memory of this process: for tests, and for threads that may go
 * with it.
 *
 * <p>Without options no fact is forgotten, 4,096 provisional events are kept of a thread, and
 * followers are woken on {@code Schedulers.parallel()}. They are woken one after the other: whoever
 * takes long over an event does that elsewhere, with {@code publishOn}. A thread that was forgotten
 * begins anew, with its numbers and fences; one that somebody follows never is. Of a deleted thread
 * nothing is kept but its highest fence, in at most 64 bytes, and of at least the last 262,144 such
 * threads. It is thread-safe.
 */
public final class InMemoryEventLog implements EventLog {

  private static final int PROVISIONAL = 4_096;

  /** How many deleted threads are known at least; the memory is bounded by four times as many. */
  private static final int DELETED = 1 << 18;

  private final Scheduler scheduler;
  private final long maxFacts;
  private final int maxProvisional;

  /** Trails are written to and followed inside {@code compute}: none is dropped meanwhile. */
  private final Cache<String, EventTrail> trails;

  /** Read and written inside {@code compute}, too. */
  private final DeletedFences deleted = new DeletedFences(DELETED);

  /** A log without options. */
  public InMemoryEventLog() {
    this(new Builder());
  }

  private InMemoryEventLog(Builder builder) {
    this.scheduler = Objects.requireNonNullElseGet(builder.scheduler, Alarms::standard);
    this.maxFacts = Objects.requireNonNullElse(builder.maxFacts, Long.MAX_VALUE);
    this.maxProvisional = Objects.requireNonNullElse(builder.maxProvisional, PROVISIONAL);
    this.trails = builder.cache();
  }

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Mono<Long> open(String thread, long fence) {
    return Mono.fromCallable(() -> {
      long[] last = new long[1];
      change(thread, trail -> {
        EventTrail opened = made(thread, trail);
        last[0] = opened.open(fence);
        return opened;
      });
      return last[0];
    });
  }

  /** As in {@link EventLog}; what is returned can be called, too, as it waits for nothing. */
  @Override
  public Mono<Void> append(String thread, long fence, List<GraphEvent> events, Schemas schemas) {
    List<GraphEvent> copy = List.copyOf(events);
    return Mono.fromRunnable(() -> wake(change(thread, trail -> {
      EventTrail longer = made(thread, trail);
      longer.append(fence, copy);
      return longer;
    })));
  }

  private EventTrail made(String thread, @Nullable EventTrail trail) {
    return trail == null
        ? new EventTrail(
            thread, maxFacts, maxProvisional, new Followers(scheduler), deleted.of(thread))
        : trail;
  }

  private static void wake(@Nullable EventTrail trail) {
    if (trail != null) {
      trail.followers().wake();
    }
  }

  /** Changes the trail of a thread, which may be null before and after, while nobody else does. */
  private @Nullable EventTrail change(String thread, UnaryOperator<@Nullable EventTrail> change) {
    return trails.asMap().compute(thread, (name, trail) -> change.apply(trail));
  }

  @Override
  public Flux<GraphEvent> read(String thread, long after, Schemas schemas) {
    return Flux.defer(() -> {
      EventTrail trail = trails.getIfPresent(thread);
      if (trail != null) {
        return reading(trail, after);
      }
      return after == 0 ? Flux.empty() : Flux.error(new UnknownCursorException(thread, after, 0));
    });
  }

  private static Flux<GraphEvent> reading(EventTrail trail, long after) {
    Bookmark bookmark = trail.bookmark(after);
    long last = trail.last();
    return Flux.generate(sink -> readNext(trail, bookmark, last, sink));
  }

  private static void readNext(
      EventTrail trail, Bookmark bookmark, long last, SynchronousSink<GraphEvent> sink) {
    GraphEvent event = bookmark.cursor < last ? trail.next(bookmark, true) : null;
    if (event == null) {
      sink.complete();
    } else {
      sink.next(event);
    }
  }

  @Override
  public Flux<GraphEvent> follow(String thread, long after, Chunks chunks, Schemas schemas) {
    return new FollowFlux(after, chunks, new OfThread(thread));
  }

  @Override
  public Mono<Long> trim(String thread, long before) {
    return Mono.fromCallable(() -> {
      EventTrail trail = trails.getIfPresent(thread);
      return trail == null ? 0L : trail.trim(before);
    });
  }

  @Override
  public Mono<Void> delete(String thread) {
    return Mono.fromRunnable(() -> wake(change(thread, trail -> {
      if (trail == null) {
        return null;
      }
      trail.delete();
      return unlessBlank(thread, trail);
    })));
  }

  /** {@code trail}, or null in its place if all that is to be remembered of it is its fence. */
  private @Nullable EventTrail unlessBlank(String thread, EventTrail trail) {
    if (!trail.isBlank()) {
      return trail;
    }
    if (trail.fence() > 0) {
      deleted.add(thread, trail.fence());
    }
    return null;
  }

  /** The number of threads of which events, followers or a writer are known. */
  long knownThreads() {
    trails.cleanUp();
    return trails.estimatedSize();
  }

  /** The number of deleted threads whose fences are known. */
  int deletedThreads() {
    return deleted.size();
  }

  /** Puts followers of a thread where they are woken, and keeps its trail meanwhile. */
  private final class OfThread implements Follower.Following {

    private final String thread;

    OfThread(String thread) {
      this.thread = thread;
    }

    @Override
    public EventTrail join(Follower follower, Bookmark bookmark) {
      return Objects.requireNonNull(change(thread, trail -> {
        EventTrail followed = made(thread, trail);
        followed.add(follower, bookmark);
        return followed;
      }));
    }

    @Override
    public void leave(Follower follower, Bookmark bookmark) {
      change(thread, trail -> {
        EventTrail left = Objects.requireNonNull(trail);
        left.remove(follower, bookmark);
        return unlessBlank(thread, left);
      });
    }
  }

  /** Collects what a log is told; each option can be set once. */
  public static final class Builder {

    private @Nullable Long maxFacts;
    private @Nullable Integer maxProvisional;
    private @Nullable Long maxIdle;
    private @Nullable Duration ttl;
    private @Nullable Scheduler scheduler;

    private Builder() {}

    /**
     * How many facts of a thread are kept; older ones are trimmed as others come, and a follower
     * that is further behind is told so.
     */
    public Builder maxFacts(long most) {
      maxFacts = once("maxFacts", maxFacts, positive("maxFacts", most));
      return this;
    }

    /** How many provisional events of a thread are kept. */
    public Builder maxProvisional(int most) {
      positive("maxProvisional", most);
      maxProvisional = once("maxProvisional", maxProvisional, most);
      return this;
    }

    /** How many threads are kept of those whose last run has told its end and nobody follows. */
    public Builder maxIdle(long most) {
      maxIdle = once("maxIdle", maxIdle, positive("maxIdle", most));
      return this;
    }

    /**
     * How long a thread is kept that nobody follows and nobody writes to. A run that has nothing to
     * tell for so long cannot go on: say longer than any of them takes over one thing.
     */
    public Builder ttl(Duration time) {
      positive("ttl", time.toNanos());
      ttl = once("ttl", ttl, time);
      return this;
    }

    /** Where followers are woken, and the age of threads is counted. */
    public Builder scheduler(Scheduler waking) {
      scheduler = once("scheduler", scheduler, waking);
      return this;
    }

    private Cache<String, EventTrail> cache() {
      Scheduler timer = scheduler;
      Ticker ticker = timer == null ? Ticker.systemTicker() : () -> timer.now(TimeUnit.NANOSECONDS);
      return BoundedCache.pinning(
          Objects.requireNonNullElse(maxIdle, Long.MAX_VALUE),
          EventTrail::isIdle,
          trail -> !trail.isFollowed(),
          ttl,
          ticker);
    }

    public InMemoryEventLog build() {
      return new InMemoryEventLog(this);
    }
  }
}
