package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.redis.ThreadIndex.Named;
import io.superstep.error.SuperstepException;
import io.superstep.state.Schemas;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What threads are up to. The index says which to look at; what is told of a thread is what the
 * thread itself says.
 */
final class ThreadStatuses {

  /** How many threads are looked at at a time. */
  private static final int AT_ONCE = 16;

  private final RedisSpace space;
  private final ThreadBytes bytes;
  private final ThreadIndex index;
  private final Supplier<byte[]> clock;

  ThreadStatuses(RedisSpace space, ThreadBytes bytes, ThreadIndex index, Supplier<byte[]> clock) {
    this.space = space;
    this.bytes = bytes;
    this.index = index;
    this.clock = clock;
  }

  /** The threads of one of {@code wanted}, each once. */
  Flux<ThreadSummary> threads(Set<ThreadStatus> wanted) {
    return Flux.defer(() -> {
      Set<String> seen = new HashSet<>();
      Flux<ThreadSummary> live = index
          .live()
          .doOnNext(each -> seen.add(each.thread()))
          .flatMapSequential(each -> contained(each, lookAt(each)), AT_ONCE, AT_ONCE);
      Flux<ThreadSummary> done = ThreadStatus.readsDone(wanted)
          ? index
              .done()
              .filter(each -> !seen.contains(each.thread()))
              .flatMapSequential(each -> contained(each, ofKept(each)), AT_ONCE, AT_ONCE)
          : Flux.empty();
      return live.concatWith(done).filter(summary -> wanted.contains(summary.status()));
    });
  }

  /** Lists a thread as unreadable if its own data is at fault, so that others are listed. */
  private static Mono<ThreadSummary> contained(Named named, Mono<ThreadSummary> summary) {
    if (!named.isName()) {
      return Mono.just(ThreadSummary.unreadable(
          named.thread(),
          InvalidRecordException.frame(
              "the index of threads", "a member is not the name of a thread")));
    }
    return summary.onErrorResume(
        RedisErrors::isOfData,
        problem ->
            Mono.just(ThreadSummary.unreadable(named.thread(), (SuperstepException) problem)));
  }

  /** What a thread is up to that may have work to do; if it has none, it is no longer looked at. */
  private Mono<ThreadSummary> lookAt(Named live) {
    return ofKept(live)
        .flatMap(summary -> summary.status() == ThreadStatus.DONE
            ? settled(live).thenReturn(summary)
            : Mono.just(summary));
  }

  /** What a thread is up to; if it has expired, it is no longer looked at. */
  private Mono<ThreadSummary> ofKept(Named named) {
    return of(named.thread()).switchIfEmpty(Mono.defer(() -> settled(named).then(Mono.empty())));
  }

  private Mono<Void> settled(Named named) {
    return space
        .call(
            ThreadScripts.SETTLE,
            space.keys().thread(named.thread()),
            "looking at thread '" + ThreadNames.shown(named.thread()) + "'",
            bytes(named.number()),
            bytes(space.timeout().toMillis() * 2))
        .flatMap(reply -> {
          String kind = text(reply.get(0));
          if (kind.equals("LIVE")) {
            return Mono.empty();
          }
          long ttl = kind.equals("GONE") ? 0 : ttl(named, reply);
          return index.leave(
              named.thread(), named.number(), kind, kind.equals("DONE") && ttl > 0 ? ttl : null);
        });
  }

  /** How many milliseconds are left of a thread; negative if it does not expire. */
  private static long ttl(Named named, List<Object> reply) {
    return text(reply.get(1)).startsWith("-")
        ? -1
        : Frames.ofThread(named.thread()).number(reply.get(1), "ttl");
  }

  /** What {@code thread} is up to; empty if nothing was ever written to it. */
  Mono<ThreadSummary> of(String thread) {
    return Mono.defer(() -> space.call(
            ThreadScripts.STATUS,
            space.keys().thread(thread),
            "looking at thread '" + ThreadNames.shown(thread) + "'",
            clock.get()))
        .mapNotNull(reply -> reply.isEmpty() ? null : summary(thread, reply));
  }

  private ThreadSummary summary(String thread, List<Object> reply) {
    Frames frames = Frames.ofThread(thread);
    CheckpointId head = frames.idOrNone(reply.get(0), "field head");
    boolean leased = text(reply.get(3)).equals("1");
    if (head == null) {
      List<byte[]> queue = frames.queue(reply.get(6));
      if (queue.isEmpty()) {
        throw frames.invalid("field head", "it is empty");
      }
      return withLease(
          frames,
          reply,
          new ThreadSummary(
              thread,
              leased ? ThreadStatus.RUNNING : ThreadStatus.ORPHANED,
              null,
              bytes.input(thread, queue.get(0), Schemas.NONE).time()));
    }
    ThreadStatus status = ThreadStatus.of(
        position(frames, reply.get(1)),
        bytes.notes(thread, frames.allBytes(reply.get(6), "notes"), Schemas.NONE),
        leased,
        (int) Math.min(Integer.MAX_VALUE, frames.number(reply.get(4), "field lost")),
        !text(reply.get(5)).equals("0"));
    return withLease(
        frames,
        reply,
        new ThreadSummary(thread, status, head, frames.time(reply.get(2), "field time")));
  }

  /** Adds the lease, if there is one that was not released: then the reply has its end. */
  private static ThreadSummary withLease(Frames frames, List<Object> reply, ThreadSummary summary) {
    return frames.bytes(reply.get(8), "field until").length == 0
        ? summary
        : summary.withLease(
            frames.text(reply.get(7), "field owner"), frames.millis(reply.get(8), "field until"));
  }

  /** A position of which no more is known than whether it is finished, or paused. */
  private static Position position(Frames frames, Object reply) {
    String state = frames.text(reply, "field state");
    if (!state.equals("F") && !state.equals("P") && !state.equals("W")) {
      throw frames.invalid("field state", "it is none of the known states");
    }
    return new Position(
        "",
        0,
        Schemas.NONE.schema().start(),
        state.equals("F") ? List.of() : List.of(Due.by("work")),
        List.of(),
        Map.of(),
        Map.of(),
        state.equals("P") ? new Pause(List.of("work"), List.of()) : Pause.NONE);
  }
}
